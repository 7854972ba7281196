/** Makes PostgreSQL note the changes of records that a mirror holds, and leave off when nobody needs them. */
import type { Client, Pool } from "../../../../platform/db/db.ts";
import { transaction, withClient } from "../../../../platform/db/transaction.ts";
import { takeFromOwners } from "./capture-owner.store.ts";

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

/** What is left after an end of noting changes. */
interface CaptureLeft {
  /** Others write to a table without a pause: to be tried again. */
  isBusy: boolean;
  /** A process that is alive needs the changes of an instance, and sees to their end. */
  isOwned: boolean;
}

/**
 * False while others write to the table without a pause: to be tried again. Making a trigger waits for all transactions
 * that write, so that whatever is committed later is noted, and what was before is in each snapshot from now on. They fire
 * ALWAYS: also in sessions whose `session_replication_role` is `replica`, as tools that restore or copy data have.
 */
export async function startCapture(pool: Pool, schema: string, table: string): Promise<boolean> {
  const on = `${quoted(schema)}.${quoted(table)}`;
  const statements = EVENTS.map(
    ({ event, name, changed }) =>
      `CREATE OR REPLACE TRIGGER ${name} AFTER ${event} ON ${on} REFERENCING ${changed} TABLE AS changed
       FOR EACH STATEMENT EXECUTE FUNCTION accord_analytics.capture_changes()`,
  );
  const always = EVENTS.map(({ name }) => `ENABLE ALWAYS TRIGGER ${name}`).join(", ");
  return unlessBusy(pool, async (client) => {
    await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    for (const statement of statements) await client.query(statement);
    await client.query(`ALTER TABLE ${on} ${always}`);
  });
}

async function unlessBusy(pool: Pool, work: (client: Client) => Promise<void>): Promise<boolean> {
  try {
    await transaction(pool, ({ client }) => work(client));
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

/** Instances some of whose tables are noted, whoever began it. */
export async function capturedSchemas(pool: Pool): Promise<string[]> {
  return [...new Set((await capturedTables(pool, null)).map(({ schema }) => schema))];
}

/** Ends it for one instance, or for all, but for those that some process mirrors. */
export async function stopCapture(pool: Pool, only: string | null = null): Promise<CaptureLeft> {
  const left: CaptureLeft = { isBusy: false, isOwned: false };
  const ended = new Set<string>();
  for (const { schema, table } of await capturedTables(pool, only)) {
    const on = `${quoted(schema)}.${quoted(table)}`;
    const isFree = await unlessBusy(pool, async (client) => {
      // Held until the triggers are gone: whoever begins to mirror meanwhile waits, and makes its own.
      if (!(await takeFromOwners(client, schema))) {
        left.isOwned = true;
        return;
      }
      await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
      for (const { name } of EVENTS) await client.query(`DROP TRIGGER IF EXISTS ${name} ON ${on}`);
      ended.add(schema);
    });
    left.isBusy ||= !isFree;
  }
  for (const schema of ended) await prune(pool, schema, 0);
  return left;
}

/**
 * Removes changes that each mirror in use has taken in; one that has not copies its tables anew. Not those of transactions
 * that are not older than all that are open: a copy of this moment would count as too old for them.
 */
export async function prune(pool: Pool, schema: string, minutes = KEEP_MINUTES): Promise<void> {
  const of = quoted(schema);
  await withClient(pool, (client) =>
    client.query(
      `WITH removed AS (
         DELETE FROM ${of}.mirror_change WHERE at <= now() - $1 * interval '1 minute'
           AND xid < pg_snapshot_xmin(pg_current_snapshot())
         RETURNING relation, xid
       )
       INSERT INTO ${of}.mirror_pruned AS p (relation, through)
       SELECT relation, max(xid) FROM removed GROUP BY relation
       ON CONFLICT (relation) DO UPDATE SET through = greatest(p.through, EXCLUDED.through)`,
      [minutes],
    ),
  );
}

/** Removes what a restored dump brought along: numbers of another database, which no snapshot of this one gets past. */
export async function pruneForeign(pool: Pool, schema: string): Promise<void> {
  for (const [table, xid] of [
    ["mirror_change", "xid"],
    ["mirror_pruned", "through"],
  ])
    await pool.query(
      `DELETE FROM ${quoted(schema)}.${table} m WHERE m.${xid} >= pg_snapshot_xmax(pg_current_snapshot())
       OR NOT EXISTS (SELECT FROM pg_class c WHERE c.oid = m.relation)`,
    );
}
