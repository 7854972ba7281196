/** Filters and sorts of the simulated Notion's queries. */
import { isObject, type Json } from "../kit.ts";
import { instead, invalid, shouldBe } from "./refusals.ts";
import { propertyNamed, type Database, type Property } from "./schema.ts";

/** The value of a property as answers have it behind its type. */
export type ValueOf<Subject> = (subject: Subject, property: Property) => unknown;
export interface Reading<Subject> {
  database: Database;
  valueOf: ValueOf<Subject>;
  /** Shown times, in whole minutes: what is finer can't be asked for. */
  timeOf(subject: Subject, name: "created_time" | "last_edited_time"): string;
}

type Test = (value: unknown) => boolean;
type Comparer = (operand: unknown, place: string) => Test;

const isEmpty: Test = (value) =>
  value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
const EMPTY: Readonly<Record<string, Comparer>> = {
  is_empty: (operand, place) => (operand === true ? isEmpty : shouldBe(place, "`true`", operand)),
  is_not_empty: (operand, place) =>
    operand === true ? (value) => !isEmpty(value) : shouldBe(place, "`true`", operand),
};

const stringOf = (operand: unknown, place: string): string =>
  typeof operand === "string" ? operand : shouldBe(place, "a string", operand);
const numberOf = (operand: unknown, place: string): number =>
  typeof operand === "number" ? operand : shouldBe(place, "a number", operand);
const plain = (value: unknown): string =>
  Array.isArray(value)
    ? value.map((one: unknown) => (isObject(one) ? String(one["plain_text"]) : "")).join("")
    : String(value ?? "");

const text =
  (test: (held: string, wanted: string) => boolean): Comparer =>
  (operand, place) => {
    const wanted = stringOf(operand, place).toLowerCase();
    return (value) => test(plain(value).toLowerCase(), wanted);
  };
const TEXT: Readonly<Record<string, Comparer>> = {
  ...EMPTY,
  equals: text((held, wanted) => held === wanted),
  does_not_equal: text((held, wanted) => held !== wanted),
  contains: text((held, wanted) => held.includes(wanted)),
  does_not_contain: text((held, wanted) => !held.includes(wanted)),
  starts_with: text((held, wanted) => held.startsWith(wanted)),
  ends_with: text((held, wanted) => held.endsWith(wanted)),
};
const number =
  (test: (held: number, wanted: number) => boolean): Comparer =>
  (operand, place) => {
    const wanted = numberOf(operand, place);
    return (value) => typeof value === "number" && test(value, wanted);
  };
const NUMBER: Readonly<Record<string, Comparer>> = {
  ...EMPTY,
  equals: number((held, wanted) => held === wanted),
  does_not_equal(operand, place) {
    const wanted = numberOf(operand, place);
    return (value) => value !== wanted;
  },
  greater_than: number((held, wanted) => held > wanted),
  less_than: number((held, wanted) => held < wanted),
  greater_than_or_equal_to: number((held, wanted) => held >= wanted),
  less_than_or_equal_to: number((held, wanted) => held <= wanted),
};
const flag =
  (isSame: boolean): Comparer =>
  (operand, place) =>
    typeof operand === "boolean" ? (value) => (value === operand) === isSame : shouldBe(place, "a boolean", operand);
const CHECKBOX: Readonly<Record<string, Comparer>> = { equals: flag(true), does_not_equal: flag(false) };
const nameOf = (value: unknown): unknown => (isObject(value) ? value["name"] : null);
/** A test of a value against a text that is asked for. */
const against =
  (test: (value: unknown, wanted: string) => boolean): Comparer =>
  (operand, place) => {
    const wanted = stringOf(operand, place);
    return (value) => test(value, wanted);
  };
const OPTION: Readonly<Record<string, Comparer>> = {
  ...EMPTY,
  equals: against((value, wanted) => nameOf(value) === wanted),
  does_not_equal: against((value, wanted) => nameOf(value) !== wanted),
};
const hasMember = (value: unknown, wanted: string): boolean =>
  Array.isArray(value) &&
  value.some((one: unknown) => isObject(one) && (one["name"] === wanted || one["id"] === wanted));
const LIST: Readonly<Record<string, Comparer>> = {
  ...EMPTY,
  contains: against(hasMember),
  does_not_contain: against((value, wanted) => !hasMember(value, wanted)),
};

const startOf = (value: unknown): string | null =>
  typeof value === "string" ? value : isObject(value) && typeof value["start"] === "string" ? value["start"] : null;
const moment =
  (test: (held: number, from: number, to: number) => boolean): Comparer =>
  (operand, place) => {
    const given = stringOf(operand, place);
    const from = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/.test(given) ? Date.parse(given) : NaN;
    if (Number.isNaN(from)) return shouldBe(place, "a valid ISO 8601 date string", operand);
    // A day means all of it.
    const to = given.length === 10 ? from + 86_399_999 : from;
    return (value) => {
      const held = startOf(value);
      return held !== null && test(Date.parse(held), from, to);
    };
  };
const DATE: Readonly<Record<string, Comparer>> = {
  ...EMPTY,
  equals: moment((held, from, to) => held >= from && held <= to),
  before: moment((held, from) => held < from),
  after: moment((held, _from, to) => held > to),
  on_or_before: moment((held, _from, to) => held <= to),
  on_or_after: moment((held, from) => held >= from),
};

const CONDITIONS: Readonly<Record<string, Readonly<Record<string, Comparer>>>> = {
  title: TEXT,
  rich_text: TEXT,
  url: TEXT,
  email: TEXT,
  phone_number: TEXT,
  number: NUMBER,
  unique_id: NUMBER,
  checkbox: CHECKBOX,
  select: OPTION,
  status: OPTION,
  multi_select: LIST,
  people: LIST,
  relation: LIST,
  created_by: LIST,
  last_edited_by: LIST,
  files: EMPTY,
  date: DATE,
  created_time: DATE,
  last_edited_time: DATE,
};

function conditionOf(type: string, condition: unknown, place: string): Test {
  const known = CONDITIONS[type];
  if (known === undefined || !isObject(condition)) return shouldBe(place, "defined", condition);
  const [entry, more] = Object.entries(condition);
  if (entry === undefined || more !== undefined)
    return invalid(`body failed validation: ${place} should have one condition, ${instead(condition)}`);
  const [operator, operand] = entry;
  const comparer = known[operator];
  return comparer === undefined
    ? shouldBe(`${place}.${operator}`, "not present", operand)
    : comparer(operand, `${place}.${operator}`);
}

const DEPTH = 2;

export function filterOf<Subject>(
  filter: unknown,
  reading: Reading<Subject>,
  place = "body.filter",
  depth = 0,
): (subject: Subject) => boolean {
  if (!isObject(filter)) return shouldBe(place, "an object or `undefined`", filter);
  for (const joint of ["and", "or"] as const) {
    const parts = filter[joint];
    if (parts === undefined) continue;
    if (depth >= DEPTH || !Array.isArray(parts)) return shouldBe(`${place}.${joint}`, "not present", parts);
    const tests = parts.map((part: unknown, at) => filterOf(part, reading, `${place}.${joint}[${at}]`, depth + 1));
    return joint === "and"
      ? (subject) => tests.every((test) => test(subject))
      : (subject) => tests.some((test) => test(subject));
  }
  const { timestamp, property: name } = filter;
  if (timestamp !== undefined) {
    if (timestamp !== "created_time" && timestamp !== "last_edited_time")
      return shouldBe(`${place}.timestamp`, '`"created_time"` or `"last_edited_time"`', timestamp);
    const test = conditionOf(timestamp, filter[timestamp], `${place}.${timestamp}`);
    return (subject) => test(reading.timeOf(subject, timestamp));
  }
  if (typeof name !== "string") return shouldBe(`${place}.property`, "a string", name);
  return propertyFilter(filter, name, reading, place);
}

function propertyFilter<Subject>(
  filter: Json,
  name: string,
  { database, valueOf }: Reading<Subject>,
  place: string,
): (subject: Subject) => boolean {
  const property = propertyNamed(database, name);
  if (property === undefined) return invalid(`Could not find property with name or id: ${name}`);
  const [type] = Object.keys(filter).filter((key) => key !== "property" && key !== "type");
  if (type === undefined || CONDITIONS[type] === undefined)
    return shouldBe(`${place}.${property.type}`, "defined", filter[property.type]);
  // A title may be filtered as the text that it is.
  if (type !== property.type && !(type === "rich_text" && property.type === "title"))
    return invalid(`database property ${property.type} does not match filter ${type}`);
  const test = conditionOf(type, filter[type], `${place}.${type}`);
  return (subject) => test(type === "unique_id" ? numberIn(valueOf(subject, property)) : valueOf(subject, property));
}

const numberIn = (value: unknown): unknown => (isObject(value) ? value["number"] : value);

export interface Sort<Subject> {
  key(subject: Subject): string | number;
  isDown: boolean;
}

export function sortsOf<Subject>(sorts: unknown, reading: Reading<Subject>): Sort<Subject>[] {
  if (!Array.isArray(sorts)) return shouldBe("body.sorts", "an array or `undefined`", sorts);
  return sorts.map((sort: unknown, at): Sort<Subject> => {
    const place = `body.sorts[${at}]`;
    if (!isObject(sort)) return shouldBe(place, "an object", sort);
    const { property: name, timestamp, direction } = sort;
    if (direction !== "ascending" && direction !== "descending")
      return shouldBe(`${place}.direction`, '`"ascending"` or `"descending"`', direction);
    const isDown = direction === "descending";
    if (timestamp === "created_time" || timestamp === "last_edited_time")
      return { key: (subject) => reading.timeOf(subject, timestamp), isDown };
    if (typeof name !== "string") return shouldBe(`${place}.property`, "defined", name);
    const property = propertyNamed(reading.database, name);
    if (property === undefined) return invalid(`Could not find sort property with name or id: ${name}`);
    return { key: (subject) => sortKey(reading.valueOf(subject, property)), isDown };
  });
}

function sortKey(value: unknown): string | number {
  if (typeof value === "number") return value;
  if (typeof value === "boolean") return Number(value);
  if (isObject(value)) return String(value["start"] ?? value["name"] ?? value["number"] ?? "");
  return plain(value);
}
