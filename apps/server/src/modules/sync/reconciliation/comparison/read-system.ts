/** Reading a system page by page: what is asked for, and what is kept of each record. */
import type { Connection, Cursor, ReadPage, SourceRecord } from "@accord/connector-sdk";
import { hashValue } from "@accord/connector-sdk/fingerprint";
import type { Value } from "@accord/contracts/data/values";
import { isBlank } from "@accord/expressions";
import type { Subject } from "./subjects.ts";
import type { ComparedSystem } from "./systems.ts";

const readPage = (
  connection: Connection,
  system: ComparedSystem,
  cursor: Cursor | null,
  signal: AbortSignal,
): Promise<ReadPage> =>
  connection.read({
    entity: system.schema,
    fields: [...system.fields],
    cursor,
    mode: "all",
    pageSize: system.pageSize,
    signal,
  });

/** All pages of a system, from its beginning to its end; deleted records are left out. */
export async function* pagesOf(
  connection: Connection,
  system: ComparedSystem,
  signal: AbortSignal,
): AsyncGenerator<{ records: SourceRecord[]; bad: NonNullable<ReadPage["bad"]> }> {
  for (let cursor: Cursor | null = null; ;) {
    signal.throwIfAborted();
    const page: ReadPage = await readPage(connection, system, cursor, signal);
    const alive = new Map(page.records.filter(({ deleted }) => !deleted).map((record) => [record.id, record]));
    yield { records: [...alive.values()], bad: page.bad ?? [] };
    if (page.drained) return;
    cursor = page.cursor;
  }
}

export const subjectOf = ({ id, values, modifiedAt }: SourceRecord): Subject => ({
  externalId: id,
  recordId: null,
  values,
  modifiedAt: modifiedAt ?? null,
});

/** Two values in common may be chance, or all there is of a record. */
const MIN_VALUES = 2;

/** All values but ids and times of change; null where there are too few to tell records apart. */
export function fingerprintOf({ schema, fields }: ComparedSystem, values: SourceRecord["values"]): string | null {
  const own = schema.fields.filter(
    ({ apiName, isIdField, isWatermarkField, calculated }) =>
      fields.includes(apiName) && !isIdField && !isWatermarkField && !calculated,
  );
  const entries = own.map(({ apiName }): Value => [apiName, values[apiName] ?? null]);
  const filled = own.filter(({ apiName }) => !isBlank(values[apiName])).length;
  return filled < MIN_VALUES ? null : hashValue(entries);
}
