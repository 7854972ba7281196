/** Values made ready to compare: one plain form for each kind. */
import type { PredicateOperator } from "@accord/contracts/data/predicate";
import type { Value } from "@accord/contracts/data/values";
import { foldText, isBlank, numberText, textOf } from "../values/compare.ts";
import { compareDecimals, integerValue } from "../values/decimal.ts";
import type { Kind } from "../values/kind.ts";
import { isStorableText } from "../values/storable.ts";
import { DAY_MS, dayOfMoment, fromZonedTime, readDay, readTime, startOfDay } from "../values/time.ts";

/** Milliseconds from `from` up to, not including, `to`: a whole day, or the single millisecond of a moment. */
export interface Span {
  from: number;
  to: number;
}
/** text, id: text · numbers: number, or digits beyond exact numbers · date: day number · moment: span · list: set of texts. */
export type ComparableValue = string | number | boolean | Span | ReadonlySet<string>;

/** The value as something of this kind, or null when it is blank or nothing of this kind. */
export function comparableValueOf(value: Value | undefined, kind: Kind, timeZone: string): ComparableValue | null {
  if (value === null || value === undefined || value === "") return null;
  switch (kind) {
    case "text":
      return storable(foldText(textOf(value)));
    case "id":
      return storable(textOf(value));
    case "integer":
    case "decimal":
      return exactNumber(value);
    case "double":
      return inexactNumber(value);
    case "boolean":
      return booleanOf(value);
    case "date":
      return dayOf(value, timeZone);
    case "moment":
      return spanOf(value, timeZone);
    case "list":
      return listOf(value);
    case "object":
      return null;
  }
}

const storable = (text: string): string | null => (isStorableText(text) ? text : null);

function exactNumber(value: Value): number | string | null {
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  const text = numberText(value);
  return text === null ? null : text.includes(".") ? text : integerValue(text);
}

function inexactNumber(value: Value): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  const text = numberText(value);
  if (text === null) return null;
  const number = Number(text);
  return Number.isFinite(number) ? number : null;
}

function booleanOf(value: Value): boolean | null {
  if (typeof value === "boolean") return value;
  const word = textOf(value).trim().toLowerCase();
  return word === "true" || word === "yes" || word === "1"
    ? true
    : word === "false" || word === "no" || word === "0"
      ? false
      : null;
}

function readOf(value: Value) {
  if (typeof value === "string") return readTime(value);
  return typeof value === "number" && Number.isInteger(value) && Math.abs(value) <= 8.64e15
    ? ({ kind: "moment", ms: value } as const)
    : null;
}

function dayOf(value: Value, timeZone: string): number | null {
  if (typeof value === "string") {
    const day = readDay(value);
    if (day !== null) return day;
  }
  const read = readOf(value);
  return read === null ? null : read.kind === "moment" ? dayOfMoment(read.ms, timeZone) : read.day;
}

function spanOf(value: Value, timeZone: string): Span | null {
  const read = readOf(value);
  if (read === null) return null;
  switch (read.kind) {
    case "date":
      return spanOfDays(read.day, read.day, timeZone);
    case "moment":
      return { from: read.ms, to: read.ms + 1 };
    case "local": {
      const ms = fromZonedTime(read.day * DAY_MS + read.ms, timeZone);
      return { from: ms, to: ms + 1 };
    }
  }
}

/** From the first day's start to the last day's end in a zone. */
export const spanOfDays = (first: number, last: number, timeZone: string): Span => ({
  from: startOfDay(first, timeZone),
  to: startOfDay(last + 1, timeZone),
});

/** A single value counts as a list of one; blank items are no items. */
function listOf(value: Value): ReadonlySet<string> | null {
  const items = (Array.isArray(value) ? value : [value]).filter((item) => !isBlank(item)).map(foldedText);
  return items.every(isStorableText) ? new Set(items) : null;
}

const foldedText = (item: Value): string => foldText(textOf(item));

/** Where a stored value lies against a datum: before (-1), at or inside (0), after (1). */
export function order(left: ComparableValue, right: ComparableValue): -1 | 0 | 1 {
  if (typeof right === "object" && "from" in right) {
    const at = typeof left === "object" && "from" in left ? left.from : Number(left);
    return at < right.from ? -1 : at >= right.to ? 1 : 0;
  }
  if (typeof left === "number" && typeof right === "number") return left === right ? 0 : left < right ? -1 : 1;
  const found = compareDecimals(String(left), String(right));
  return found === 0 ? 0 : found < 0 ? -1 : 1;
}

const KIND_OF_OPERATOR: Partial<Record<PredicateOperator, Kind>> = {
  contains: "text",
  startsWith: "text",
  endsWith: "text",
  matchesRegex: "text",
  lengthEquals: "text",
  lengthLess: "text",
  lengthGreater: "text",
  isEmail: "text",
  isUrl: "text",
  isPhoneNumber: "text",
  inReferenceData: "text",
  isTrue: "boolean",
  isFalse: "boolean",
  includesAny: "list",
  includesAll: "list",
  lastDays: "moment",
  nextDays: "moment",
  lastWeeks: "moment",
  nextWeeks: "moment",
  lastMonths: "moment",
  nextMonths: "moment",
  today: "moment",
  thisWeek: "moment",
  thisMonth: "moment",
  thisQuarter: "moment",
  thisYear: "moment",
};
const ORDERING: ReadonlySet<PredicateOperator> = new Set([
  "less",
  "lessOrEqual",
  "greater",
  "greaterOrEqual",
  "between",
]);

/** How to compare when no field says it: by the operator, else by the values themselves. */
export function kindOfValues(operator: PredicateOperator, left: Value | undefined, right: readonly Value[]): Kind {
  const known = KIND_OF_OPERATOR[operator];
  if (known) return known;
  if (ORDERING.has(operator)) return numberText(left) === null ? "moment" : "decimal";
  const values = [left ?? null, ...right];
  if (Array.isArray(left)) return "list";
  if (values.some((value) => typeof value === "boolean")) return "boolean";
  return values.some((value) => typeof value === "number") ? "decimal" : "text";
}
