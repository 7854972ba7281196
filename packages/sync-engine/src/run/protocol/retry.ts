/** When to try again: per call within a cycle, per delivery, per system, and when to give up. Times in milliseconds. */
import type { SystemFailure } from "./protocol.ts";

/** Attempts at one delivery before it is quarantined for a person. */
export const DELIVERY_ATTEMPTS = 5;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** How long reads may not show our own write, where nothing is said of it. */
export const LATE_READ_MS = MINUTE;
/** How long a system may fail in a row before its pipeline is paused in error. */
export const RETRY_WINDOW = 180 * MINUTE;
const MAX_DELAY = 15 * MINUTE;

/** Longest wait within a cycle that a system may ask for; a longer one ends the cycle, and the next begins then. */
export const MAX_WAIT = 2 * MINUTE;
/** Refusals in a row for want of patience after which a cycle ends all the same. */
const MAX_REFUSALS = 10;
const PAUSES = [SECOND, 4 * SECOND];

/** 2 s, 8 s, 32 s, 128 s after the first, second … failed attempt. */
export const deliveryDelay = (attempts: number): number => 2_000 * 4 ** Math.min(attempts, 4);

/**
 * How long to wait for a write to show, by its age: as long again, so that it is asked for 2, 4, 8 … seconds after it
 * was made and a last time when it should show for certain.
 */
export const lateReadDelay = (writtenForMs: number): number =>
  Math.min(Math.max(writtenForMs, 2 * SECOND), Math.max(LATE_READ_MS - writtenForMs, SECOND));

/** 5 s, 15 s, then 1, 2, 4 … 15 minutes after the first, second … failure of a system in a row. */
export function systemDelay(attempts: number, retryAfterMs: number | undefined): number {
  const own = attempts <= 1 ? 5_000 : attempts === 2 ? 15_000 : Math.min(MINUTE * 2 ** (attempts - 3), MAX_DELAY);
  return Math.max(own, retryAfterMs ?? 0);
}

/**
 * How long to wait before a call that failed is made again in the same cycle; null: not in this cycle. `tries` counts
 * its failures in a row before this one. `rng`: 0 ≤ x < 1, so that workers that failed together come back apart.
 */
export function callDelay(failure: SystemFailure, tries: number, rng: number): number | null {
  if (!failure.retryable) return null;
  const asked = failure.retryAfterMs ?? 0;
  if (asked > MAX_WAIT) return null;
  if (failure.kind === "rateLimited") {
    return tries < MAX_REFUSALS ? Math.max(asked, Math.min(SECOND * 2 ** tries, MINUTE)) * (1 + rng / 10) : null;
  }
  const own = PAUSES[tries];
  return own === undefined ? null : Math.max(asked, own * (0.5 + rng));
}
