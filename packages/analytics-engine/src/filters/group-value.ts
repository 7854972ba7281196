/** Whether a value can be compared with those of a column: what comes from an address may be anything. */
import { kindOf, type FieldShape } from "@accord/expressions";
import type { Value } from "@accord/contracts/data/values";
import type { DateGrain } from "@accord/contracts/insights/dataset-config";
import { bucketDays } from "../records/bucket-days.ts";

/** Longer texts may have been cut in the answer. */
export const MAX_GROUP_TEXT = 1_000;

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/;
const NUMBER = /^-?\d{1,400}(\.\d{1,400})?$/;
const NO_NUMBERS: ReadonlySet<Value> = new Set(["NaN", "Infinity", "-Infinity"]);

/** What a value of the column must be, for the message; null when it is one. */
export function groupValueProblem(value: Value, column: FieldShape, grain: DateGrain | null): string | null {
  if (value === null) return null;
  if (grain) return bucketDays("day", value) ? null : "must be the first day of a period: YYYY-MM-DD";
  switch (kindOf(column)) {
    case "list":
    case "object":
      return "can't be filtered by: the column holds lists or objects";
    case "boolean":
      return typeof value === "boolean" ? null : "must be true or false";
    case "text":
    case "id":
      if (typeof value !== "string") return "must be a text";
      return value.length <= MAX_GROUP_TEXT ? null : `must have at most ${MAX_GROUP_TEXT} characters`;
    case "date":
      return bucketDays("day", value) ? null : "must be a day: YYYY-MM-DD";
    case "moment":
      return isMoment(value) ? null : "must be a moment: YYYY-MM-DDThh:mm:ssZ";
    case "double":
      return isNumber(value) || NO_NUMBERS.has(value) ? null : "must be a number";
    case "integer":
    case "decimal":
      return isNumber(value) ? null : "must be a number";
  }
}

const isNumber = (value: Value): boolean =>
  typeof value === "number" || (typeof value === "string" && NUMBER.test(value));

const isMoment = (value: Value): boolean =>
  typeof value === "string" && MOMENT.test(value) && bucketDays("day", value.slice(0, 10)) !== null && isTime(value);

/** `Date` takes 24:00 for the next day, and so does PostgreSQL; other hours beyond the day neither does. */
const isTime = (moment: string): boolean => !Number.isNaN(Date.parse(moment));
