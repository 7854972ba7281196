/** Health of a pipeline: the worst of what is wrong with it, with the counts behind it and where each is looked into. */
import { z } from "zod";

/** The worst first. */
export const HEALTH_STATES = [
  "FAILING",
  "STALLED",
  "RETRYING",
  "QUARANTINED",
  "REFUSED",
  "WARNING",
  "LAGGING",
  "PAUSED",
  "WAITING",
  "IN_AGREEMENT",
] as const;
export const HealthState = z.enum(HEALTH_STATES);
export type HealthState = z.infer<typeof HealthState>;

/** Counts that health is made of end here: what is more is told as more than this. */
export const COUNTED_UP_TO = 10_000;

/** A count ended at a bound before all was looked at: there may be more of what it counts. */
export const LowerBound = z.literal(true).optional();

export const HealthSeverity = z.enum(["error", "warning", "info", "ok"]);
export type HealthSeverity = z.infer<typeof HealthSeverity>;

/** Messages of `sync.health`, filled with the facts of the reason. */
export const HEALTH_MESSAGES = [
  "systemFailing",
  "systemRetrying",
  "stopped",
  "cannotRun",
  "quarantined",
  "refused",
  "warning",
  "stalled",
  "lagging",
  "paused",
  "pausedBy",
  "waiting",
  "systemLimited",
  "systemSlow",
  "resyncing",
  "firstCycle",
] as const;

export const HEALTH_TABS = ["problems", "refused", "quarantine", "waiting", "cycles"] as const;

export const HealthReason = z.strictObject({
  state: HealthState,
  message: z.enum(HEALTH_MESSAGES),
  facts: z.record(z.string(), z.union([z.string(), z.number()])),
  /** Records, values or deliveries, exact up to `COUNTED_UP_TO` unless it is a lower bound; 1 where nothing is counted. */
  count: z.int().nonnegative(),
  isLowerBound: LowerBound,
  /** Source or destination it is about; null: the pipeline. */
  nodeId: z.string().nullable(),
  /** The other node at the same place of the system, which it keeps waiting as well. */
  alsoAtNodeId: z.string().optional(),
  connectorId: z.string().nullable(),
  since: z.iso.datetime().nullable(),
  /** When the failing or limiting system is asked again by itself; absent while it is being asked, and where nobody will ask it. */
  nextTryAt: z.iso.datetime().optional(),
  /** Tab of the pipeline's activity that lists what is counted. */
  tab: z.enum(HEALTH_TABS),
});
export type HealthReason = z.output<typeof HealthReason>;

export const PipelineHealth = z.strictObject({
  state: HealthState,
  severity: HealthSeverity,
  /** Everything that stands between the pipeline and agreement, the worst first; empty when in agreement. */
  reasons: z.array(HealthReason),
  /** Sums of the reasons' counts: lower bounds where one of those is. */
  counts: z.strictObject({
    failing: z.int().nonnegative(),
    quarantined: z.int().nonnegative(),
    refused: z.int().nonnegative(),
    warnings: z.int().nonnegative(),
    waiting: z.int().nonnegative(),
  }),
});
export type PipelineHealth = z.output<typeof PipelineHealth>;
