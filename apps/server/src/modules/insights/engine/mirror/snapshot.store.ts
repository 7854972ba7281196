/**
 * Reads of one moment. Whoever wants to change a table waits for those who read it, and everybody else behind them: such a
 * read gives way as soon as somebody waits for it, and ends after a while by itself.
 */
import type { PoolClient } from "pg";
import type { Pool } from "../../../../platform/db/db.ts";
import { withClient } from "../../../../platform/db/transaction.ts";

/** The read was ended, or could not begin, because somebody else needs the table, or nobody needs the read any more. */
export class GaveWayError extends Error {
  override readonly name = "GaveWayError";
}

interface SnapshotOptions {
  schema: string;
  tables: readonly string[];
  maxMs: number;
  /** Nobody needs it any more. */
  isOver(): boolean;
}

interface OpenSnapshot {
  client: PoolClient;
  /** What is not visible in it happens later. */
  snapshot: string;
}

const LOCK_TIMEOUT_MS = 500;
const LOOK_MS = 1_000;
const LOCK_NOT_AVAILABLE = "55P03";

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Everything that `work` reads is of one moment. */
export const inSnapshot = <Result>(
  pool: Pool,
  options: SnapshotOptions,
  work: (open: OpenSnapshot) => Promise<Result>,
): Promise<Result> =>
  withClient(pool, async (client) => {
    const tables = options.tables.map((table) => `${quoted(options.schema)}.${quoted(table)}`).join(", ");
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    // Before the snapshot: a TRUNCATE between the two would show an empty table in a snapshot that has its records.
    await client.query(`LOCK TABLE ${tables} IN ACCESS SHARE MODE`).catch((error: unknown) => {
      throw isLocked(error) ? new GaveWayError("somebody else changes the table") : error;
    });
    const { rows } = await client.query<{ now: string; pid: number }>(
      "SELECT pg_current_snapshot()::text AS now, pg_backend_pid() AS pid",
    );
    const watch = giveWay(pool, rows[0]?.pid ?? 0, options);
    let result: Result;
    try {
      result = await work({ client, snapshot: rows[0]?.now ?? "" });
      await client.query("COMMIT");
    } catch (error) {
      throw (await watch.stop()) ?? error;
    }
    // Its connection is somebody else's afterwards, unless it was ended.
    const ended = await watch.stop();
    if (ended) throw ended;
    return result;
  });

const isLocked = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === LOCK_NOT_AVAILABLE;

/** Ends the connection `pid` as soon as somebody waits for it or its time is over; `stop` says why it did. */
function giveWay(pool: Pool, pid: number, { maxMs, isOver }: SnapshotOptions) {
  const endAt = performance.now() + maxMs;
  let ended: GaveWayError | null = null;
  let looking: Promise<void> | null = null;
  let isStopped = false;

  async function reasonToEnd(): Promise<string | null> {
    if (isOver()) return "the mirror is closed";
    if (performance.now() > endAt) return `it took longer than ${Math.round(maxMs / 1_000)} s`;
    const { rows } = await pool.query<{ is_awaited: boolean }>(
      "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND $1 = ANY (pg_blocking_pids(pid))) AS is_awaited",
      [pid],
    );
    return rows[0]?.is_awaited ? "somebody else waits for the table" : null;
  }

  async function look(): Promise<void> {
    const reason = await reasonToEnd();
    if (reason === null || isStopped) return;
    ended = new GaveWayError(reason);
    // Not only its statement: that may be waiting for us to take its rows.
    await pool.query("SELECT pg_terminate_backend($1)", [pid]);
  }

  const timer = setInterval(() => {
    looking ??= look()
      .catch(() => {})
      .finally(() => (looking = null));
  }, LOOK_MS);
  return {
    async stop(): Promise<GaveWayError | null> {
      isStopped = true;
      clearInterval(timer);
      await looking;
      return ended;
    },
  };
}
