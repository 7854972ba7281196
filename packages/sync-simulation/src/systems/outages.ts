/** Long outages: a system that fails for minutes or hours, wholly or in part, and then works again. */
import type { Rng } from "../rng.ts";
import { START } from "./fake-system.ts";

export interface Outage {
  /** Index of the system. */
  system: number;
  fromMs: number;
  untilMs: number;
  /** Nothing works, or only writes fail. */
  of: "everything" | "writes";
  /** Whether its failures leave open what was done. */
  isUnsure: boolean;
}

const MINUTE = 60_000;
/** Shorter than the time after which a pipeline stops for good. */
const MAX_OUTAGE_MS = 150 * MINUTE;

export function generateOutage(rng: Rng, busyMs: number): Outage {
  const fromMs = rng.between(0, busyMs);
  const duration = rng.pick([rng.between(MINUTE, 10 * MINUTE), rng.between(10 * MINUTE, MAX_OUTAGE_MS)]);
  return {
    system: rng.between(0, 2),
    fromMs,
    untilMs: fromMs + duration,
    of: rng.pick(["everything", "writes"] as const),
    isUnsure: rng.bool(0.5),
  };
}

export const isUnderWay = ({ fromMs, untilMs }: Outage, now: number): boolean =>
  now >= START + fromMs && now < START + untilMs;

export const isDown = (outage: Outage, system: number, now: number): boolean =>
  outage.system === system && isUnderWay(outage, now);
