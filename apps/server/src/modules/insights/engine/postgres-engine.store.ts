/** Answers datasets and cards from the instance's own tables in PostgreSQL. */
import type { DataType, Value } from "@accord/contracts/data/values";
import type { PoolClient } from "pg";
import { fairQueue } from "../../../platform/access/fair-queue.ts";
import { TooManyBytesError } from "../../../platform/db/bounded-client.ts";
import { instanceSchema, type Pool } from "../../../platform/db/db.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { AnalyticsEngine, Answer, QueryCaller, Question } from "./analytics-engine.ts";
import { boundCells } from "./bound-cells.ts";
import { boundRows, EXPORT_ROW_LIMITS, type ExportRowLimits, tooLargeRow } from "./bound-rows.ts";
import { countRows, streamBatches } from "./stream-batches.store.ts";
import { describeColumnsOf } from "./describe-columns.store.ts";
import { streamRows } from "./stream-rows.store.ts";
import { DeadlineError, readTransactions } from "./read-transactions.store.ts";
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
  /** Largest row of an export; `EXPORT_ROW_LIMITS` without it. */
  exportRow?: ExportRowLimits;
}

/** Of temporary files, for a statement that somebody wrote. */
const TEMP_MB = 512;
const TEMP_MB_OF_EXPORT = 1_024;

const CANCELLED = "57014";
/** Beginning of the codes of everything a value can be the cause of, such as a product that no number holds. */
const DATA_EXCEPTION = "22";
/** Beginnings of the codes of limits: statements too complex, texts and temporary files too large, no more memory. */
const TOO_LARGE = ["54", "53400", "53200"];
const UNFIT = { reason: "A formula gives a number that is too large to be kept. Leave such rows out by a filter." };
const TOO_COMPLEX = { reason: "This takes more memory or disk space than it may. Filter, or use fewer fields." };

export function postgresEngine(pool: Pool, options: PostgresEngineOptions): AnalyticsEngine {
  const queue = fairQueue({
    maxParallel: options.parallel,
    maxParallelPerLane: options.parallelPerInstance,
    maxWaiting: options.waiting,
  });
  // Of the places of an instance one is left to what nobody wrote, and of all places one to those who write nothing.
  const writtenQueue = fairQueue({
    maxParallel: Math.max(1, options.parallel - 1),
    maxParallelPerLane: Math.max(1, options.parallelPerInstance - 1),
    maxWaiting: options.waiting,
  });
  const begin = readTransactions(pool, {
    workMemMb: options.workMemMb,
    allowsSql: options.allowsSql,
    refusalOf: (error, { text, timeoutMs }) =>
      writtenProblem(error, text) ?? refusalOf(error, { timeoutMs, maxBytes: options.maxBytes }),
  });

  /** Whoever asks is answered in time; the place is free again when the database has left off as well. */
  const reading = <Result>(
    { instanceId, text, caller }: { instanceId: string; text: string; caller: QueryCaller },
    work: (client: PoolClient) => Promise<Result>,
  ): Promise<Result> => {
    const { client: person, signal } = caller;
    const place = { lane: instanceId, client: person, signal };
    const { timeoutMs } = options;
    return new Promise((resolve, reject) => {
      const turn = () =>
        queue.run(place, async () => {
          const { result, ended } = begin(
            { ...{ instanceId, text, signal, timeoutMs, isolation: "READ COMMITTED" }, tempMb: TEMP_MB },
            work,
          );
          result.then(resolve, reject);
          await ended;
        });
      (isWritten(text) ? writtenQueue.run(place, turn) : turn()).catch(reject);
    });
  };

  const answer = ({ instanceId, statement, columns, caller }: Question): Promise<Answer> =>
    reading({ instanceId, text: statement.text, caller }, async (client) => {
      const { rows, bytes } = await streamRows(client, boundCells(statement), options.maxBytes);
      for (const { name, dataType } of columns) for (const row of rows) row[name] = toValue(row[name], dataType);
      return { rows: rows as Answer["rows"], bytes };
    });
  const dataAsOf: AnalyticsEngine["dataAsOf"] = async (instanceId, entities, caller) => {
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
  };

  return {
    async run(question) {
      const { instanceId, entities, caller } = question;
      if (!entities) return answer(question);
      const [found, at] = await Promise.all([answer(question), dataAsOf(instanceId, entities, caller)]);
      return { ...found, dataAsOf: at };
    },

    exportRows: ({ instanceId, statement, signal, timeoutMs, onTotal, onRows }) => {
      const limits = options.exportRow ?? EXPORT_ROW_LIMITS;
      const { text } = statement;
      // One snapshot for both, so that as many rows come as were counted.
      return begin(
        { ...{ instanceId, text, signal, timeoutMs, isolation: "REPEATABLE READ" }, tempMb: TEMP_MB_OF_EXPORT },
        async (client) => {
          onTotal(await countRows(client, statement));
          const progress = { rows: 0 };
          await streamBatches(client, boundRows(statement, limits), onRows, progress).catch((error: unknown) => {
            throw tooLargeRow(error, progress.rows, limits) ?? error;
          });
        },
      ).ended;
    },

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

    dataAsOf,
  };
}

const tableName = (entity: string): string => `r_${entity}`;
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

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
  const isTooLarge = TOO_LARGE.some((start) => code.startsWith(start)) || isTooMuchAtOnce(error);
  if (isTooLarge) return new AppError("dataset_invalid", TOO_COMPLEX, cause);
  if (code.startsWith(DATA_EXCEPTION)) return new AppError("dataset_invalid", UNFIT, cause);
  return error;
}

/** PostgreSQL counts it among its own faults that more than a gigabyte was asked for at once, as some patterns do. */
const isTooMuchAtOnce = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith("invalid memory alloc request size");

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
