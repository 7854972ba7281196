/** When to try again: per delivery, per system, and when to give up. Times in milliseconds. */

/** Attempts at one delivery before it is put aside for a person. */
export const DELIVERY_ATTEMPTS = 5;

const MINUTE = 60_000;
/** How long a system may fail in a row before its pipeline is paused in error. */
export const RETRY_WINDOW = 180 * MINUTE;
const LONGEST_DELAY = 15 * MINUTE;

/** 2 s, 8 s, 32 s, 128 s after the first, second … failed attempt. */
export const deliveryDelay = (attempts: number): number => 2_000 * 4 ** Math.min(attempts, 4);

/** 5 s, 15 s, then 1, 2, 4 … 15 minutes after the first, second … failure of a system in a row. */
export function systemDelay(attempts: number, retryAfterMs: number | undefined): number {
  const own = attempts <= 1 ? 5_000 : attempts === 2 ? 15_000 : Math.min(MINUTE * 2 ** (attempts - 3), LONGEST_DELAY);
  return Math.max(own, retryAfterMs ?? 0);
}
