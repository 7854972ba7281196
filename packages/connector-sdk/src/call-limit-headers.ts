/** What an answer says of how often its system may be called, in whichever of the usual headers it says so. */

/** Names in lower case. */
type Headers = Readonly<Record<string, string | undefined>>;

/** The names of the numbers, and their keys in the one structured header (`RateLimit: "day";q=100;r=50;t=30`). */
const KEYS = { limit: "q", remaining: "r", reset: "t" } as const;
type LimitName = keyof typeof KEYS;

/** Longest wait taken from a header: a system that asks for more is asked again after this. */
const MAX_WAIT_MS = 3_600_000;
/** Nobody asks to wait for thirty years: from here on a number of seconds counts since 1970, and from the next on milliseconds do. */
const EPOCH_SECONDS = 1_000_000_000;
const EPOCH_MILLISECONDS = 100_000_000_000;

function textOf(headers: Headers, name: LimitName): string | null {
  for (const prefix of ["x-ratelimit", "ratelimit", "x-rate-limit"]) {
    const text = headers[`${prefix}-${name}`]?.trim();
    if (text) return text;
  }
  // Its first draft wrote the names in full: `limit=100, remaining=0, reset=4`.
  const structured = new RegExp(`(?:^|[;,\\s])(?:${name}|${KEYS[name]})=(\\d+)`).exec(headers["ratelimit"] ?? "");
  return structured?.[1] ?? null;
}

function numberIn(headers: Headers, name: LimitName): number | null {
  const found = /^\d+(?:\.\d+)?/.exec(textOf(headers, name) ?? "");
  return found ? Number(found[0]) : null;
}

/** Calls that are left until the limit begins anew; null when nothing is said of it. */
export const remainingCalls = (headers: Headers): number | null => numberIn(headers, "remaining");

/** Calls that are allowed in one period; null when nothing is said of it. */
export const callLimit = (headers: Headers): number | null => numberIn(headers, "limit");

/** Milliseconds until the calls are counted anew, 0 when that has passed; null when nothing is said of it. */
export function resetMs(headers: Headers, nowMs: number): number | null {
  const until = untilMs(textOf(headers, "reset"), nowMs);
  return until === null ? null : Math.max(0, until.ms);
}

/** Whether a refusal is one of too many calls: some APIs answer that with 403. */
export const asksToWait = (headers: Headers): boolean =>
  Boolean(headers["retry-after"]) || remainingCalls(headers) === 0;

/**
 * How long a system asks to wait, in milliseconds: by `Retry-After`, else until its limit begins anew. Of a limit that is
 * not reached the time says nothing: another one was. Moments are by the system's own clock, as far as its answer shows
 * it (`Date`). null when it says nothing.
 */
export function retryAfterMs(headers: Headers, nowMs: number): number | null {
  const theirs = Date.parse(headers["date"] ?? "");
  const now = Number.isNaN(theirs) ? nowMs : theirs;
  const after = waitMs(headers["retry-after"], now);
  if (after !== null) return after;
  return (remainingCalls(headers) ?? 0) > 0 ? null : waitMs(textOf(headers, "reset"), now);
}

/** A moment that has passed says nothing. */
function waitMs(text: string | null | undefined, nowMs: number): number | null {
  const until = untilMs(text, nowMs);
  if (until === null || (until.isMoment && until.ms <= 0)) return null;
  return Math.min(Math.ceil(until.ms), MAX_WAIT_MS);
}

/** Of a number of seconds, or a moment: as a date, or counted since 1970 in seconds or milliseconds. */
function untilMs(text: string | null | undefined, nowMs: number): { ms: number; isMoment: boolean } | null {
  const value = text?.trim() ?? "";
  if (value === "") return null;
  // Some name several limits: `5, 100;w=60`.
  const number = /^\d+(\.\d+)?(?=$|[,;\s])/.exec(value);
  if (!number || !/^[\d.]+(\s*[,;].*)?$/.test(value)) {
    const moment = Date.parse(value);
    return Number.isNaN(moment) ? null : { ms: moment - nowMs, isMoment: true };
  }
  const seconds = Number(number[0]);
  if (seconds <= EPOCH_SECONDS) return { ms: seconds * 1000, isMoment: false };
  return { ms: (seconds > EPOCH_MILLISECONDS ? seconds : seconds * 1000) - nowMs, isMoment: true };
}
