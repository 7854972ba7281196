/** Days, weeks and time zones of the oracle. Days are texts: `2026-03-29`. Zones come from `Intl` alone. */
import type { DateGrain } from "@accord/contracts/insights/dataset-config";

const DAY_MS = 86_400_000;
/** No zone is further from UTC. */
const FURTHEST_MS = 16 * 3_600_000;

const clocks = new Map<string, Intl.DateTimeFormat>();

/** The day that a calendar on the wall shows. */
export function dayIn(timeZone: string, ms: number): string {
  const clock =
    clocks.get(timeZone) ??
    new Intl.DateTimeFormat("en-US", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
  clocks.set(timeZone, clock);
  const parts = new Map(clock.formatToParts(ms).map(({ type, value }) => [type, value]));
  return `${parts.get("year")?.padStart(4, "0")}-${parts.get("month")}-${parts.get("day")}`;
}

const starts = new Map<string, number>();

/** The first millisecond that the wall shows this day, or one after it where the zone left the day out. */
export function startOfDay(timeZone: string, day: string): number {
  const key = `${timeZone} ${day}`;
  const known = starts.get(key);
  if (known !== undefined) return known;
  let [before, at] = [utcOf(day) - FURTHEST_MS, utcOf(day) + FURTHEST_MS];
  while (at - before > 1) {
    const middle = Math.floor((before + at) / 2);
    if (dayIn(timeZone, middle) >= day) at = middle;
    else before = middle;
  }
  starts.set(key, at);
  return at;
}

const utcOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const dayOfUtc = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export const addDays = (day: string, days: number): string => dayOfUtc(utcOf(day) + days * DAY_MS);

/** The same day of another month, or the last one of that month when it is shorter. */
export function addMonths(day: string, months: number): string {
  const from = new Date(utcOf(day));
  const first = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, 1));
  const length = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return addDays(dayOfUtc(first.getTime()), Math.min(from.getUTCDate(), length) - 1);
}

/** The first day of the week (Monday), month, quarter or year. */
export function startOf(grain: DateGrain, day: string): string {
  const [year = "", month = ""] = day.split("-");
  switch (grain) {
    case "day":
      return day;
    case "week":
      return addDays(day, -((new Date(utcOf(day)).getUTCDay() + 6) % 7));
    case "month":
      return `${year}-${month}-01`;
    case "quarter":
      return `${year}-${String(Number(month) - ((Number(month) - 1) % 3)).padStart(2, "0")}-01`;
    case "year":
      return `${year}-01-01`;
  }
}
