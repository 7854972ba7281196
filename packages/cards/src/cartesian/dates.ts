/** Dates along an axis: their places in time, and the empty ones between the first and the last. */
import type { Value } from "@accord/contracts/data/values";
import type { DateGrain } from "@accord/contracts/insights/dataset-config";
import type { Group, GroupReader } from "../marks.ts";

export interface Category extends Group {
  /** Of a date; null on other axes. */
  time: number | null;
}

const MAX_FILLED = 5_000;
const DAY_MS = 86_400_000;

/** UTC milliseconds of a date or a moment; null when it is none. Moments without a zone are in UTC. */
export function timeOf(value: Value | undefined): number | null {
  if (typeof value !== "string" || value === "") return null;
  const hasZone = value.length <= 10 || /(Z|[+-]\d\d(:?\d\d)?)$/i.test(value);
  const time = Date.parse(hasZone ? value : `${value}Z`);
  return Number.isNaN(time) ? null : time;
}

/**
 * Categories for every date between the first and the last, so that equal steps are equal times. Null when the dates
 * don't fit the grain's steps, or are too many: then only an axis of time is right.
 */
export function filledCategories(
  categories: readonly Category[],
  grain: DateGrain | undefined,
  reader: GroupReader,
): Category[] | null {
  const [first, last] = [categories[0], categories.at(-1)];
  if (!grain || first?.time == null || last?.time == null) return null;
  if ((last.time - first.time) / DAY_MS > MAX_FILLED * STEP_DAYS[grain]) return null;
  const byKey = new Map(categories.map((category) => [category.key, category]));
  const filled: Category[] = [];
  for (
    let day = String(first.value);
    (timeOf(day) ?? Number.POSITIVE_INFINITY) <= last.time;
    day = nextDate(day, grain)
  ) {
    const row = { x: day };
    filled.push(byKey.get(reader.keyOf(row)) ?? { ...reader.groupOf(row), time: timeOf(day) });
    if (filled.length > MAX_FILLED) return null;
  }
  const keys = new Set(filled.map(({ key }) => key));
  return categories.every(({ key }) => keys.has(key)) ? filled : null;
}

const STEP_DAYS: Record<DateGrain, number> = { day: 1, week: 7, month: 28, quarter: 90, year: 365 };

function nextDate(day: string, grain: DateGrain): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const steps: Record<DateGrain, [number, number, number]> = {
    day: [0, 0, 1],
    week: [0, 0, 7],
    month: [0, 1, 0],
    quarter: [0, 3, 0],
    year: [1, 0, 0],
  };
  const [years, months, days] = steps[grain];
  return new Date(Date.UTC(year + years, month - 1 + months, date + days)).toISOString().slice(0, 10);
}
