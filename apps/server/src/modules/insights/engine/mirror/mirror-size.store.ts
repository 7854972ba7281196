/** Says whether records are so many that a copy of them pays. */
import { instanceSchema, type Pool } from "../../../../platform/db/db.ts";

/** About how many records each of the tables has, as the database estimates. */
export async function estimatedRecords(
  pool: Pool,
  instanceId: string,
  tables: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await pool.query<{ name: string; records: number }>(
    `SELECT c.relname AS name, greatest(c.reltuples, s.n_live_tup, 0)::float8 AS records
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace LEFT JOIN pg_stat_all_tables s ON s.relid = c.oid
     WHERE n.nspname = $1 AND c.relname = ANY ($2::text[]) AND c.relkind = 'r'`,
    [instanceSchema(instanceId), tables],
  );
  return new Map(rows.map(({ name, records }) => [name, Math.round(records)]));
}

const REMEMBER_MS = 60_000;

/** Whether one of the tables has at least so many rows, as the database estimates; remembered for a minute. */
export function sizeCheck(pool: Pool) {
  const known = new Map<string, { isLarge: boolean; until: number }>();

  async function isLarge(schema: string, tables: readonly string[], minRecords: number): Promise<boolean> {
    // Estimates alone: to count would wait for whoever holds the table, for no reason that the caller could end.
    const { rows } = await pool.query<{ is_large: boolean | null }>(
      `SELECT bool_or(greatest(c.reltuples, s.n_live_tup) >= $3) AS is_large
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace LEFT JOIN pg_stat_all_tables s ON s.relid = c.oid
       WHERE n.nspname = $1 AND c.relname = ANY ($2::text[]) AND c.relkind = 'r'`,
      [schema, tables, minRecords],
    );
    return rows[0]?.is_large ?? false;
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
