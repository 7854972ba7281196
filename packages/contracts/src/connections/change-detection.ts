/** How changes of an entity are found: decided by its connector in one place, shown on its page and at a pipeline's source. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";

export const CHANGE_DETECTION_METHODS = [
  /** The database's log says which rows changed. */
  "replication",
  /** Rows written since, by an index of the watermark and, now and then, by reading the table through. */
  "indexedWatermark",
  /** Rows written since; the table's counters say when it has to be read through. */
  "counters",
  /** Rows written since, by reading the table through at intervals: nothing tells whether it changed. */
  "intervalScan",
  /** Rows written since, by reading the table through whenever anything was written in the database. */
  "tableScan",
  /** Records whose time stamp is later than the last one read. */
  "watermark",
  "listedWatermark",
  /** Likewise, by reading the table through: the time stamp has no index. */
  "scannedWatermark",
  /** What was added behind the place where reading stopped. */
  "position",
  /** The system posts what changed. */
  "posts",
  /** All records are read and compared. */
  "comparison",
  /** Likewise, whenever the database calls the table changed. */
  "changedTable",
  /** Likewise, whenever the version of the file is another one. */
  "changedFile",
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

/** The same for one entity, with the slots that the system holds for its readers now. */
export const EntityChanges = ChangeDetection.extend({
  slots: z.array(
    z.strictObject({
      name: z.string(),
      /** Bytes of log that the system keeps until they are read; null where it can't tell. */
      retainedBytes: z.number().nullable(),
      /** By the limits in the connection's settings. */
      level: z.enum(["ok", "much", "tooMuch"]),
    }),
  ),
});
export type EntityChanges = z.infer<typeof EntityChanges>;

export const getEntityChanges = endpoint({
  name: "getEntityChanges",
  method: "GET",
  path: "/connectors/:connectorId/entities/:entityApiName/changes",
  access: "READ_CONNECTOR",
  scope: "instance",
  summary: "How changes of an entity are found, asked of the system now; with a node, for this source of a pipeline.",
  params: z.strictObject({ connectorId: id("connector"), entityApiName: z.string().max(200) }),
  query: z.strictObject({ pipelineId: id("entity").optional(), nodeId: z.string().max(200).optional() }),
  reply: EntityChanges,
  errors: ["connector_not_active", "connector_check_failed"],
});
