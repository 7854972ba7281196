/** The database's clock as a cycle knows it: read when the lease was taken, carried on by this process's steady clock. */
import type { Clock } from "../../../../platform/clock.ts";

/** UTC milliseconds, the same for workers on all machines whatever their own clocks show. */
export type DatabaseTime = () => number;

/** `readAt`: what the database's clock has just shown, UTC milliseconds. */
export function databaseTime(readAt: number, clock: Pick<Clock, "monotonicMs">): DatabaseTime {
  const began = clock.monotonicMs();
  return () => Math.trunc(readAt + clock.monotonicMs() - began);
}
