/** Single records of a system, asked for by their ids. */
import type { Connection, SourceRecord } from "@accord/connector-sdk";
import type { EntitySchema } from "@accord/contracts/data/schema";

/** Ids in one call. */
const IDS_AT_ONCE = 100;

/** In the order of `ids`; those that are gone are answered as deleted. Throws where the system has no single records. */
export async function readSingle(
  connection: Pick<Connection, "getByIds">,
  { entity, fields, ids }: { entity: EntitySchema; fields: readonly string[]; ids: readonly string[] },
): Promise<SourceRecord[]> {
  if (!connection.getByIds) throw new Error(`${entity.displayName} has no single records`);
  const found = new Map<string, SourceRecord>();
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
    const some = ids.slice(from, from + IDS_AT_ONCE);
    const records = await connection.getByIds({ entity, fields: [...fields], ids: some });
    for (const record of records) found.set(record.id, record);
  }
  return ids.map((id) => found.get(id) ?? { id, values: {}, deleted: true });
}
