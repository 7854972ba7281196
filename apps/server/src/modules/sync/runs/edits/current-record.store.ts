/** A record as it stands now, for explanations. */
import type { CoreEntity } from "@accord/contracts/data/entities";
import type { Values } from "@accord/contracts/data/values";
import type { Pool } from "../../../../platform/db/db.ts";
import { selectList, recordTable, SYSTEM_COLUMNS, toValues } from "../../../data/schema/index.ts";

export async function currentRecord(
  pool: Pool,
  instanceId: string,
  { apiName, fields }: CoreEntity,
  recordId: string,
): Promise<{ values: Values; deleted: boolean } | null> {
  const active = fields.filter(({ status }) => status === "ACTIVE");
  const { rows } = await pool.query(
    `SELECT accord_deleted, ${selectList(active)} FROM ${recordTable(instanceId, apiName)} WHERE accord_id = $1`,
    [recordId],
  );
  return rows[0] ? { values: toValues(active, rows[0]), deleted: rows[0][SYSTEM_COLUMNS.deleted] } : null;
}
