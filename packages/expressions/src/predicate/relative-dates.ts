/** The days that "last 7 days" or "this quarter" mean, seen from a moment in a time zone. */
import type { PredicateOperator } from "@accord/contracts/data/predicate";
import { addMonths, mondayOf } from "../values/calendar.ts";
import { DAY_MS, dayNumber, dayOfMoment } from "../values/time.ts";

/** First and last day, both included. */
export interface DayRange {
  first: number;
  last: number;
}

const parts = (day: number) => {
  const at = new Date(day * DAY_MS);
  return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() };
};

const firstOf = (year: number, month: number): number =>
  dayNumber(month > 12 ? year + 1 : year, month > 12 ? month - 12 : month, 1) ?? dayNumber(9999, 12, 31)!;

/** null when the operator isn't relative to today. Weeks start on Monday; today belongs to "last" and "next" ranges. */
export function relativeDays(
  operator: PredicateOperator,
  amount: number,
  now: number,
  timeZone: string,
): DayRange | null {
  const today = dayOfMoment(now, timeZone);
  const { year, month } = parts(today);
  const quarter = month - ((month - 1) % 3);
  switch (operator) {
    case "lastDays":
      return { first: today - amount, last: today };
    case "nextDays":
      return { first: today, last: today + amount };
    case "lastWeeks":
      return { first: today - 7 * amount, last: today };
    case "nextWeeks":
      return { first: today, last: today + 7 * amount };
    case "lastMonths":
      return { first: addMonths(today, -amount), last: today };
    case "nextMonths":
      return { first: today, last: addMonths(today, amount) };
    case "today":
      return { first: today, last: today };
    case "thisWeek": {
      const monday = mondayOf(today);
      return { first: monday, last: monday + 6 };
    }
    case "thisMonth":
      return { first: firstOf(year, month), last: firstOf(year, month + 1) - 1 };
    case "thisQuarter":
      return { first: firstOf(year, quarter), last: firstOf(year, quarter + 3) - 1 };
    case "thisYear":
      return { first: firstOf(year, 1), last: firstOf(year, 13) - 1 };
    default:
      return null;
  }
}
