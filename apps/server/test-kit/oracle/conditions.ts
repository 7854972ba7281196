/**
 * Whether a condition holds for a row, after domain.md 5.2 and ADR 41: true or false, never unknown. Blank (null, empty text,
 * empty list) equals blank and nothing else; a negative operator is the exact opposite of its positive one; texts are
 * compared in small letters; a day beside a moment is the whole day in the time zone; moments are compared in milliseconds.
 */
import type { Condition, Operand, Predicate, PredicateOperator } from "@accord/contracts/data/predicate";
import type { Value } from "@accord/contracts/data/values";
import { addDays, addMonths, dayIn, startOf, startOfDay } from "./calendar.ts";
import { type Cell, msOf, valueOf } from "./cells.ts";
import { compareExact, exactOf } from "./exact.ts";

export interface Circumstances {
  timeZone: string;
  /** UTC milliseconds. */
  now: number;
  variables: ReadonlyMap<string, Value>;
}

type Read = (field: string) => Cell;
type Kind = "text" | "id" | "number" | "double" | "boolean" | "day" | "moment" | "list";

/** What two sides are compared as. A moment lasts a millisecond, a day beside moments lasts from its start to its end. */
type Comparable = string | number | boolean | { from: number; to: number } | ReadonlySet<string>;

/** `kindOfField` says how a field is compared. */
export interface FieldKinds {
  (field: string): Kind;
}

export const holds = (tree: Predicate, read: Read, kinds: FieldKinds, at: Circumstances): boolean =>
  holdsFor(tree, read, kinds, at) ?? true;

/** Null: the condition asks for a variable that nobody has set, so that there is no condition. */
function holdsFor(tree: Predicate, read: Read, kinds: FieldKinds, at: Circumstances): boolean | null {
  if (tree.type === "condition") return isAsked(tree, at) ? test(tree, read, kinds, at) : null;
  if (tree.children.length === 0) return true;
  const children = tree.children.map((child) => holdsFor(child, read, kinds, at)).filter((child) => child !== null);
  if (children.length === 0) return null;
  return tree.combinator === "and" ? children.every(Boolean) : children.some(Boolean);
}

const isAsked = ({ right }: Condition, { variables }: Circumstances): boolean =>
  right.every((operand) => operand.kind !== "variable" || !isBlankValue(variables.get(operand.apiName)));

const isBlankValue = (value: Value | undefined): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);

const OPPOSITES: Partial<Record<PredicateOperator, PredicateOperator>> = {
  notEquals: "equals",
  isNotBlank: "isBlank",
  notInList: "inList",
  notContains: "contains",
  excludes: "includesAny",
};

function test(condition: Condition, read: Read, kinds: FieldKinds, at: Circumstances): boolean {
  const opposite = OPPOSITES[condition.operator];
  if (opposite) return !test({ ...condition, operator: opposite }, read, kinds, at);
  const { left, operator, right } = condition;
  if (left.kind !== "field") throw new Error("the oracle compares fields");
  const cell = read(left.field);
  const others = right.flatMap((operand) => (operand.kind === "field" ? [kinds(operand.field)] : []));
  const kind = [kinds(left.field), ...others].reduce(commonKind);
  const values = right.flatMap((operand) => valuesOf(operand, read, at));
  switch (operator) {
    case "isBlank":
      return isBlankValue(valueOf(cell));
    case "isTrue":
      return cell?.kind === "boolean" && cell.is;
    case "isFalse":
      return cell?.kind === "boolean" && !cell.is;
    case "equals":
    case "inList":
      return kind === "list"
        ? sameItems(itemsOf(valueOf(cell)), itemsOf(values))
        : values.some((value) => isEqual(valueOf(cell), value, kind, at));
    case "includesAny":
      return [...itemsOf(values)].some((item) => itemsOf(valueOf(cell)).has(item));
    case "includesAll":
      return itemsOf(values).size > 0 && [...itemsOf(values)].every((item) => itemsOf(valueOf(cell)).has(item));
    case "less":
    case "lessOrEqual":
    case "greater":
    case "greaterOrEqual":
    case "between":
      return isOrdered(operator, valueOf(cell), values, kind, at);
    default: {
      const days = daysOf(operator, Number(values[0]), dayIn(at.timeZone, at.now));
      return days ? isWithin(cell, days, at) : testText(operator, valueOf(cell), values[0] ?? null);
    }
  }
}

/** A list of a variable is several values. */
function valuesOf(operand: Operand, read: Read, { variables }: Circumstances): Value[] {
  switch (operand.kind) {
    case "field":
      return [valueOf(read(operand.field))];
    case "literal":
      return Array.isArray(operand.value) ? operand.value : [operand.value];
    case "variable": {
      const value = variables.get(operand.apiName) ?? null;
      return Array.isArray(value) ? value : [value];
    }
    case "token":
      throw new Error("datasets have no tokens");
  }
}

/** Numbers of different types meet as the wider one; days and moments as days. */
function commonKind(one: Kind, other: Kind): Kind {
  if (one === other) return one;
  if (one === "double" || other === "double") return "double";
  return "day";
}

function isEqual(left: Value, right: Value, kind: Kind, at: Circumstances): boolean {
  if (isBlankValue(left) || isBlankValue(right)) return isBlankValue(left) && isBlankValue(right);
  return order(left, right, kind, at) === 0;
}

type Ordering = "less" | "lessOrEqual" | "greater" | "greaterOrEqual" | "between";

function isOrdered(
  operator: Ordering,
  left: Value,
  [first, second]: readonly Value[],
  kind: Kind,
  at: Circumstances,
): boolean {
  const against = (right: Value | undefined): number | null =>
    isBlankValue(left) || right === undefined || isBlankValue(right) ? null : order(left, right, kind, at);
  const place = against(first);
  if (place === null) return false;
  switch (operator) {
    case "less":
      return place < 0;
    case "lessOrEqual":
      return place <= 0;
    case "greater":
      return place > 0;
    case "greaterOrEqual":
      return place >= 0;
    case "between": {
      const end = against(second);
      return end !== null && place >= 0 && end <= 0;
    }
  }
}

/** Before (-1), at or in (0), after (1). */
function order(left: Value, right: Value, kind: Kind, at: Circumstances): number {
  if (kind === "number") return compareExact(exactOf(plainOf(left)), exactOf(plainOf(right)));
  const [one, other] = [comparableOf(left, kind, at), comparableOf(right, kind, at)];
  if (typeof one === "object" && "from" in one && typeof other === "object" && "from" in other)
    return one.from < other.from ? -1 : one.from >= other.to ? 1 : 0;
  return one < other ? -1 : one > other ? 1 : 0;
}

const plainOf = (value: Value): string => (value === "-0" ? "0" : String(value));

function comparableOf(value: Value, kind: Kind, { timeZone }: Circumstances): Comparable {
  const text = String(value);
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  switch (kind) {
    case "text":
      return text.toLowerCase();
    case "double":
      return Number(text);
    case "boolean":
      return text === "true";
    case "day":
      return isDay ? text : dayIn(timeZone, Date.parse(text));
    case "moment": {
      if (isDay) return { from: startOfDay(timeZone, text), to: startOfDay(timeZone, addDays(text, 1)) };
      const ms = Date.parse(text);
      return { from: ms, to: ms + 1 };
    }
    default:
      return text;
  }
}

/** In small letters; blank items are none. */
const itemsOf = (value: Value): ReadonlySet<string> =>
  new Set(
    (Array.isArray(value) ? value : [value])
      .filter((item) => !isBlankValue(item))
      .map((item) => String(item).toLowerCase()),
  );

const sameItems = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((item) => other.has(item));

interface Days {
  first: string;
  last: string;
}

/** Today belongs to what was last and what is next. */
function daysOf(operator: PredicateOperator, amount: number, today: string): Days | null {
  const whole = (grain: "week" | "month" | "quarter" | "year", next: (first: string) => string): Days => {
    const first = startOf(grain, today);
    return { first, last: addDays(next(first), -1) };
  };
  switch (operator) {
    case "lastDays":
      return { first: addDays(today, -amount), last: today };
    case "nextDays":
      return { first: today, last: addDays(today, amount) };
    case "lastWeeks":
      return { first: addDays(today, -7 * amount), last: today };
    case "nextWeeks":
      return { first: today, last: addDays(today, 7 * amount) };
    case "lastMonths":
      return { first: addMonths(today, -amount), last: today };
    case "nextMonths":
      return { first: today, last: addMonths(today, amount) };
    case "today":
      return { first: today, last: today };
    case "thisWeek":
      return whole("week", (first) => addDays(first, 7));
    case "thisMonth":
      return whole("month", (first) => addMonths(first, 1));
    case "thisQuarter":
      return whole("quarter", (first) => addMonths(first, 3));
    case "thisYear":
      return whole("year", (first) => addMonths(first, 12));
    default:
      return null;
  }
}

function isWithin(cell: Cell, { first, last }: Days, { timeZone }: Circumstances): boolean {
  const day = cell?.kind === "day" ? cell.day : cell?.kind === "moment" ? dayIn(timeZone, msOf(cell.micros)) : null;
  return day !== null && day >= first && day <= last;
}

function testText(operator: PredicateOperator, left: Value, right: Value): boolean {
  const [text, wanted] = [left === null ? "" : String(left), right === null ? "" : String(right)];
  const [small, smallWanted] = [text.toLowerCase(), wanted.toLowerCase()];
  // Characters, not halves of them. A blank text has none.
  const length = Array.from(text).length;
  switch (operator) {
    case "lengthEquals":
      return length === Number(right);
    case "lengthLess":
      return length < Number(right);
    case "lengthGreater":
      return length > Number(right);
    case "contains":
      return text !== "" && wanted !== "" && small.includes(smallWanted);
    case "startsWith":
      return text !== "" && wanted !== "" && small.startsWith(smallWanted);
    case "endsWith":
      return text !== "" && wanted !== "" && small.endsWith(smallWanted);
    // The one comparison that heeds capital letters.
    case "matchesRegex":
      return text !== "" && new RegExp(wanted, "u").test(text);
    case "isEmail":
      return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);
    default:
      throw new Error(`the oracle does not know ${operator}`);
  }
}
