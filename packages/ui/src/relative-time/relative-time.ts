/** "12 s ago", "in 3 days": the words of a distance in time. Pure; the component ticks. */

const STEPS: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

const format = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "long" });

/** @param then and now in ms since 1970 */
export function relativeTime(then: number, now: number): string {
  const seconds = Math.round((then - now) / 1_000);
  const size = Math.abs(seconds);
  if (size < 5) return "just now";
  for (const [unit, length] of STEPS) if (size >= length) return format.format(Math.round(seconds / length), unit);
  return format.format(seconds, "second");
}

/** Ms until the words change. */
export const nextTick = (then: number, now: number): number => {
  const size = Math.abs(now - then);
  if (size < 60_000) return 5_000;
  return size < 3_600_000 ? 30_000 : 300_000;
};

/** "14:02" of the same day, else with the date, "Nov 24, 14:02", and the year where it is another. */
export function clockTime(then: number, now: number, timeZone?: string): string {
  const zone = timeZone ? { timeZone } : {};
  const day = (at: number, more: Intl.DateTimeFormatOptions) =>
    new Date(at).toLocaleString("en-US", { ...more, ...zone });
  const time = day(then, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const date: Intl.DateTimeFormatOptions = { year: "numeric", month: "short", day: "numeric" };
  if (day(then, date) === day(now, date)) return time;
  const isSameYear = day(then, { year: "numeric" }) === day(now, { year: "numeric" });
  return `${day(then, isSameYear ? { month: "short", day: "numeric" } : date)}, ${time}`;
}
