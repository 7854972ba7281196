/** Asks PostgreSQL which columns a statement gives: their names, their types, and the columns of tables they hand on. */
import pg, { type PoolClient } from "pg";
import type { DescribedColumn } from "./analytics-engine.ts";
import { WrittenSqlError } from "./written-errors.ts";

/** Throws `WrittenSqlError` for a statement that can't be planned. */
export async function describeColumnsOf(
  client: PoolClient,
  { text, params }: { text: string; params: unknown[] },
): Promise<DescribedColumn[]> {
  const fields = await fieldsOf(client, text, params);
  const { rows } = await client.query<{ type: string; table: string | null; column: string | null }>(
    `SELECT format_type(f.type, NULL) AS type, c.relname AS "table", a.attname AS "column"
     FROM unnest($1::oid[], $2::oid[], $3::integer[]) WITH ORDINALITY AS f (type, tab, col, place)
     LEFT JOIN pg_class c ON c.oid = f.tab LEFT JOIN pg_attribute a ON a.attrelid = f.tab AND a.attnum = f.col AND f.col > 0
     ORDER BY f.place`,
    [
      fields.map(({ dataTypeID }) => dataTypeID),
      fields.map(({ tableID }) => tableID),
      fields.map(({ columnID }) => columnID),
    ],
  );
  return rows.map(({ type, table, column }, at) => ({
    name: fields[at]?.name ?? "",
    type,
    source: table !== null && column !== null ? { table, column } : null,
  }));
}

async function fieldsOf(client: PoolClient, text: string, params: unknown[]): Promise<pg.FieldDef[]> {
  try {
    // By the extended protocol even without parameters: it takes one statement and no more.
    const query = { text, values: params, rowMode: "array" as const, queryMode: "extended" };
    return (await client.query(query)).fields;
  } catch (error) {
    if (error instanceof pg.DatabaseError && /^(42|0A|22|21|54)/.test(error.code ?? ""))
      throw new WrittenSqlError(error, text);
    throw error;
  }
}
