/** What the server asks of a database that answers datasets and cards. PostgreSQL is one; a columnar one fits behind it. */
import type { Statement } from "@accord/analytics-engine";
import type { Id } from "@accord/contracts";
import type { DataType, Value } from "@accord/contracts/data/values";
import type { Ctx } from "../../../platform/ctx.ts";

export interface AnalyticsEngine {
  /**
   * Runs one generated statement on an instance's data: read-only, limited in time, in bytes and in statements at once.
   * Instances take turns, and within an instance its people. Longer texts are cut, and end with an ellipsis.
   * @throws AppError `query_timeout`, `server_busy`, `answer_too_large`, `dataset_invalid`; the signal's reason
   */
  run(question: Question): Promise<Answer>;
  /**
   * Hands all rows of a statement on as they come, in bounded memory: the database waits while `onRows` works, and rows that
   * are too large never leave it. Nothing is cut. Not counted among the statements at once: whoever exports limits how many run.
   * @throws AppError `query_timeout`, `dataset_invalid`; TooLargeRowError; the signal's reason; what `onRows` throws
   */
  exportRows(question: ExportQuestion): Promise<void>;
  /**
   * Which columns a written statement gives. Nothing of it is run.
   * @throws WrittenSqlError for what PostgreSQL refuses; AppError `query_timeout`, `server_busy`
   */
  describe(question: Omit<Question, "columns" | "entities">): Promise<DescribedColumn[]>;
  /** Changes whenever records of these entities may have changed; for cache keys. */
  dataVersion(instanceId: Id<"instance">, entities: readonly string[]): Promise<string>;
  /** When a record of these entities was last written; null when there is none. */
  dataAsOf(instanceId: Id<"instance">, entities: readonly string[], caller: QueryCaller): Promise<string | null>;
}

export interface DescribedColumn {
  name: string;
  /** Its PostgreSQL type, as `format_type` writes it: `numeric`, `timestamp with time zone`. */
  type: string;
  /** The table and column whose values it hands on as they are. */
  source: { table: string; column: string } | null;
}

/** For whom a statement runs. */
export interface QueryCaller {
  /** Whose turn it is within the instance: a person, or a share. */
  client: string;
  /** Ends the statement, waiting or running. */
  signal: AbortSignal;
}

/** The person who calls, until they leave. */
export const queryCaller = (ctx: Pick<Ctx, "actor" | "exchange">): QueryCaller => ({
  client: ctx.actor.userId,
  signal: ctx.exchange.signal,
});

export interface Question {
  instanceId: Id<"instance">;
  statement: Statement;
  columns: readonly { name: string; dataType: DataType }[];
  /** Entities whose last change the answer states, no later than what it has seen. */
  entities?: readonly string[];
  caller: QueryCaller;
}

/** Values as PostgreSQL writes them as text, to the last digit; times in UTC. */
export type RawRow = (string | null)[];

export interface ExportQuestion {
  instanceId: Id<"instance">;
  statement: Statement;
  signal: AbortSignal;
  /** Longest it may take, from its first statement to its last row. */
  timeoutMs: number;
  /** How many rows will come, before the first of them; null where counting takes too long. */
  onTotal: (total: number | null) => void;
  /** `types`: the PostgreSQL types of the columns, as object ids. */
  onRows: (rows: RawRow[], types: readonly number[]) => Promise<void>;
}

export interface Answer {
  rows: { [column: string]: Value }[];
  /** About what the rows take in memory and on the wire. */
  bytes: number;
  /** When a record of the question's `entities` was last written; null when there is none. */
  dataAsOf?: string | null;
}
