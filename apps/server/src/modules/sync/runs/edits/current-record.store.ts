/** A record as it stands now, for explanations. */
import type { CoreEntity } from "@accord/contracts/data/entities";
import type { Values } from "@accord/contracts/data/values";
import type { Pool } from "../../../../platform/db/db.ts";
import { selectList, recordTable, toValues } from "../../../data/schema/index.ts";

/** Its values in the fields that are in use, a deleted one's too; null where there is none. */
export async function currentRecord(
  pool: Pool,
  instanceId: string,
  { apiName, fields }: Pick<CoreEntity, "apiName" | "fields">,
  recordId: string,
): Promise<Values | null> {
  const active = fields.filter(({ status }) => status === "ACTIVE");
  const { rows } = await pool.query(
    `SELECT ${selectList(active)} FROM ${recordTable(instanceId, apiName)} WHERE accord_id = $1`,
    [recordId],
  );
  const [row] = rows;
  return row ? toValues(active, row) : null;
}
