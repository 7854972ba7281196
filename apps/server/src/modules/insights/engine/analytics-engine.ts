/** What the server asks of a database that answers datasets and cards. PostgreSQL is one; a columnar one fits behind it. */
import type { Statement } from "@accord/analytics-engine";
import type { Id } from "@accord/contracts";
import type { DataType, Value } from "@accord/contracts/data/values";

export interface AnalyticsEngine {
  /**
   * Runs one generated statement on an instance's data: read-only, limited in time, in bytes and in statements at once.
   * Longer texts are cut, and end with an ellipsis.
   * @throws AppError `query_timeout`, `server_busy`, `answer_too_large`, `dataset_invalid`
   */
  run(question: Question): Promise<Answer>;
  /** Changes whenever records of these entities may have changed; for cache keys. */
  dataVersion(instanceId: Id<"instance">, entities: readonly string[]): Promise<string>;
  /** When a record of these entities was last written; null when there is none. */
  dataAsOf(instanceId: Id<"instance">, entities: readonly string[]): Promise<string | null>;
}

export interface Question {
  instanceId: Id<"instance">;
  statement: Statement;
  columns: readonly { name: string; dataType: DataType }[];
}

export interface Answer {
  rows: { [column: string]: Value }[];
  /** About what the rows take in memory and on the wire. */
  bytes: number;
}
