/** Pipelines beside the first one: they share its server processes, and some of its systems with what those allow. */
import type { SlotBounds } from "../run/limits/cycle-slots.ts";
import type { Chance } from "./chance.ts";
import { generateOutage, type Outage } from "./outages.ts";
import { BUSY_MS } from "./timeline.ts";
import type { LimitOptions } from "./request-limit.ts";

export interface Neighbours {
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
export function drawNeighbours(chance: Chance): Neighbours | null {
  if (!chance.happens(0.06)) return null;
  const count = chance.happens(0.3) ? 2 : 1;
  const shared = chance.happens(0.5) ? [0] : [0, 1];
  const outage = chance.happens(0.3) ? { ...generateOutage(chance, BUSY_MS), system: 0 } : null;
  return {
    seeds: Array.from({ length: count }, () => chance.between(1, 1_000_000_000)),
    sharing: [chance.happens(0.7), ...Array.from({ length: count }, () => chance.happens(0.7))],
    shared,
    limit: chance.happens(0.8) ? drawLimit(chance) : null,
    bounds: { busy: 1, cycles: chance.pick([count + 1, 8]), perConnector: chance.pick([1, 2]) },
    outage,
  };
}

const drawLimit = (chance: Chance): LimitOptions => ({
  calls: chance.between(2, 12),
  windowMs: chance.pick([2_000, 10_000, 40_000]),
  affectedSinks: chance.pick(["when", "left", "nothing"] as const),
});
