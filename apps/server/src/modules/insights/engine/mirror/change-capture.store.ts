/** Makes PostgreSQL note the changes of records that a mirror holds, and leave off when nobody needs them. */
import type { Client, Pool } from "../../../../platform/db/db.ts";
import { transaction, withClient } from "../../../../platform/db/transaction.ts";

/** Whoever writes records waits no longer for a trigger to be made or dropped. */
const LOCK_TIMEOUT_MS = 150;
const LOCK_NOT_AVAILABLE = "55P03";
const KEEP_MINUTES = 10;

const EVENTS = [
  { event: "INSERT", name: "accord_mirror_insert", changed: "NEW" },
  { event: "UPDATE", name: "accord_mirror_update", changed: "NEW" },
  { event: "DELETE", name: "accord_mirror_delete", changed: "OLD" },
] as const;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const isBusy = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === LOCK_NOT_AVAILABLE;

/**
 * False while others write to the table without a pause: to be tried again. Making a trigger waits for all transactions
 * that write, so that whatever is committed later is noted, and what was before is in each snapshot from now on.
 */
export async function startCapture(pool: Pool, schema: string, table: string): Promise<boolean> {
  const on = `${quoted(schema)}.${quoted(table)}`;
  const statements = EVENTS.map(
    ({ event, name, changed }) =>
      `CREATE OR REPLACE TRIGGER ${name} AFTER ${event} ON ${on} REFERENCING ${changed} TABLE AS changed
       FOR EACH STATEMENT EXECUTE FUNCTION accord_analytics.capture_changes()`,
  );
  return unlessBusy(pool, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
}

async function unlessBusy(pool: Pool, work: (client: Client) => Promise<void>): Promise<boolean> {
  try {
    await transaction(pool, async ({ client }) => {
      await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
      await work(client);
    });
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

/** Tables that are still noted; null: of all instances. */
async function capturedTables(pool: Pool, schema: string | null): Promise<{ schema: string; table: string }[]> {
  const { rows } = await pool.query<{ schema: string; table: string }>(
    `SELECT DISTINCT n.nspname AS schema, c.relname AS "table" FROM pg_trigger t
     JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE t.tgname LIKE 'accord\\_mirror\\_%' AND NOT t.tgisinternal AND n.nspname = coalesce($1, n.nspname)`,
    [schema],
  );
  return rows;
}

/** Ends it for one instance, or for all. False while some table is busy. */
export async function stopCapture(pool: Pool, only: string | null = null): Promise<boolean> {
  let isDone = true;
  const schemas = new Set<string>();
  for (const { schema, table } of await capturedTables(pool, only)) {
    schemas.add(schema);
    const on = `${quoted(schema)}.${quoted(table)}`;
    const isFree = await unlessBusy(pool, async (client) => {
      for (const { name } of EVENTS) await client.query(`DROP TRIGGER IF EXISTS ${name} ON ${on}`);
    });
    isDone &&= isFree;
  }
  for (const schema of schemas) await prune(pool, schema, 0);
  return isDone;
}

/** Removes changes that each mirror in use has taken in; one that has not copies its tables anew. */
export async function prune(pool: Pool, schema: string, minutes = KEEP_MINUTES): Promise<void> {
  const of = quoted(schema);
  await withClient(pool, (client) =>
    client.query(
      `WITH removed AS (
         DELETE FROM ${of}.mirror_change WHERE at <= now() - $1 * interval '1 minute' RETURNING relation, xid
       )
       INSERT INTO ${of}.mirror_pruned AS p (relation, through)
       SELECT relation, max(xid) FROM removed GROUP BY relation
       ON CONFLICT (relation) DO UPDATE SET through = greatest(p.through, EXCLUDED.through)`,
      [minutes],
    ),
  );
}
