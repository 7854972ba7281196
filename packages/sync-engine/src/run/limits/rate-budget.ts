/** The rate budget of one credential, learned from a system's answers: when the next call may leave. UTC milliseconds. */
import { asksToWait, callLimit, remainingCalls, resetMs, retryAfterMs } from "@accord/connector-sdk";

/** Live changes go before what a resync reads and writes. */
export type Traffic = "live" | "resync";

export interface RateBudget {
  /** Nothing leaves before this moment. */
  readonly openAt: number;
  /** After a refusal a single call feels its way; the others follow once it was let through. */
  readonly probe: "none" | "wanted" | "underWay";
  /** Refusals in a row. */
  readonly refusals: number;
  /** Calls left until `resetAt`, less those under way; null: the system does not say. */
  readonly left: number | null;
  readonly limit: number | null;
  readonly resetAt: number;
  readonly underWay: number;
}

/** What a budget learns from: status and headers with names in lower case. */
export interface RateAnswer {
  status: number;
  headers: Readonly<Record<string, string | undefined>>;
}

/** Part of a known limit that is kept for live changes. */
const RESERVED = 0.1;
const MAX_BACK_OFF = 60_000;

export const newRateBudget = (): RateBudget => ({
  openAt: 0,
  probe: "none",
  refusals: 0,
  left: null,
  limit: null,
  resetAt: 0,
  underWay: 0,
});

/** Milliseconds until a call may leave; Infinity: not before one that is under way is answered. */
export function waitBefore(budget: RateBudget, traffic: Traffic, now: number): number {
  if (now < budget.openAt) return budget.openAt - now;
  if (budget.probe === "underWay") return Infinity;
  if (budget.left === null || now >= budget.resetAt) return 0;
  return budget.left > reservedFor(budget.limit, traffic) ? 0 : budget.resetAt - now;
}

/** A call leaves. */
export const onCallStarted = (budget: RateBudget, now: number): RateBudget => ({
  ...budget,
  underWay: budget.underWay + 1,
  left: budget.left === null || now >= budget.resetAt ? null : budget.left - 1,
  probe: budget.probe === "wanted" ? "underWay" : budget.probe,
});

/** What is learned from an answer; null: none came. `rng`: 0 ≤ x < 1, spreads those who were told no time. */
export function onCallFinished(budget: RateBudget, answer: RateAnswer | null, now: number, rng: number): RateBudget {
  const underWay = Math.max(0, budget.underWay - 1);
  if (answer === null) return { ...budget, underWay, probe: budget.probe === "underWay" ? "wanted" : budget.probe };
  if (isRateRefusal(answer)) {
    const told = retryAfterMs(answer.headers, now);
    const own = Math.min(1_000 * 2 ** budget.refusals, MAX_BACK_OFF) * (0.75 + rng / 2);
    const openAt = Math.max(budget.openAt, now + (told ?? own));
    return { ...budget, underWay, openAt, probe: "wanted", refusals: budget.refusals + 1, left: null };
  }
  const left = remainingCalls(answer.headers);
  const reset = resetMs(answer.headers, now);
  const free = { ...budget, underWay, probe: "none" as const, refusals: 0 };
  if (left === null || reset === null) return { ...free, left: null };
  return { ...free, left: left - underWay, limit: callLimit(answer.headers), resetAt: now + reset };
}

/** Calls of what is left that this kind of call may not take. */
export const reservedFor = (limit: number | null, traffic: Traffic): number =>
  traffic === "resync" && limit !== null ? Math.floor(limit * RESERVED) : 0;

/** What other processes left of the budget, as far as that is less than what is known here. */
export function mergeRemoteRemaining(
  budget: RateBudget,
  heard: { left: number; limit: number | null; resetAt: number },
  now: number,
): RateBudget {
  const isNoLess = budget.left !== null && now < budget.resetAt && budget.left <= heard.left;
  if (now >= heard.resetAt || isNoLess) return budget;
  return { ...budget, left: heard.left, limit: heard.limit ?? budget.limit, resetAt: heard.resetAt };
}

/** Another process was told to wait until then. */
export const mergeRemoteBackoff = (budget: RateBudget, openAt: number): RateBudget =>
  openAt > budget.openAt ? { ...budget, openAt, probe: "wanted" } : budget;

/** Asked for patience: surely nothing was done. Some systems say it with 403 or 503. */
export function isRateRefusal({ status, headers }: RateAnswer): boolean {
  if (status === 429) return true;
  if (status === 503) return headers["retry-after"] !== undefined;
  return status === 403 && asksToWait(headers);
}
