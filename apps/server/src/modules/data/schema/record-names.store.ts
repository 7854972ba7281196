/** Reads what people call records. */
import type { CoreEntity } from "@accord/contracts/data/entities";
import type { Pool } from "../../../platform/db/db.ts";
import { asName, nameFieldOf } from "./record-names.ts";
import { quoteIdentifier, recordTable, SYSTEM_COLUMNS } from "./record-table.ts";

/** By record id; records without a name, and those that are not there, are left out. */
export async function readRecordNames(
  pool: Pool,
  instanceId: string,
  entity: Pick<CoreEntity, "apiName" | "nameField" | "fields">,
  recordIds: readonly string[],
): Promise<Map<string, string>> {
  const field = nameFieldOf(entity);
  if (field === null || recordIds.length === 0) return new Map();
  const { rows } = await pool.query(
    `SELECT ${SYSTEM_COLUMNS.id} AS id, ${quoteIdentifier(field)} AS name
     FROM ${recordTable(instanceId, entity.apiName)} WHERE ${SYSTEM_COLUMNS.id} = ANY($1::text[])`,
    [recordIds],
  );
  return new Map(rows.flatMap(({ id, name }) => (asName(name) === null ? [] : [[id, String(name)] as const])));
}
