/** Operators of predicates as tests of one value. */
import type { PredicateOperator } from "@accord/contracts/data/predicate";
import type { Value } from "@accord/contracts/data/values";
import { compileRegex, SHAPE_PATTERNS } from "../regex/portable.ts";
import { isBlank, textOf } from "../values/compare.ts";
import { characterCount } from "../values/convert.ts";
import type { Kind } from "../values/kind.ts";
import { type ComparableValue, comparableValueOf, order, spanOfDays } from "./datum.ts";
import { wholeAmount } from "./plan.ts";
import { relativeDays } from "./relative-dates.ts";

type ValueTest = (left: Value | undefined) => boolean;

/** The test of one operator against fixed values on its right. */
export function valueTest(
  operator: PredicateOperator,
  kind: Kind,
  right: readonly Value[],
  timeZone: string,
  now: number,
): ValueTest {
  const read = (value: Value | undefined) => comparableValueOf(value, kind, timeZone);
  switch (operator) {
    case "equals":
      return kind === "list" ? listEquals(right, read) : equalsAny(right, kind, read);
    case "inList":
      return equalsAny(right, kind, read);
    case "isBlank":
      return isBlank;
    case "isTrue":
      return (value) => read(value) === true;
    case "isFalse":
      return (value) => read(value) === false;
    case "includesAny":
    case "includesAll":
      return listIncludes(operator, right, read);
    case "less":
    case "lessOrEqual":
    case "greater":
    case "greaterOrEqual":
    case "between":
      return ordering(operator, right, read);
    default: {
      const days = relativeDays(operator, wholeAmount(right[0]) ?? -1, now, timeZone);
      if (!days) return textTest(operator, right);
      if (days.first > days.last) return () => false;
      if (kind === "date") return (value) => isWithin(read(value), days.first, days.last);
      const span = spanOfDays(days.first, days.last, timeZone);
      return (value) => {
        const datum = read(value);
        return datum !== null && order(datum, span) === 0;
      };
    }
  }
}

const isWithin = (datum: ComparableValue | null, first: number, last: number): boolean =>
  typeof datum === "number" && datum >= first && datum <= last;

type ReadDatum = (value: Value | undefined) => ComparableValue | null;

function equalsAny(right: readonly Value[], kind: Kind, read: ReadDatum): ValueTest {
  const allowsBlank = right.some(isBlank);
  const wanted = right.map(read).filter((datum) => datum !== null);
  if (kind === "moment" || kind === "integer" || kind === "decimal" || kind === "double" || kind === "date")
    return (value) => {
      if (isBlank(value)) return allowsBlank;
      const datum = read(value);
      return datum !== null && wanted.some((one) => order(datum, one) === 0);
    };
  const set = new Set(wanted);
  return (value) => {
    if (isBlank(value)) return allowsBlank;
    const datum = read(value);
    return datum !== null && set.has(datum);
  };
}

function listEquals(right: readonly Value[], read: ReadDatum): ValueTest {
  const datum = read([...right]);
  const wanted = itemsIn(datum);
  return (value) => {
    const found = itemsIn(read(value));
    return datum !== null && found.size === wanted.size && [...wanted].every((item) => found.has(item));
  };
}

const NO_ITEMS: ReadonlySet<string> = new Set();
const itemsIn = (list: ComparableValue | null): ReadonlySet<string> => (list instanceof Set ? list : NO_ITEMS);

function listIncludes(operator: "includesAny" | "includesAll", right: readonly Value[], read: ReadDatum): ValueTest {
  const wanted = [...itemsIn(read([...right]))];
  if (wanted.length === 0) return () => false;
  return (value) => {
    const found = itemsIn(read(value));
    return operator === "includesAny"
      ? wanted.some((item) => found.has(item))
      : wanted.every((item) => found.has(item));
  };
}

function ordering(operator: PredicateOperator, right: readonly Value[], read: ReadDatum): ValueTest {
  const first = read(right[0]);
  const second = operator === "between" ? read(right[1]) : first;
  if (first === null || second === null) return () => false;
  const holds = (datum: ComparableValue): boolean => {
    switch (operator) {
      case "less":
        return order(datum, first) < 0;
      case "lessOrEqual":
        return order(datum, first) <= 0;
      case "greater":
        return order(datum, first) > 0;
      case "greaterOrEqual":
        return order(datum, first) >= 0;
      default:
        return order(datum, first) >= 0 && order(datum, second) <= 0;
    }
  };
  return (value) => {
    const datum = read(value);
    return datum !== null && holds(datum);
  };
}

function textTest(operator: PredicateOperator, right: readonly Value[]): ValueTest {
  const wanted = textOf(right[0]).toLowerCase();
  const length = wholeAmount(right[0]);
  switch (operator) {
    case "contains":
      return onText(wanted, (text) => text.includes(wanted));
    case "startsWith":
      return onText(wanted, (text) => text.startsWith(wanted));
    case "endsWith":
      return onText(wanted, (text) => text.endsWith(wanted));
    case "lengthEquals":
      return (value) => characterCount(textOf(value)) === length;
    case "lengthLess":
      return (value) => length !== null && characterCount(textOf(value)) < length;
    case "lengthGreater":
      return (value) => length !== null && characterCount(textOf(value)) > length;
    case "matchesRegex":
      return matching(textOf(right[0]));
    case "isEmail":
    case "isUrl":
    case "isPhoneNumber":
      return matching(SHAPE_PATTERNS[operator]);
    default:
      throw new Error(`operator ${operator} has no test`);
  }
}

const onText =
  (wanted: string, test: (text: string) => boolean): ValueTest =>
  (value) =>
    wanted !== "" && !isBlank(value) && test(textOf(value).toLowerCase());

/** Blank never matches, not even an expression that allows nothing. */
function matching(pattern: string): ValueTest {
  const regex = compileRegex(pattern);
  return (value) => !isBlank(value) && regex.test(textOf(value));
}
