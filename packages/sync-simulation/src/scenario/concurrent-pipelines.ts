/** Pipelines beside the first one: they share its server processes, and some of its systems with what those allow. */
import type { SlotBounds } from "@accord/sync-engine/run";
import type { Rng } from "../rng.ts";
import { generateOutage, type Outage } from "../systems/outages.ts";
import { BUSY_MS } from "../timeline.ts";
import type { LimitOptions } from "../systems/request-limit.ts";

export interface ConcurrentPipelines {
  /** Seeds of the other pipelines' histories. */
  seeds: readonly number[];
  /** Which pipelines, from the first one on, use the shared systems; each has records of its own there. */
  sharing: readonly boolean[];
  /** Shared systems, by index. */
  shared: readonly number[];
  /** What each shared system allows. */
  limit: LimitOptions | null;
  /** Of one server process. */
  bounds: SlotBounds;
  /** Of a shared system. */
  outage: Outage | null;
}

/** Null: the pipeline has its server to itself, as in most histories. */
export function generateConcurrentPipelines(rng: Rng): ConcurrentPipelines | null {
  if (!rng.bool(0.06)) return null;
  const count = rng.bool(0.3) ? 2 : 1;
  const shared = rng.bool(0.5) ? [0] : [0, 1];
  const outage = rng.bool(0.3) ? { ...generateOutage(rng, BUSY_MS), system: 0 } : null;
  return {
    seeds: Array.from({ length: count }, () => rng.between(1, 1_000_000_000)),
    sharing: [rng.bool(0.7), ...Array.from({ length: count }, () => rng.bool(0.7))],
    shared,
    limit: rng.bool(0.8) ? drawLimit(rng) : null,
    bounds: { busy: 1, cycles: rng.pick([count + 1, 8]), perConnector: rng.pick([1, 2]) },
    outage,
  };
}

const drawLimit = (rng: Rng): LimitOptions => ({
  calls: rng.between(2, 12),
  windowMs: rng.pick([2_000, 10_000, 40_000]),
  affectedSinks: rng.pick(["when", "left", "nothing"] as const),
});
