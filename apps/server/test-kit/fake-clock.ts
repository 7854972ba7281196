/** A clock that only moves when a test moves it. */
import type { Clock } from "../src/platform/clock.ts";

export interface FakeClock extends Clock {
  advance(milliseconds: number): void;
}

/** Starts at the true time, so that what PostgreSQL dates by itself is not far off. */
export function fakeClock(start = new Date()): FakeClock {
  let ahead = 0;
  return {
    now: () => new Date(start.getTime() + ahead),
    monotonicMs: () => performance.now() + ahead,
    advance(milliseconds) {
      ahead += milliseconds;
    },
  };
}
