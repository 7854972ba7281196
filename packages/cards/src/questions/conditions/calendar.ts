/** Calendar periods around a day: the day, week, month, quarter or year that it is in, and those before and after. */
import type { DateGrain } from "@accord/contracts/insights/dataset-config";

const DAY_MS = 86_400_000;
const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** First and last day, as `YYYY-MM-DD`. */
export interface Days {
  first: string;
  last: string;
}

/** @param offset 0 for the period that `today` is in, -1 for the one before; weeks start on Monday */
export function periodAt(today: string, unit: DateGrain, offset: number): Days {
  const [start, end] = bounds(new Date(`${today}T00:00:00Z`), unit, offset);
  return { first: dayAt(start), last: dayAt(end - DAY_MS) };
}

function bounds(at: Date, unit: DateGrain, offset: number): [start: number, end: number] {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  const monday = day - ((at.getUTCDay() + 6) % 7) + 7 * offset;
  const quarter = month - (month % 3) + 3 * offset;
  switch (unit) {
    case "day":
      return [Date.UTC(year, month, day + offset), Date.UTC(year, month, day + offset + 1)];
    case "week":
      return [Date.UTC(year, month, monday), Date.UTC(year, month, monday + 7)];
    case "month":
      return [Date.UTC(year, month + offset, 1), Date.UTC(year, month + offset + 1, 1)];
    case "quarter":
      return [Date.UTC(year, quarter, 1), Date.UTC(year, quarter + 3, 1)];
    case "year":
      return [Date.UTC(year + offset, 0, 1), Date.UTC(year + offset + 1, 0, 1)];
  }
}
