/** All rows of a database as one text: what must not be stored is looked for in it. */
import type { Pool } from "../../src/platform/db/db.ts";

export async function storedText(pool: Pool): Promise<string> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
    texts.push(...rows.map(({ row }) => row));
  }
  return texts.join("\n");
}
