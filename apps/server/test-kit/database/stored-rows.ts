/** Everything that both databases hold, row by row: for tests of what must be stored nowhere. */
import type { TestApp } from "../test-app.ts";

/** Each row as JSON text, and its table. `without`: schemas that are left out, such as those of the outside systems. */
export async function storedRows(
  { deps }: Pick<TestApp, "deps">,
  without: readonly string[] = [],
): Promise<{ table: string; text: string }[]> {
  const stored: { table: string; text: string }[] = [];
  for (const pool of [deps.appPool, deps.dataPool]) {
    const { rows } = await pool.query<{ name: string }>(
      `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
        WHERE table_type = 'BASE TABLE' AND table_schema <> ALL($1::text[])`,
      [["pg_catalog", "information_schema", ...without]],
    );
    for (const { name } of rows) {
      const all = await pool.query<{ text: string }>(`SELECT row_to_json(x)::text AS text FROM ${name} x`);
      stored.push(...all.rows.map(({ text }) => ({ table: name, text })));
    }
  }
  return stored;
}
