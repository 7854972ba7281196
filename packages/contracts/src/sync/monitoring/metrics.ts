/** What a pipeline has done over some days, and what went which way at each place. */
import { z } from "zod";
import { endpoint } from "../../endpoint.ts";
import { id } from "../../ids.ts";
import { Period } from "./page-filters.ts";

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

/** Of cycles that ended within an interval; the times are null where there are none. */
const MetricInterval = z.strictObject({
  /** When it begins; the next one begins where it ends. */
  from: z.iso.datetime(),
  cycles: Count,
  failedCycles: Count,
  read: Count,
  /** Records created, updated and deleted in the core. */
  changed: Count,
  written: Count,
  refused: Count,
  quarantined: Count,
  averageMs: z.number().nonnegative().nullable(),
  longestMs: z.number().nonnegative().nullable(),
  /** The longest time from the end of one cycle to that of the next; null also where none of them has it stored. */
  lagMs: z.number().nonnegative().nullable(),
});
export type MetricInterval = z.output<typeof MetricInterval>;

/** Cycles that a history counts; of more it counts the newest. */
export const MAX_METRIC_CYCLES = 20_000;

export const MetricHistory = z.strictObject({
  entityId: id("entity"),
  period: Period,
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  intervalSeconds: z.int().positive(),
  /** All of the period, the oldest first. */
  intervals: z.array(MetricInterval),
  /** When the oldest cycle that is kept had ended; null where none is. */
  keptSince: z.iso.datetime().nullable(),
  /** Cycles that had ended before are not counted: there are too many; null where all are. */
  countedSince: z.iso.datetime().nullable(),
});
export type MetricHistory = z.output<typeof MetricHistory>;

export const getMetricHistory = endpoint({
  name: "getMetricHistory",
  method: "GET",
  path: "/pipelines/:entityId/metrics/history",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "Throughput, latency, refusals and lag of a pipeline over time, from its cycles that are kept.",
  params: z.strictObject({ entityId: id("entity") }),
  query: z.strictObject({ period: Period.default("24h") }),
  reply: MetricHistory,
});
