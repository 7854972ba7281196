/** What a pipeline has done over some days, and what went which way at each place. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";

/** As seen from Accord: SYNC_FROM a system that is only read, SYNC_TO one that is only told. */
export const SYNC_DIRECTIONS = ["BIDIRECTIONAL", "SYNC_TO", "SYNC_FROM"] as const;
export const SyncDirection = z.enum(SYNC_DIRECTIONS);
export type SyncDirection = z.infer<typeof SyncDirection>;

const Count = z.int().nonnegative();

export const SyncMetrics = z.strictObject({
  entityId: id("entity"),
  since: z.iso.datetime(),
  /** Cycles in which something happened. */
  cycles: Count,
  resyncs: Count,
  failedCycles: Count,
  averageCycleMs: z.number().nonnegative().nullable(),
  created: Count,
  updated: Count,
  deleted: Count,
  /** Values that authority kept out. */
  refused: Count,
  /** Records put aside. */
  quarantined: Count,
  places: z.array(
    z.strictObject({
      connectorId: z.string(),
      connectorName: z.string(),
      /** Api name of the connector's entity. */
      entity: z.string(),
      direction: SyncDirection,
      /** Records read there, and records told there. */
      read: Count,
      delivered: Count,
    }),
  ),
});
export type SyncMetrics = z.output<typeof SyncMetrics>;

export const getSyncMetrics = endpoint({
  name: "getSyncMetrics",
  method: "GET",
  path: "/pipelines/:entityId/metrics",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "Sums over a pipeline's cycles of the last days, and what went which way at each of its places.",
  params: z.strictObject({ entityId: id("entity") }),
  query: z.strictObject({ days: z.coerce.number().int().min(1).max(90).default(7) }),
  reply: SyncMetrics,
});
