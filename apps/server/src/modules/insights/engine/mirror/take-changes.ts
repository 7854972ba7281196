/** Takes what changed since the snapshot of a copy into it. */
import type { PoolClient } from "pg";
import type { TableCopy } from "./copy-table.ts";
import type { ChangeWriter } from "./mirror-database.store.ts";
import { streamChangedIds, streamRecords } from "./mirror-source.store.ts";

/** Answers how many records the copy has then: nothing is counted before all of it is committed. */
export async function takeChanges(
  client: PoolClient,
  schema: string,
  { copy, changes }: { copy: TableCopy; changes: ChangeWriter },
): Promise<number> {
  let { records } = copy;
  const since = { ...copy };
  await streamChangedIds(client, { schema, since }, async (rows) => {
    const ids = rows.flatMap(([id]) => id ?? []);
    records -= await changes.remove(copy, ids);
  });
  await streamRecords(client, { schema, table: copy.table, columns: copy.columns, since }, async (rows) => {
    await changes.append(copy, rows);
    records += rows.length;
  });
  return records;
}
