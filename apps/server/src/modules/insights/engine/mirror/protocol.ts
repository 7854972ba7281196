/** What the server and the process of the mirror say to each other. Both are ours and of one version: nothing is parsed. */
import type { MirrorColumn } from "@accord/analytics-engine";

export interface MirrorLimits {
  /** Memory of DuckDB for one instance, in MB. */
  memoryMb: number;
  /** Of the file and the temporary files of one instance, in MB each. */
  diskMb: number;
  threads: number;
  /** Instances whose mirrors are open at once; of the others the least used one is dropped. */
  instances: number;
  /** Groups of one answer. */
  maxGroups: number;
}

export interface MirrorQuestion {
  schema: string;
  text: string;
  params: string[];
  /** Tables with the columns that are read. */
  reads: { table: string; columns: MirrorColumn[] }[];
  /** Tables whose last change is asked for. */
  ages: string[];
  /** PostgreSQL answers after this. */
  timeoutMs: number;
}

/** Why PostgreSQL has to answer. */
export type Refusal =
  | "small"
  | "building"
  | "behind"
  | "column_unfit"
  | "too_many_groups"
  | "disk_limit"
  | "failed"
  | "unavailable"
  | "late";

export interface MirrorAnswer {
  /** One list a column, of texts. */
  columns: (string | null)[][];
  /** When a record of `ages` was last written, as ISO text. */
  dataAsOf: string | null;
}

/**
 * Why a copy could not be made: DuckDB's memory, its files, PostgreSQL, writers that leave no gap to note their changes, or
 * something that the log alone says.
 */
export type CopyProblem = "memory" | "files" | "database" | "busy" | "other";

export interface MirroredTable {
  schema: string;
  table: string;
  /** `behind`: so much has changed that PostgreSQL answers until it is taken in. */
  state: "building" | "ready" | "behind" | "disk_limit" | "failed";
  /** In the copy, or copied so far. */
  records: number;
  /** Columns of the copy that hold a value which it can't keep exactly: PostgreSQL answers what reads them. */
  unfit: string[];
  /** Milliseconds since the copy had all that was committed; null without a copy. */
  freshForMs: number | null;
  /** Why there is no copy yet; with a copy, why there is none yet that has more columns. */
  problem: CopyProblem | null;
}

export type ToMirror =
  | { type: "start"; url: string; folder: string; limits: MirrorLimits }
  | { type: "ask"; id: number; question: MirrorQuestion }
  /** Nobody waits for the answer any more. */
  | { type: "cancel"; id: number }
  /** Answered at once, whatever DuckDB does. */
  | { type: "ping" };

export type FromMirror =
  | { type: "ready" }
  | { type: "pong" }
  | { type: "answer"; id: number; answer: MirrorAnswer }
  | { type: "refusal"; id: number; reason: Refusal }
  | { type: "log"; level: "info" | "warn"; facts: Record<string, unknown>; message: string }
  /** `files`: what the copies of each schema take of the disk. */
  | { type: "tables"; tables: MirroredTable[]; files: { schema: string; bytes: number }[] };
