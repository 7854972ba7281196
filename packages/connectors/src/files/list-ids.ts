/** The ids that stand in the files of an entity now. */
import { ConnectorError, type BadRecord, type IdPage, type ListIdsRequest } from "@accord/connector-sdk";
import type { FileSource } from "./formats/format.ts";
import { readFiles, type Reading } from "./read.ts";

/**
 * @throws ConnectorError where a row can't be read and its id is not known, or a file is replaced between two pages: nobody
 * can say then what is gone.
 */
export async function listIds(
  sources: readonly FileSource[],
  reading: Reading,
  { entity, cursor, pageSize, signal }: ListIdsRequest,
): Promise<IdPage> {
  const fields = entity.fields.filter(({ isIdField }) => isIdField).map(({ apiName }) => apiName);
  const request = { entity, fields, cursor, pageSize, mode: "all" as const, withLocations: false };
  const lost: BadRecord[] = [];
  const onLostRow = (row: BadRecord): void => void lost.push(row);
  const onReplaced = (name: string): never => {
    throw new ConnectorError("unreachable", `${name} was replaced or deleted while its ids were read.`, {
      hint: "They are read again by themselves.",
    });
  };
  const page = await readFiles(
    sources,
    { ...reading, onLostRow, onReplaced },
    { ...request, ...(signal && { signal }) },
  );
  const [first] = lost;
  if (first)
    throw new ConnectorError("configuration", `${first.place}: ${first.message} Which rows are gone can't be said.`, {
      hint: "Correct the row and bring the file again.",
    });
  const known = (page.bad ?? []).flatMap(({ id }) => (id === undefined ? [] : [id]));
  return { ids: [...page.records.map(({ id }) => id), ...known], cursor: page.cursor, drained: page.drained };
}
