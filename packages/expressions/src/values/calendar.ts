/** Arithmetic of the calendar on wall clocks: moments as a clock on the wall shows them, as if that were UTC milliseconds. */
import { DAY_MS } from "./time.ts";

export const DATE_UNITS = ["second", "minute", "hour", "day", "week", "month", "quarter", "year"] as const;
export type DateUnit = (typeof DATE_UNITS)[number];

/** Milliseconds of the units that have a length. */
const MS: Readonly<Record<Exclude<DateUnit, "month" | "quarter" | "year">, number>> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: DAY_MS,
  week: 7 * DAY_MS,
};

/** Units without a length move the calendar: how many months they are. */
export const MONTHS_IN: Partial<Record<DateUnit, number>> = { month: 1, quarter: 3, year: 12 };

/** 0 for months, quarters and years. */
export const msOfUnit = (unit: DateUnit): number =>
  unit === "month" || unit === "quarter" || unit === "year" ? 0 : MS[unit];

/** The same day of another month, or that month's last day when it is shorter. Days count from 1970-01-01. */
export function addMonths(day: number, months: number): number {
  const from = new Date(day * DAY_MS);
  const at = new Date(0);
  at.setUTCFullYear(from.getUTCFullYear(), from.getUTCMonth() + months, 1);
  const first = at.getTime() / DAY_MS;
  at.setUTCMonth(at.getUTCMonth() + 1);
  const length = at.getTime() / DAY_MS - first;
  return first + Math.min(from.getUTCDate(), length) - 1;
}

/** Monday of a day's week. Day 0 was a Thursday. */
export const mondayOf = (day: number): number => day - ((((day + 3) % 7) + 7) % 7);

const firstOfMonth = (year: number, month: number): number => new Date(0).setUTCFullYear(year, month - 1, 1) / DAY_MS;

/** Monday is 1, Sunday 7. */
export const isoDayOfWeek = (day: number): number => day - mondayOf(day) + 1;

/** 1 to 53: the week with the year's first Thursday is the first (ISO 8601). */
export function isoWeekOf(day: number): number {
  const thursday = mondayOf(day) + 3;
  const first = firstOfMonth(new Date(thursday * DAY_MS).getUTCFullYear(), 1);
  return Math.floor((thursday - first) / 7) + 1;
}

/** 1 to 366. */
export const dayOfYear = (day: number): number => day - firstOfMonth(new Date(day * DAY_MS).getUTCFullYear(), 1) + 1;

/** The beginning of the unit a wall clock stands in. */
export function startOfUnit(wall: number, unit: DateUnit): number {
  const at = new Date(wall);
  const startOf = (month: number) => firstOfMonth(at.getUTCFullYear(), month) * DAY_MS;
  switch (unit) {
    case "week":
      return mondayOf(Math.floor(wall / DAY_MS)) * DAY_MS;
    case "month":
      return startOf(at.getUTCMonth() + 1);
    case "quarter":
      return startOf(at.getUTCMonth() - (at.getUTCMonth() % 3) + 1);
    case "year":
      return startOf(1);
    default:
      return Math.floor(wall / msOfUnit(unit)) * msOfUnit(unit);
  }
}

/** A wall clock moved by units; the time of day stays when months are added. */
export function addUnits(wall: number, amount: number, unit: DateUnit): number {
  const months = MONTHS_IN[unit];
  if (months === undefined) return wall + amount * msOfUnit(unit);
  const day = Math.floor(wall / DAY_MS);
  return addMonths(day, amount * months) * DAY_MS + (wall - day * DAY_MS);
}
