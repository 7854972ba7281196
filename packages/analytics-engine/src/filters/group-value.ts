/** Whether a value can be compared with those of a column: what comes from an address may be anything. */
import { kindOf, type FieldShape } from "@accord/expressions";
import type { Value } from "@accord/contracts/data/values";
import type { DateGrain } from "@accord/contracts/insights/dataset-config";
import { bucketDays } from "../records/bucket-days.ts";

/** Longer texts may have been cut in the answer. */
const MAX_GROUP_TEXT = 1_000;

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/;
const NUMBER = /^-?\d{1,400}(\.\d{1,400})?$/;
const NO_NUMBERS: ReadonlySet<Value> = new Set(["NaN", "Infinity", "-Infinity"]);

/** Whether the column can hold the value, as cards answer it. */
export function isGroupValue(value: Value, column: FieldShape, grain: DateGrain | null): boolean {
  if (value === null) return true;
  if (grain) return bucketDays("day", value) !== null;
  switch (kindOf(column)) {
    case "list":
    case "object":
      return false;
    case "boolean":
      return typeof value === "boolean";
    case "text":
    case "id":
      return typeof value === "string" && value.length <= MAX_GROUP_TEXT;
    case "date":
      return bucketDays("day", value) !== null;
    case "moment":
      return isMoment(value);
    case "double":
      return isNumber(value) || NO_NUMBERS.has(value);
    case "integer":
    case "decimal":
      return isNumber(value);
  }
}

const isNumber = (value: Value): boolean =>
  typeof value === "number" || (typeof value === "string" && NUMBER.test(value));

const isMoment = (value: Value): boolean =>
  typeof value === "string" && MOMENT.test(value) && bucketDays("day", value.slice(0, 10)) !== null && isTime(value);

/** `Date` takes 24:00 for the next day, and so does PostgreSQL; other hours beyond the day neither does. */
const isTime = (moment: string): boolean => !Number.isNaN(Date.parse(moment));
