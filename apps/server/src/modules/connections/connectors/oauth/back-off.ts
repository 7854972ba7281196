/** When a renewal that failed is tried again: later with each failure in a row, not by all servers at once, and not before the system wants it. */

const FIRST_MS = 5_000;
const MAX_MS = 15 * 60_000;
/** A system that wants more is asked after that all the same. */
const MAX_RETRY_AFTER_MS = 60 * 60_000;
/** Part of the wait that is taken off at random: grants that failed together are not tried again together. */
const JITTER = 0.25;

/** Milliseconds; `failures` in a row, this one among them. */
export function backOffMs(failures: number, retryAfterMs = 0, random: () => number = Math.random): number {
  const grown = Math.min(MAX_MS, FIRST_MS * 2 ** Math.min(failures - 1, 20));
  return Math.max(grown * (1 - JITTER * random()), Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
}
