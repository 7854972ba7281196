/** A fingerprint of everything stored, to prove that a call changed nothing. */
import { createHash } from "node:crypto";
import { instanceSchema, type Pool } from "../../src/platform/db/db.ts";
import { eventually } from "../sync-world/working-world.ts";
import type { Place, TestApp } from "../test-app.ts";

/** Changes with every call by design: when somebody was last seen, how often they tried, what they looked at last. */
const RESTLESS = new Set(["session", "rate_limit", "worker_heartbeat", "idempotency_key", "dashboard_visit"]);

/**
 * Everything in `app`, the records of the given instances (default: the test's own), and which others there are.
 * Not the records of all instances: a test that makes many would pay for each of them each time.
 */
export async function databaseHash(t: TestApp, instanceIds: readonly string[] = [t.instanceId]): Promise<string> {
  const schemas = ["public", ...instanceIds.map(instanceSchema)];
  const [app, data, existing] = await Promise.all([
    hashOf(t.deps.appPool, ["public"]),
    hashOf(t.deps.dataPool, schemas),
    t.deps.dataPool.query("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'i\\_%' ORDER BY 1"),
  ]);
  return createHash("sha256")
    .update(JSON.stringify([app, data, existing.rows]))
    .digest("hex");
}

/**
 * The answer of a call that leaves everything as it is stored. What a paused pipeline leaves behind may still be written
 * meanwhile, so it is asked again; a call that stores anything always is.
 */
export const storingNothing = <Answer>(t: TestApp, ask: () => Promise<Answer>): Promise<Answer> =>
  eventually("a call that leaves everything as it is stored", async () => {
    const before = await databaseHash(t);
    const answer = await ask();
    return (await databaseHash(t)) === before ? { answer } : undefined;
  }).then(({ answer }) => answer);

/**
 * A fingerprint of what one tenant has: its rows of the shared tables, and all but the records of its own schema. What
 * belongs to the organisation counts when `withOrganisation`: two instances of one organisation share it.
 */
export async function tenantHash(
  t: TestApp,
  { instanceId, organisationId }: Place,
  { withOrganisation }: { withOrganisation: boolean },
): Promise<string> {
  const parts = await Promise.all([
    rowsHash(t.deps.appPool, "instance_id", instanceId),
    rowsHash(t.deps.dataPool, "instance_id", instanceId),
    withOrganisation ? rowsHash(t.deps.appPool, "organisation_id", organisationId) : [],
    hashOf(t.deps.dataPool, [instanceSchema(instanceId)], (table) => !table.startsWith("r_")),
  ]);
  return JSON.stringify(parts);
}

/** One hash for each table that has the column, of the rows with this value. */
async function rowsHash(pool: Pool, column: "instance_id" | "organisation_id", value: string): Promise<unknown[]> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND column_name = $1 ORDER BY 1`,
    [column],
  );
  const names = tables.map(({ name }) => name).filter((name) => !RESTLESS.has(name));
  const selects = names.map(
    (name) => `SELECT '${name}' AS name, ${ROWS_HASH} AS hash FROM ${name} t WHERE ${column} = $1`,
  );
  const { rows } = await pool.query(`${selects.join(" UNION ALL ")} ORDER BY 1`, [value]);
  return rows;
}

/** One hash for each table of the schemas. */
async function hashOf(
  pool: Pool,
  schemas: readonly string[],
  isWanted: (table: string) => boolean = () => true,
): Promise<unknown[]> {
  const tables = await pool.query<{ name: string; bare: string }>({
    name: "tables-of-schemas",
    text: `SELECT c.oid::regclass::text AS name, c.relname AS bare FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname = ANY($1) ORDER BY n.nspname, c.relname`,
    values: [schemas],
  });
  const names = tables.rows.filter((row) => !RESTLESS.has(row.bare) && isWanted(row.bare)).map((row) => row.name);
  if (names.length === 0) return [];
  const text = names.map((name) => `SELECT ${ROWS_HASH} AS hash FROM ${name} t`).join(" UNION ALL ");
  // By name, so that each connection plans this long statement once.
  const name = createHash("sha256").update(text).digest("hex").slice(0, 40);
  const hashes = await pool.query<{ hash: string }>({ name, text });
  return hashes.rows.map((row, index) => [names[index], row.hash]);
}

/** Whatever the order of the rows: sorting them would be most of the work. */
const ROWS_HASH = "count(*) || ':' || coalesce(sum(hashtextextended(t::text, 0)), 0)";
