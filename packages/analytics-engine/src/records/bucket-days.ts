/** The days of a bucket that dates were cut into. */
import { addMonths, dayText, readDay } from "@accord/expressions";
import type { Value } from "@accord/contracts/data/values";
import type { DateGrain } from "@accord/contracts/insights/dataset-config";

/** First and last day, both of the bucket; null for what is no first day of one. */
export function bucketDays(grain: DateGrain, first: Value): { first: string; last: string } | null {
  const day = typeof first === "string" && /^\d{4}-\d\d-\d\d$/.test(first) ? readDay(first) : null;
  if (day === null) return null;
  const last = dayText(nextBucket(grain, day) - 1);
  return last === null ? null : { first: String(first), last };
}

function nextBucket(grain: DateGrain, day: number): number {
  switch (grain) {
    case "day":
      return day + 1;
    case "week":
      return day + 7;
    case "month":
      return addMonths(day, 1);
    case "quarter":
      return addMonths(day, 3);
    case "year":
      return addMonths(day, 12);
  }
}
