/** Whose call leaves next under a rate budget: live changes first, in the order in which they came. */
import { onCallStarted, type RateBudget, type Traffic, waitBefore } from "./rate-budget.ts";

/** Calls that may leave now, taken out of the queue, and the budget after them. */
export interface QueuedCall<Waiting> {
  budget: RateBudget;
  calls: Waiting[];
  /** Milliseconds until the next may leave, as far as time alone decides; Infinity: not before an answer. */
  nextInMs: number;
}

/** Takes those whose turn has come out of `queue`. */
export function nextQueuedCall<Waiting extends { traffic: Traffic }>(
  queue: Waiting[],
  before: RateBudget,
  now: number,
): QueuedCall<Waiting> {
  const calls: Waiting[] = [];
  let budget = before;
  let nextInMs = Infinity;
  for (const traffic of ["live", "resync"] as const) {
    for (;;) {
      const index = queue.findIndex((waiting) => waiting.traffic === traffic);
      if (index < 0) break;
      const wait = waitBefore(budget, traffic, now);
      if (wait > 0) {
        nextInMs = Math.min(nextInMs, wait);
        break;
      }
      calls.push(...queue.splice(index, 1));
      budget = onCallStarted(budget, now);
    }
  }
  return { budget, calls, nextInMs };
}
