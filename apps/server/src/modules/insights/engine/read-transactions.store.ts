/** Runs one statement in a transaction that only reads, as the role of its instance, and sees to it that it ends. */
import { setTimeout as sleep } from "node:timers/promises";
import pg, { type PoolClient } from "pg";
import type { Pool } from "../../../platform/db/db.ts";
import { ensureReader, readerRole } from "../../../platform/db/reader-roles.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { demandSqlMode } from "./sql-switch.ts";
import { isWritten } from "./written-errors.ts";

export interface ReadOptions {
  instanceId: string;
  /** The statement that is run. */
  text: string;
  signal: AbortSignal;
  timeoutMs: number;
  /** What a statement that somebody wrote may take of the disk. */
  tempMb: number;
  isolation: "READ COMMITTED" | "REPEATABLE READ";
}

interface ReadSettings {
  /** Memory for one hash or sort. */
  workMemMb: number;
  /** Whether statements that people wrote may run. */
  allowsSql: boolean;
  /** What is thrown for an error of the database, a `DeadlineError`, or one of `work`. */
  refusalOf(error: unknown, of: ReadOptions): unknown;
}

export interface Reading<Result> {
  result: Promise<Result>;
  /** When the database works on it no more. Fails as `result` does. */
  ended: Promise<Result>;
}

export class DeadlineError extends Error {}

const NO_READERS = {
  reason:
    "Statements in SQL can't run: the server's role in the database may not make roles, which keep instances apart. An administrator can run ALTER ROLE … CREATEROLE.",
};
/**
 * Of a statement that somebody wrote: one process works on it. Several would each take as much memory and disk, and tables of
 * hashes that they share are in memory which no limit of a process counts.
 */
const OF_WRITTEN = "; SET LOCAL max_parallel_workers_per_gather = 0; SET LOCAL enable_parallel_hash = off";
/** How often it is looked whether a process of the database has left off. */
const LOOK_MS = [20, 50, 100, 200, 500];

export function readTransactions(pool: Pool, { workMemMb, allowsSql, refusalOf }: ReadSettings) {
  const roles = new Map<string, Promise<string | null>>();
  let mayLimitFiles: Promise<boolean> | undefined;

  /** The role that sees this instance alone; null where the database's owner may not make roles. */
  const roleOf = (instanceId: string): Promise<string | null> => {
    const known =
      roles.get(instanceId) ?? ensureReader(pool, instanceId).then((is) => (is ? readerRole(instanceId) : null));
    roles.set(instanceId, known);
    known.catch(() => roles.delete(instanceId));
    return known;
  };

  /** Nothing but reading, and of this instance only: the transaction refuses to write, and unqualified names find nothing of ours but what bounds written SQL. */
  async function beginning(of: ReadOptions, role: string | null): Promise<string> {
    const written = isWritten(of.text)
      ? `${OF_WRITTEN}${(await (mayLimitFiles ??= mayLimit(pool))) ? `; SET LOCAL temp_file_limit = '${of.tempMb}MB'` : ""}`
      : "";
    return `BEGIN ISOLATION LEVEL ${of.isolation} READ ONLY; SET LOCAL statement_timeout = ${of.timeoutMs}; SET LOCAL search_path = ${isWritten(of.text) ? "accord_written, " : ""}pg_catalog; SET LOCAL standard_conforming_strings = on; SET LOCAL work_mem = '${workMemMb}MB'${written}${role === null ? "" : `; SET LOCAL ROLE ${role}`}`;
  }

  async function run<Result>(
    of: ReadOptions,
    work: (client: PoolClient) => Promise<Result>,
    leave: (stillRunning: Promise<void>) => void,
  ): Promise<Result> {
    const { instanceId, text, signal, timeoutMs } = of;
    if (isWritten(text)) demandSqlMode(allowsSql);
    const role = await roleOf(instanceId);
    if (role === null && isWritten(text)) throw new AppError("dataset_invalid", NO_READERS);
    const begin = await beginning(of, role);
    const client = await pool.connect();
    let broken = true;
    try {
      signal.throwIfAborted();
      const inTime = async (): Promise<Result> => {
        await client.query(begin);
        const result = await work(client);
        await client.query("COMMIT");
        return result;
      };
      const result = await before(timeoutMs, signal, inTime());
      broken = false;
      return result;
    } catch (error) {
      // What still runs would hold its place in the database: nobody waits for it any more.
      if (!(error instanceof pg.DatabaseError)) leave(endOf(pool, client));
      throw refusalOf(error, of);
    } finally {
      client.release(broken);
    }
  }

  return <Result>(of: ReadOptions, work: (client: PoolClient) => Promise<Result>): Reading<Result> => {
    let stillRunning = Promise.resolve();
    const result = run(of, work, (running) => (stillRunning = running));
    const ended = result.finally(() => stillRunning);
    // Whoever takes one of both learns of it.
    ended.catch(() => {});
    return { result, ended };
  };
}

/**
 * Cancels what the connection works on, and waits until its process is gone: within one step that looks for nothing. Again
 * and again, for what is cancelled between two statements goes on with the next one.
 */
async function endOf(pool: Pool, client: PoolClient): Promise<void> {
  let began: string | undefined;
  try {
    for (let look = 0; ; look += 1) {
      const { rows } = await pool.query<{ began: string }>(
        `SELECT backend_start::text AS began, CASE WHEN state = 'active' THEN pg_cancel_backend(pid) END
         FROM pg_stat_activity WHERE pid = $1 AND backend_start::text = coalesce($2, backend_start::text)`,
        ["processID" in client ? client.processID : null, began],
      );
      if (!rows[0]) return;
      began = rows[0].began;
      await sleep(LOOK_MS[Math.min(look, LOOK_MS.length - 1)]);
    }
  } catch {
    // The database can't be reached, and runs nothing for us then.
  }
}

/** The embedded PostgreSQL lets the server do so, from version 15 on an operator can. */
async function mayLimit(pool: Pool): Promise<boolean> {
  const { rows } = await pool
    .query<{ may: boolean }>("SELECT has_parameter_privilege('temp_file_limit', 'SET') AS may")
    .catch(() => ({ rows: [] }));
  return rows[0]?.may ?? false;
}

/**
 * Throws `DeadlineError` when it takes longer, for the database counts only its own time, not that of sending the rows;
 * throws the signal's reason when that is aborted.
 */
async function before<Result>(timeoutMs: number, signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  let abort = () => {};
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DeadlineError("the question took too long")), timeoutMs);
    abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}
