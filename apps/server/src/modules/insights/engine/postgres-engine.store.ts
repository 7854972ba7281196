/** Answers datasets and cards from the instance's own tables in PostgreSQL. */
import type { DataType, Value } from "@accord/contracts/data/values";
import type { PoolClient } from "pg";
import { instanceSchema, type Pool } from "../../../platform/db/db.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { AnalyticsEngine, Answer, Question } from "./analytics-engine.ts";

export interface PostgresEngineOptions {
  /** Longest a statement may run. */
  timeoutMs: number;
  /** Statements at once; the rest of the pool stays free for sync and people. */
  parallel: number;
  /** Memory for one hash or sort; grouping by many keys on disk is several times slower. */
  workMemMb: number;
  /** Statements that may wait for their turn; more are refused. */
  waiting: number;
}

const CANCELLED = "57014";
/** Beginning of the codes of everything a value can be the cause of, such as a product that no number holds. */
const DATA_EXCEPTION = "22";
const UNFIT = { reason: "A formula gives a number that is too large to be kept. Leave such rows out by a filter." };

export function postgresEngine(pool: Pool, options: PostgresEngineOptions): AnalyticsEngine {
  const inTurn = turns(options);

  /** Nothing but reading: the transaction refuses to write, and unqualified names find nothing of ours. */
  const reading = <Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> =>
    inTurn(async () => {
      const client = await pool.connect();
      let broken = true;
      try {
        await client.query(
          `BEGIN READ ONLY; SET LOCAL statement_timeout = ${options.timeoutMs}; SET LOCAL search_path = pg_catalog; SET LOCAL work_mem = '${options.workMemMb}MB'`,
        );
        const result = await work(client);
        await client.query("COMMIT");
        broken = false;
        return result;
      } catch (error) {
        if (codeOf(error) === CANCELLED)
          throw new AppError("query_timeout", { seconds: options.timeoutMs / 1000 }, { cause: error });
        if (codeOf(error).startsWith(DATA_EXCEPTION)) throw new AppError("dataset_invalid", UNFIT, { cause: error });
        throw error;
      } finally {
        client.release(broken);
      }
    });

  return {
    run: ({ statement, columns }: Question): Promise<Answer> =>
      reading(async (client) => {
        const reply = await client.query<Record<string, unknown>>({ text: statement.text, values: statement.params });
        for (const { name, dataType } of columns)
          for (const row of reply.rows) row[name] = toValue(row[name], dataType);
        return { rows: reply.rows as Answer["rows"] };
      }),

    async dataVersion(instanceId, entities) {
      const reply = await pool.query<{ version: string | null }>(
        `SELECT string_agg(concat_ws('.', relid, n_tup_ins, n_tup_upd, n_tup_del), ' ' ORDER BY relid) AS version
         FROM pg_stat_user_tables WHERE schemaname = $1 AND relname = ANY($2::text[])`,
        [instanceSchema(instanceId), entities.map(tableName)],
      );
      return reply.rows[0]?.version ?? "";
    },

    async dataAsOf(instanceId, entities) {
      if (entities.length === 0) return null;
      const schema = instanceSchema(instanceId);
      const parts = entities.map(
        (entity) => `SELECT max(accord_updated_at) AS at FROM "${schema}".${quoted(tableName(entity))}`,
      );
      return reading(async (client) => {
        const reply = await client.query<{ at: string | null }>(
          `SELECT max(at) AS at FROM (${parts.join(" UNION ALL ")}) all_of_them`,
        );
        return reply.rows[0]?.at ?? null;
      });
    },
  };
}

const tableName = (entity: string): string => `r_${entity}`;
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

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

function turns({ parallel, waiting }: Pick<PostgresEngineOptions, "parallel" | "waiting">) {
  let running = 0;
  const queue: (() => void)[] = [];
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running >= parallel) {
      if (queue.length >= waiting) throw new AppError("server_busy");
      await new Promise<void>((resolve) => queue.push(resolve));
    }
    running++;
    try {
      return await work();
    } finally {
      running--;
      queue.shift()?.();
    }
  };
}
