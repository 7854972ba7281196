/** A system's own clock: ahead or behind by some minutes, and put right or wrong while a history goes on. */
import type { Rng } from "../rng.ts";

export interface ClockJump {
  /** When, milliseconds from the history's begin. */
  afterMs: number;
  byMs: number;
}

export interface ClockOptions {
  offsetMs: number;
  jumps: readonly ClockJump[];
}

const MINUTE = 60_000;
/** By so much a system's clock may be put back without its readers missing anything. */
export const OVERLAP_MS = 5_000;

/** A time in UTC milliseconds as systems and places write it. */
export const moment = (at: number): string => new Date(at).toISOString();

export class SystemClock {
  readonly #options: ClockOptions;
  readonly #startedAt: number;

  constructor(startedAt: number, options: ClockOptions) {
    this.#startedAt = startedAt;
    this.#options = options;
  }

  /** What it shows at a moment of true time, both in UTC milliseconds. */
  timeAt(now: number): number {
    let time = now + this.#options.offsetMs;
    for (const { afterMs, byMs } of this.#options.jumps) if (now >= this.#startedAt + afterMs) time += byMs;
    return time;
  }
}

/** Clocks as they are found: right, some minutes off, or corrected in the middle. */
export function generateClock(rng: Rng, busyMs: number, mayGoBack: boolean): ClockOptions {
  const minutes = (): number => rng.between(1, 20) * MINUTE;
  const offsetMs = rng.pick([0, minutes(), -minutes()]);
  const byMs = rng.pick([minutes(), mayGoBack ? -minutes() : -rng.between(1, OVERLAP_MS)]);
  const jumps = rng.bool(0.5) ? [{ afterMs: rng.between(0, busyMs), byMs }] : [];
  return { offsetMs, jumps };
}

export const goesBack = ({ jumps }: ClockOptions): boolean => jumps.some(({ byMs }) => byMs < 0);
