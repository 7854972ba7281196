/** The schema of a database as text, made by our own query of the catalogue: PostgreSQL's dump program is not packaged. */
import type { Pool } from "../../src/platform/db/db.ts";

const TABLES = `
  SELECT c.oid, c.relname AS name, c.relkind AS kind, pg_get_partkeydef(c.oid) AS partition_key,
         pg_get_expr(c.relpartbound, c.oid) AS bound,
         CASE WHEN c.relkind = 'v' THEN pg_get_viewdef(c.oid) END AS view
    FROM pg_class c
   WHERE c.relnamespace = $1::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm')
   ORDER BY c.relname`;

const COLUMNS = `
  SELECT quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod)
         || CASE WHEN a.attcollation <> t.typcollation THEN ' COLLATE "' || l.collname || '"' ELSE '' END
         || CASE WHEN a.attgenerated <> '' THEN ' GENERATED AS (' || pg_get_expr(d.adbin, d.adrelid) || ')'
                 WHEN a.attidentity <> '' THEN ' IDENTITY'
                 WHEN d.adbin IS NOT NULL THEN ' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid) ELSE '' END
         || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END AS line
    FROM pg_attribute a
    JOIN pg_type t ON t.oid = a.atttypid
    LEFT JOIN pg_collation l ON l.oid = a.attcollation
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
   WHERE a.attrelid = $1 AND a.attnum > 0 AND NOT a.attisdropped
   ORDER BY a.attnum`;

const CONSTRAINTS = `
  SELECT conname || ' ' || pg_get_constraintdef(oid) AS line
    FROM pg_constraint WHERE conrelid = $1 AND contype <> 'n' ORDER BY conname`;

const INDEXES = `
  SELECT pg_get_indexdef(i.indexrelid) AS line
    FROM pg_index i
   WHERE i.indrelid = $1
     AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = i.indexrelid AND c.conrelid = $1)
   ORDER BY 1`;

const TRIGGERS = `SELECT pg_get_triggerdef(oid) AS line FROM pg_trigger WHERE tgrelid = $1 AND NOT tgisinternal ORDER BY 1`;

const FUNCTIONS = `
  SELECT pg_get_functiondef(p.oid) AS line
    FROM pg_proc p
   WHERE p.pronamespace = $1::regnamespace AND p.prokind IN ('f', 'p')
     AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
   ORDER BY p.proname, 1`;

/** Tables with columns, constraints, indexes and triggers, then functions; the same text for the same schema. */
export async function dumpSchema(pool: Pool, schema: string): Promise<string> {
  const lines = async (sql: string, parameter: unknown): Promise<string[]> =>
    (await pool.query<{ line: string }>(sql, [parameter])).rows.map(({ line }) => line);
  const parts: string[] = [];
  for (const table of (await pool.query(TABLES, [schema])).rows) {
    if (table.view) {
      parts.push(`VIEW ${table.name} AS${table.view}`);
      continue;
    }
    const body = [...(await lines(COLUMNS, table.oid)), ...(await lines(CONSTRAINTS, table.oid))];
    const partition = table.partition_key ? ` PARTITION BY ${table.partition_key}` : "";
    const bound = table.bound ? ` ${table.bound}` : "";
    parts.push(`TABLE ${table.name}${partition}${bound} (\n${body.map((line) => `  ${line}`).join("\n")}\n)`);
    parts.push(...(await lines(INDEXES, table.oid)), ...(await lines(TRIGGERS, table.oid)));
  }
  parts.push(...(await lines(FUNCTIONS, schema)));
  return `${parts.join("\n")}\n`;
}
