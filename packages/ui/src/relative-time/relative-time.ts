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
