/** Answers datasets and cards from the instance's own tables in PostgreSQL. */
import type { DataType, Value } from "@accord/contracts/data/values";
import pg, { type PoolClient } from "pg";
import { fairQueue } from "../../../platform/access/fair-queue.ts";
import { TooManyBytesError } from "../../../platform/db/bounded-client.ts";
import { instanceSchema, type Pool } from "../../../platform/db/db.ts";
import { ensureReader, readerRole } from "../../../platform/db/reader-roles.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { AnalyticsEngine, Answer, QueryCaller, Question } from "./analytics-engine.ts";
import { boundCells } from "./bound-cells.ts";
import { boundRows, withinBounds } from "./bound-rows.ts";
import { countRows, streamBatches } from "./stream-batches.store.ts";
import { describeColumnsOf } from "./describe-columns.store.ts";
import { streamRows } from "./stream-rows.store.ts";
import { demandSqlMode } from "./sql-switch.ts";
import { isWritten, writtenProblem } from "./written-errors.ts";

export interface PostgresEngineOptions {
  /** Longest a question may take, from its first statement to its last row. */
  timeoutMs: number;
  /** Statements at once; the rest of the pool stays free for sync and people. */
  parallel: number;
  /** Of them, statements of one instance: what one asks never keeps the others from being answered. */
  parallelPerInstance: number;
  /** Memory for one hash or sort; grouping by many keys on disk is several times slower. */
  workMemMb: number;
  /** Statements of one instance that may wait for their turn; more are refused. */
  waiting: number;
  /** Most an answer may hold. */
  maxBytes: number;
  /** Whether statements that people wrote may run. */
  allowsSql: boolean;
}

interface ReadOptions {
  instanceId: string;
  /** The statement that is run. */
  text: string;
  signal: AbortSignal;
  timeoutMs: number;
  isolation: "READ COMMITTED" | "REPEATABLE READ";
}

const CANCELLED = "57014";
/** Beginning of the codes of everything a value can be the cause of, such as a product that no number holds. */
const DATA_EXCEPTION = "22";
/** Beginnings of the codes of limits: statements too complex, texts and temporary files too large, no more memory. */
const TOO_LARGE = ["54", "53400", "53200"];
/** Tables of hashes that processes share are in memory which no limit of a process counts. */
const OF_WRITTEN = "; SET LOCAL enable_parallel_hash = off";
const UNFIT = { reason: "A formula gives a number that is too large to be kept. Leave such rows out by a filter." };
const NO_READERS = {
  reason:
    "Statements in SQL can't run: the server's role in the database may not make roles, which keep instances apart. An administrator can run ALTER ROLE … CREATEROLE.",
};
const TOO_COMPLEX = { reason: "This takes more memory or disk space than it may. Filter, or use fewer fields." };

export function postgresEngine(pool: Pool, options: PostgresEngineOptions): AnalyticsEngine {
  const queue = fairQueue({
    maxParallel: options.parallel,
    maxParallelPerLane: options.parallelPerInstance,
    maxWaiting: options.waiting,
  });
  const roles = new Map<string, Promise<string | null>>();

  /** The role that sees this instance alone; null where the database's owner may not make roles. */
  const roleOf = (instanceId: string): Promise<string | null> => {
    const known =
      roles.get(instanceId) ?? ensureReader(pool, instanceId).then((is) => (is ? readerRole(instanceId) : null));
    roles.set(instanceId, known);
    known.catch(() => roles.delete(instanceId));
    return known;
  };

  /** Nothing but reading, and of this instance only: the transaction refuses to write, and unqualified names find nothing of ours. */
  async function inTransaction<Result>(
    { instanceId, text, signal, timeoutMs, isolation }: ReadOptions,
    work: (client: PoolClient) => Promise<Result>,
  ): Promise<Result> {
    if (isWritten(text)) demandSqlMode(options.allowsSql);
    const role = await roleOf(instanceId);
    if (role === null && isWritten(text)) throw new AppError("dataset_invalid", NO_READERS);
    const client = await pool.connect();
    let broken = true;
    try {
      signal.throwIfAborted();
      const run = async (): Promise<Result> => {
        await client.query(
          `BEGIN ISOLATION LEVEL ${isolation} READ ONLY; SET LOCAL statement_timeout = ${timeoutMs}; SET LOCAL search_path = pg_catalog; SET LOCAL standard_conforming_strings = on; SET LOCAL work_mem = '${options.workMemMb}MB'${isWritten(text) ? OF_WRITTEN : ""}${role === null ? "" : `; SET LOCAL ROLE ${role}`}`,
        );
        const result = await work(client);
        await client.query("COMMIT");
        return result;
      };
      const result = await before(timeoutMs, signal, run());
      broken = false;
      return result;
    } catch (error) {
      // What still runs would hold its place in the database: nobody waits for it any more.
      if (!(error instanceof pg.DatabaseError)) await cancel(client);
      throw writtenProblem(error, text) ?? refusalOf(error, { timeoutMs, maxBytes: options.maxBytes });
    } finally {
      client.release(broken);
    }
  }

  const reading = <Result>(
    { instanceId, text, caller }: { instanceId: string; text: string; caller: QueryCaller },
    work: (client: PoolClient) => Promise<Result>,
  ): Promise<Result> => {
    const { client: person, signal } = caller;
    return queue.run({ lane: instanceId, client: person, signal }, () =>
      inTransaction({ instanceId, text, signal, timeoutMs: options.timeoutMs, isolation: "READ COMMITTED" }, work),
    );
  };

  const cancel = async (client: PoolClient): Promise<void> => {
    const processId = "processID" in client ? client.processID : null;
    await pool.query("SELECT pg_cancel_backend($1)", [processId]).catch(() => {});
  };

  return {
    run: ({ instanceId, statement, columns, caller }: Question): Promise<Answer> =>
      reading({ instanceId, text: statement.text, caller }, async (client) => {
        const { rows, bytes } = await streamRows(client, boundCells(statement), options.maxBytes);
        for (const { name, dataType } of columns) for (const row of rows) row[name] = toValue(row[name], dataType);
        return { rows: rows as Answer["rows"], bytes };
      }),

    exportRows: ({ instanceId, statement, signal, timeoutMs, onTotal, onRows }) =>
      // One snapshot for both, so that as many rows come as were counted.
      inTransaction(
        { instanceId, text: statement.text, signal, timeoutMs, isolation: "REPEATABLE READ" },
        async (client) => {
          onTotal(await countRows(client, statement));
          await streamBatches(client, boundRows(statement), withinBounds(onRows));
        },
      ),

    describe: ({ instanceId, statement, caller }) =>
      reading({ instanceId, text: statement.text, caller }, (client) => describeColumnsOf(client, statement)),

    async dataVersion(instanceId, entities) {
      const reply = await pool.query<{ version: string | null }>(
        `SELECT string_agg(concat_ws('.', relid, n_tup_ins, n_tup_upd, n_tup_del), ' ' ORDER BY relid) AS version
         FROM pg_stat_user_tables WHERE schemaname = $1 AND relname = ANY($2::text[])`,
        [instanceSchema(instanceId), entities.map(tableName)],
      );
      return reply.rows[0]?.version ?? "";
    },

    async dataAsOf(instanceId, entities, caller) {
      if (entities.length === 0) return null;
      const schema = instanceSchema(instanceId);
      const parts = entities.map(
        (entity) => `SELECT max(accord_updated_at) AS at FROM "${schema}".${quoted(tableName(entity))}`,
      );
      const text = `SELECT max(at) AS at FROM (${parts.join(" UNION ALL ")}) all_of_them`;
      return reading({ instanceId, text, caller }, async (client) => {
        const reply = await client.query<{ at: string | null }>(text);
        return reply.rows[0]?.at ?? null;
      });
    },
  };
}

const tableName = (entity: string): string => `r_${entity}`;
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

class DeadlineError extends Error {}

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

function refusalOf(
  error: unknown,
  { timeoutMs, maxBytes }: Pick<PostgresEngineOptions, "timeoutMs" | "maxBytes">,
): unknown {
  const code = codeOf(error);
  const cause = { cause: error };
  if (code === CANCELLED || error instanceof DeadlineError)
    return new AppError("query_timeout", { seconds: timeoutMs / 1000 }, cause);
  if (error instanceof TooManyBytesError)
    return new AppError("answer_too_large", { limit: `${Math.round(maxBytes / 1_000_000)} MB` });
  if (TOO_LARGE.some((start) => code.startsWith(start))) return new AppError("dataset_invalid", TOO_COMPLEX, cause);
  if (code.startsWith(DATA_EXCEPTION)) return new AppError("dataset_invalid", UNFIT, cause);
  return error;
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

/** Sums of whole numbers arrive as exact text, because they may be larger than a number holds. */
function toValue(value: unknown, dataType: DataType): Value {
  if (value === null || value === undefined) return null;
  if ((dataType === "integer" || dataType === "double") && typeof value === "string") {
    const number = Number(value);
    return dataType === "double" || Number.isSafeInteger(number) ? number : value;
  }
  return value as Value;
}
