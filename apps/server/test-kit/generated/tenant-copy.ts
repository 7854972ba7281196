/**
 * Copies everything one tenant has to another one: the same names and numbers, other ids, texts with a mark. Whatever a
 * query finds by name, number or state alone it finds twice then, and the mark says in any answer where it comes from.
 */
import { instanceSchema, type Pool } from "../../src/platform/db/db.ts";
import { withClient } from "../../src/platform/db/transaction.ts";
import type { Place, TestApp } from "../test-app.ts";

export interface TenantCopy {
  /** Ids and texts of the copy hold it. */
  mark: RegExp;
  /** Tables that hold rows of the copy. */
  filled: Set<string>;
}

/** Why a table with a tenant's column is not copied. */
export const NOT_COPIED: Readonly<Record<string, string>> = {
  session: "a session belongs to a browser, and its token is unique",
  share_session: "a session belongs to a browser, and its token is unique",
  mail: "its text is sealed for its id: the test sends mails of its own",
  installation: "there is one",
  instance: "the copy's own one stands there already",
  organisation: "the copy's own one stands there already",
  subscription: "the copy's own one stands there already",
};

/** Tables in which the same key in another instance would say something true about the first one. */
const ONCE: Readonly<Record<string, string>> = { user_role: "the person would work in both instances" };

/** Texts that people read. Names that things are found by stay the same. */
const MARKED = new Set(
  "display_name displayName description first_name firstName last_name lastName label message subject detail title summary text address user_email target_name model".split(
    " ",
  ),
);
const ID = /\b[0-9a-f]{24}\b/g;

/** @param digit tells copies apart; ids of the copy begin with `ca7` and it. */
export async function copyTenant(
  t: TestApp,
  { from, to, digit }: { from: Place; to: Place; digit: number },
): Promise<TenantCopy> {
  const start = `ca7${digit}`;
  const isSibling = from.organisationId === to.organisationId;
  // Roles belong to the organisation, which both instances share.
  const shared = new Set<string>(isSibling ? await idsOf(t.deps.appPool, "custom_role", from.organisationId) : []);
  const ids: Record<string, string> = { [from.instanceId]: to.instanceId, [from.organisationId]: to.organisationId };
  const newId = (id: string): string => ids[id] ?? (shared.has(id) ? id : `${start}${id.slice(start.length)}`);
  const change = (row: unknown): unknown => changed(row, newId, `canary${digit}`);
  const filled = new Set<string>();
  const columns = isSibling ? ["instance_id"] : ["instance_id", "organisation_id"];
  for (const pool of [t.deps.appPool, t.deps.dataPool]) {
    const rows: TableRows[] = [];
    for (const table of await tablesWith(pool, columns)) {
      if (table.name in NOT_COPIED) continue;
      const own = await rowsOf(pool, table, from);
      // New instances begin with some entities, whose names the copy needs.
      if (table.column === "instance_id")
        await pool.query(`DELETE FROM public.${quoted(table.name)} WHERE instance_id = $1`, [to.instanceId]);
      rows.push({ table: `public.${quoted(table.name)}`, rows: own.map(change) });
      // Where the instance is part of the key, the rest of a key may stand in two instances.
      if (table.key.includes("instance_id") && !(table.name in ONCE)) {
        const sameKey = own.map((row) => ({
          ...(change(row) as object),
          ...Object.fromEntries(table.key.map((column) => [column, (row as Record<string, unknown>)[column]])),
          instance_id: to.instanceId,
        }));
        rows.push({ table: `public.${quoted(table.name)}`, rows: sameKey });
      }
      if (own.length > 0) filled.add(table.name);
    }
    if (isSibling && pool === t.deps.appPool) rows.push(await peopleOf(pool, from, change));
    // Written anew the tenant's own rows lie behind those of an earlier copy and before those of this one: who takes the
    // first one found, or the last, takes a wrong one.
    for (const { name, column, key } of await tablesWith(pool, columns))
      if (key.includes("instance_id") && !(name in NOT_COPIED))
        await pool.query(`UPDATE public.${quoted(name)} SET ${column} = ${column} WHERE ${column} = $1`, [
          from.instanceId,
        ]);
    await insertAll(pool, rows);
  }
  for (const table of await copySchema(t.deps.dataPool, from, to, change)) filled.add(table);
  return { mark: new RegExp(`${start}[0-9a-f]{20}|canary${digit}`), filled };
}

interface Table {
  name: string;
  column: string;
  /** Columns of its primary key. */
  key: string[];
}

interface TableRows {
  table: string;
  rows: unknown[];
}

const quoted = (name: string): string => `"${name}"`;

/** Tables by their tenant's column; the instance's where there are both. */
async function tablesWith(pool: Pool, columns: readonly string[]): Promise<Table[]> {
  const { rows } = await pool.query<Table>(
    `SELECT c.table_name AS name, min(c.column_name) AS column,
            ARRAY(SELECT a.attname::text FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
                   WHERE i.indisprimary AND i.indrelid = format('public.%I', c.table_name)::regclass) AS key
       FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
      WHERE table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.column_name = ANY($1)
      GROUP BY c.table_name ORDER BY 1`,
    [columns],
  );
  return rows;
}

async function rowsOf(pool: Pool, { name, column }: Table, from: Place): Promise<unknown[]> {
  const id = column === "instance_id" ? from.instanceId : from.organisationId;
  const { rows } = await pool.query<{ row: unknown }>(
    `SELECT to_jsonb(t) AS row FROM public.${quoted(name)} t WHERE ${column} = $1`,
    [id],
  );
  return rows.map(({ row }) => row);
}

/** The people who work in an instance, as people of the same organisation who work in the other one. */
async function peopleOf(pool: Pool, from: Place, change: (row: unknown) => unknown): Promise<TableRows> {
  const { rows } = await pool.query<{ row: object }>(
    `SELECT to_jsonb(t) AS row FROM app_user t
      WHERE id IN (SELECT user_id FROM user_role WHERE instance_id = $1)`,
    [from.instanceId],
  );
  const people = rows.map(({ row }) => ({ ...(change(row) as object), org_admin: false, super_admin: false }));
  return { table: "public.app_user", rows: people };
}

/** All at once: tables refer to each other in circles. */
async function insertAll(pool: Pool, tables: readonly TableRows[]): Promise<void> {
  const { rows: constraints } = await pool.query<{ table: string; name: string }>(
    `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name FROM pg_constraint
      WHERE contype = 'f' AND NOT condeferrable AND conparentid = 0`,
  );
  for (const { table, name } of constraints)
    await pool.query(`ALTER TABLE ${table} ALTER CONSTRAINT ${name} DEFERRABLE`);
  const statements = tables.filter(({ rows }) => rows.length > 0);
  await withClient(pool, async (client) => {
    await client.query("BEGIN; SET CONSTRAINTS ALL DEFERRED");
    for (const { table, rows } of statements)
      await client.query(
        `INSERT INTO ${table} OVERRIDING SYSTEM VALUE
         SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1) ON CONFLICT DO NOTHING`,
        [JSON.stringify(rows)],
      );
    await client.query("COMMIT");
  });
}

/** The instance's own schema, tables of records included. Answers the tables that hold rows. */
async function copySchema(pool: Pool, from: Place, to: Place, change: (row: unknown) => unknown): Promise<string[]> {
  const [own, other] = [instanceSchema(from.instanceId), instanceSchema(to.instanceId)];
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
      WHERE relnamespace = $1::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> 'migration'`,
    [quoted(own)],
  );
  const parts: TableRows[] = [];
  const filled: string[] = [];
  for (const { name } of tables) {
    const table = `${quoted(other)}.${quoted(name)}`;
    await pool.query(`CREATE TABLE IF NOT EXISTS ${table} (LIKE ${quoted(own)}.${quoted(name)} INCLUDING ALL)`);
    const { rows } = await pool.query<{ row: unknown }>(
      `SELECT to_jsonb(t) AS row FROM ${quoted(own)}.${quoted(name)} t`,
    );
    await pool.query(`DELETE FROM ${table}`);
    parts.push({ table, rows: rows.map(({ row }) => change(row)) });
    if (rows.length > 0) filled.push(name.startsWith("r_") ? "records" : name);
  }
  await insertAll(pool, parts);
  await passNumbers(pool, other);
  return filled;
}

/** Numbers that tables give out go on behind those that came with the rows. */
async function passNumbers(pool: Pool, schema: string): Promise<void> {
  const { rows } = await pool.query<{ table: string; column: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS table, column_name AS column
       FROM information_schema.columns WHERE table_schema = $1 AND is_identity = 'YES'`,
    [schema],
  );
  for (const { table, column } of rows)
    await pool.query(
      `SELECT setval(pg_get_serial_sequence($1, $2), (SELECT coalesce(max(${column}), 0) + 1 FROM ${table}))`,
      [table, column],
    );
}

/** A row with other ids and marked texts, to any depth. What must be unique everywhere gets the mark as well. */
function changed(value: unknown, newId: (id: string) => string, mark: string, key = ""): unknown {
  if (typeof value === "string") {
    const text = value.replace(ID, newId);
    if (key === "email" || key === "recipient") return `${mark}-${text}`;
    // Two connections never have the same redirect address.
    if (key === "redirect_name") return null;
    if (key === "address" && /^[\w-]{32}$/.test(text)) return `${mark}${text.slice(mark.length)}`;
    return MARKED.has(key) && text !== "" ? `${text} ${mark}` : text;
  }
  if (Array.isArray(value)) return value.map((item) => changed(item, newId, mark));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name.replace(ID, newId), changed(item, newId, mark, name)]),
  );
}

async function idsOf(pool: Pool, table: string, organisationId: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(`SELECT id FROM ${table} WHERE organisation_id = $1`, [
    organisationId,
  ]);
  return rows.map(({ id }) => id);
}
