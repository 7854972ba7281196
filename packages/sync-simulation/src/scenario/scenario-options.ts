/** What a history's systems are like beyond the plainest ones: how they keep time, are read, fail, spell and change. */
import type { Rng } from "../rng.ts";
import { generateOutage, type Outage } from "../systems/outages.ts";
import type { ReadingKind } from "../systems/row-passes.ts";
import { type ClockOptions, generateClock } from "../systems/system-clock.ts";
import { BUSY_MS } from "../timeline.ts";
import { generateTypedValues, type TypedValues } from "../systems/typed-values.ts";

export interface ReadingOptions {
  /** By system. */
  clocks: readonly ClockOptions[];
  kinds: readonly ReadingKind[];
  /** What systems hold when the pipeline is published stays out of it until it changes. */
  startsAtPublication: boolean;
  /** Systems of which readers are always shown the present state, whatever its time of change. */
  areCurrent: readonly boolean[];
  /** Tools write rows with times of change from before. */
  hasImports: boolean;
}

/** Options of a scenario; null: as in the plainest one. */
export interface ScenarioOptions {
  reading: ReadingOptions | null;
  /** Batches are sent operation by operation, and workers sleep between two of them. */
  isStepwise: boolean;
  /** Systems that fail for minutes or hours; nobody tries anything again by hand then. */
  outages: readonly Outage[];
  /** Values that are no texts; null: there are none. */
  types: TypedValues | null;
}

export const NO_OPTIONS: ScenarioOptions = { reading: null, isStepwise: false, outages: [], types: null };

/** Systems that a history may have. */
export const MAX_SYSTEMS = 3;

const forEach = <Option>(draw: () => Option): Option[] => Array.from({ length: MAX_SYSTEMS }, draw);

/** Draws what is unusual in a history; null where nothing is. */
export function generateOptions(rng: Rng): ScenarioOptions | null {
  if (rng.bool(0.5)) return null;
  const reading = rng.bool(0.6) ? generateReading(rng) : null;
  const isStepwise = rng.bool(0.4);
  const outages = rng.bool(0.25) ? [generateOutage(rng, BUSY_MS)] : [];
  const types = rng.bool(0.5) ? generateTypedValues(rng) : null;
  // A first load brings in what there is.
  return {
    reading: reading && types?.isFirstLoad ? { ...reading, startsAtPublication: false } : reading,
    isStepwise,
    outages,
    types,
  };
}

function generateReading(rng: Rng): ReadingOptions {
  const kinds = forEach(() => rng.pick(["feed", "watermark", "listing"] as const));
  return {
    kinds,
    // A watermark reaches back only so far.
    clocks: kinds.map((kind) => generateClock(rng, BUSY_MS, kind !== "watermark")),
    startsAtPublication: rng.bool(0.5),
    areCurrent: forEach(() => rng.bool(0.5)),
    hasImports: rng.bool(0.5),
  };
}
