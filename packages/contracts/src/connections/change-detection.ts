/** How changes of an entity are found: decided by its connector in one place, shown on its page and at a pipeline's source. */
import { z } from "zod";

export const CHANGE_DETECTION_METHODS = [
  /** The database's log says which rows changed. */
  "replication",
  /** Rows written since, by an index of the watermark and, now and then, by reading the table through. */
  "indexedWatermark",
  /** Rows written since; the table's counters say when it has to be read through. */
  "counters",
  /** Rows written since, by reading the table through whenever anything was written in the database. */
  "tableScan",
  /** Records whose time stamp is later than the last one read. */
  "watermark",
  /** The system posts what changed. */
  "posts",
  /** All records are read and compared. */
  "comparison",
] as const;
export const ChangeDetectionMethod = z.enum(CHANGE_DETECTION_METHODS);
export type ChangeDetectionMethod = z.infer<typeof ChangeDetectionMethod>;

/** What keeps a table from being read by logical replication. */
export const REPLICATION_PROBLEMS = [
  "notATable",
  "standby",
  "walLevel",
  "role",
  "replicaIdentity",
  "publication",
  "noFreeSlot",
] as const;
export const ReplicationProblem = z.enum(REPLICATION_PROBLEMS);
export type ReplicationProblem = z.infer<typeof ReplicationProblem>;

export const ChangeDetection = z.strictObject({
  method: ChangeDetectionMethod,
  /** Bytes of the table's rows; null where there is no table. */
  tableBytes: z.number().nullable(),
  /** null where the system knows no logical replication. `sql` removes the problem, run by somebody who may. */
  replication: z
    .strictObject({ isOn: z.boolean(), problem: ReplicationProblem.nullable(), sql: z.string().nullable() })
    .nullable(),
});
export type ChangeDetection = z.infer<typeof ChangeDetection>;
