/** Says whether records are so many that a copy of them pays. */
import { instanceSchema, type Pool } from "../../../../platform/db/db.ts";

const REMEMBER_MS = 60_000;

/** Whether one of the tables has at least so many rows; remembered for a minute. */
export function sizeCheck(pool: Pool) {
  const known = new Map<string, { isLarge: boolean; until: number }>();

  async function isLarge(schema: string, tables: readonly string[], minRecords: number): Promise<boolean> {
    const { rows } = await pool.query<{ name: string; records: number }>(
      `SELECT relname AS name, reltuples::float8 AS records FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = $1 AND c.relname = ANY ($2::text[]) AND c.relkind = 'r'`,
      [schema, tables],
    );
    if (rows.some(({ records }) => records >= minRecords)) return true;
    // The estimate follows the table with a delay, and there is none before the first.
    const likely = rows.filter(({ records }) => records < 0 || records >= minRecords / 4);
    for (const { name } of likely) {
      const counted = await pool.query<{ count: string }>(
        `SELECT count(*) AS count FROM (SELECT FROM "${schema}"."${name.replaceAll('"', '""')}" LIMIT $1) few`,
        [minRecords],
      );
      if (Number(counted.rows[0]?.count) >= minRecords) return true;
    }
    return false;
  }

  return async (
    instanceId: string,
    tables: readonly string[],
    { minRecords, nowMs }: { minRecords: number; nowMs: number },
  ): Promise<boolean> => {
    const schema = instanceSchema(instanceId);
    const key = `${minRecords} ${schema} ${tables.join(" ")}`;
    const found = known.get(key);
    if (found && found.until > nowMs) return found.isLarge;
    if (known.size > 10_000) known.clear();
    const answer = await isLarge(schema, tables, minRecords);
    known.set(key, { isLarge: answer, until: nowMs + REMEMBER_MS });
    return answer;
  };
}
