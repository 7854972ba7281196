/** When a source has its next turn. Times in UTC milliseconds; time zones by the change of clocks they really have. */
import type { SourceSchedule } from "@accord/contracts/sync/schedules";
import { isTimeZone, wallClock } from "@accord/expressions";
import { type Cron, nextMatch, parseCron } from "./cron.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A day that comes once in eight years (29 February around 2100) is still found. */
const HORIZON = 9 * 366 * DAY;

const FIXED = { seconds: SECOND, minutes: MINUTE, hours: HOUR, days: DAY } as const;

/**
 * The turn after a reading at `readAt`. Cron in a time zone: a time that a change of clocks skips comes right after it;
 * one that it repeats counts once, unless the schedule runs in every hour. Never, for an expression that can't be read:
 * publishing refuses those.
 */
export function nextTurn(schedule: SourceSchedule, readAt: number): number {
  switch (schedule.kind) {
    case "minute":
      return readAt + MINUTE;
    case "interval":
      return schedule.unit === "months"
        ? addMonths(readAt, schedule.every)
        : readAt + schedule.every * FIXED[schedule.unit];
    case "cron": {
      const parsed = parseCron(schedule.expression);
      return parsed.ok ? nextCron(parsed.cron, schedule.timeZone, readAt) : Number.POSITIVE_INFINITY;
    }
  }
}

/** What is wrong with a schedule; null when nothing is. */
export function scheduleProblem(schedule: SourceSchedule): string | null {
  if (schedule.kind !== "cron") return null;
  const parsed = parseCron(schedule.expression);
  if (!parsed.ok) return parsed.problem;
  return isTimeZone(schedule.timeZone) ? null : `"${schedule.timeZone}" is no time zone; use one like Europe/Berlin`;
}

/** The same day of a later month, or that month's last. */
function addMonths(at: number, months: number): number {
  const date = new Date(at);
  const target = new Date(at);
  target.setUTCDate(1);
  target.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate();
  target.setUTCDate(Math.min(date.getUTCDate(), last));
  return target.getTime();
}

/** Goes forward in stretches of at most a day within which the offset changes at most once. */
function nextCron(cron: Cron, timeZone: string, after: number): number {
  let from = Math.floor(after / SECOND) * SECOND + SECOND;
  const end = from + HORIZON;
  while (from < end) {
    const until = from + DAY;
    const [before, later] = [offsetAt(timeZone, from), offsetAt(timeZone, until)];
    const change = before === later ? until : changeBetween(timeZone, from, until);
    const found = nextMatch(cron, from + before, change + before);
    if (found !== null) return found - before;
    from = change;
    if (later > before && !cron.isEveryHour && nextMatch(cron, change + before, change + later) !== null) return change;
    if (later < before && !cron.isEveryHour) from = change + (before - later);
  }
  return Number.POSITIVE_INFINITY;
}

/** First second with the later offset. */
function changeBetween(timeZone: string, from: number, until: number): number {
  const before = offsetAt(timeZone, from);
  let [low, high] = [from, until];
  while (high - low > SECOND) {
    const middle = low + Math.floor((high - low) / 2 / SECOND) * SECOND;
    if (offsetAt(timeZone, middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

/** Wall clock minus UTC at an instant, milliseconds. */
const offsetAt = (timeZone: string, at: number): number => wallClock(at, timeZone) - at;
