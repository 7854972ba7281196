/** Times that tell no zone: which moments they are in a zone, and how clocks there show a moment. */
import type { Value } from "@accord/contracts/data/values";

/** Whether a system's raw value is a time, or a day, without its distance from UTC. Numbers count from 1970, in UTC. */
export const hasNoZone = (value: Value | undefined): boolean =>
  typeof value === "string" && /\d[-/]\d/.test(value) && !/[T ]\d\d:\d\d.*(Z|[+-]\d\d(:?\d\d)?)$/i.test(value.trim());

const formats = new Map<string, Intl.DateTimeFormat | null>();

/** null for zones that only the database knows. */
function formatOf(zone: string): Intl.DateTimeFormat | null {
  const format = formats.get(zone) ?? newFormat(zone);
  formats.set(zone, format);
  return format;
}

function newFormat(timeZone: string): Intl.DateTimeFormat | null {
  const number = "numeric";
  const parts = { year: number, month: number, day: number, hour: number, minute: number, second: number } as const;
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone, hourCycle: "h23", ...parts });
  } catch {
    return null;
  }
}

function offsetMs(format: Intl.DateTimeFormat, ms: number): number {
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
  const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
  const local = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
  return local - Math.floor(ms / 1000) * 1000;
}

/** Moments at which clocks of the zone show this time, milliseconds: none or two where they are put on or back just then. */
function momentsOf(shown: number, format: Intl.DateTimeFormat): { sooner: number; fits: number[] } {
  const later = shown - offsetMs(format, shown + DAY_MS);
  const sooner = shown - offsetMs(format, shown - DAY_MS);
  return { sooner, fits: [later, sooner].filter((ms) => ms + offsetMs(format, ms) === shown) };
}

/**
 * The moment at which clocks of the zone show what `time` (ISO) shows as UTC; of two such moments the later one, as
 * PostgreSQL takes it. The time itself where the zone is not known here.
 */
export function momentInZone(time: string, zone: string): string {
  const format = formatOf(zone);
  const shown = Date.parse(time);
  if (!format || Number.isNaN(shown)) return time;
  const { sooner, fits } = momentsOf(shown, format);
  return new Date(fits.length > 0 ? Math.max(...fits) : sooner).toISOString();
}

/**
 * How clocks of the zone show a moment (ISO), without the zone: `2026-10-25T01:30:00.000`. Where they are put back and
 * show each time twice, a beginning (`start`) is a round of them earlier and an `end` later, so that neither the first
 * nor the second time is left out. As UTC where the zone is not known here.
 */
export function timeInZone(moment: string, zone: string, bound: "start" | "end"): string {
  const format = formatOf(zone);
  const ms = Date.parse(moment);
  const shown = format ? ms + offsetMs(format, ms) : ms;
  const moments = [ms, ...(format ? momentsOf(shown, format).fits : [])];
  const round = Math.max(...moments) - Math.min(...moments);
  return new Date(bound === "start" ? shown - round : shown + round).toISOString().slice(0, -1);
}

const DAY_MS = 86_400_000;
