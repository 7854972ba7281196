/** From a mark of a card to the filter that data studio shows its records by. Throws `NoRecordsError` where none can. */
import { isBlank, kindOf } from "@accord/expressions";
import type { Condition, Operand, Predicate, PredicateOperator } from "@accord/contracts/data/predicate";
import type { Value } from "@accord/contracts/data/values";
import type { CardConfiguration } from "@accord/contracts/insights/cards";
import type { MarkGroup } from "@accord/contracts/insights/cross-filter";
import type { CardMark } from "@accord/contracts/insights/mark-records";
import { cardShape } from "../card-query.ts";
import type { Relation } from "../catalogue.ts";
import type { Query } from "../query.ts";
import { bucketDays } from "./bucket-days.ts";
import { conditionFilter, isTrue, TRUE } from "./condition-filter.ts";
import { type ColumnOrigin, type FieldOrigin, NoRecordsError, type Origin, recordsQuery } from "./origins.ts";

/** What the rows of one group have in common, as the answer of the card groups them and as filters say it. */
export interface GroupFilter {
  origin: FieldOrigin | (Origin & { kind: "bucket" });
  group: MarkGroup;
  predicate: Predicate;
  /** The same, with capital letters of texts distinguished where a filter can do so. */
  exact: Predicate;
}

export interface MarkFilter {
  relation: Relation;
  /** Of the dataset, with the values of its variables. */
  rows: Predicate[];
  /** Fields that those name. */
  fields: FieldOrigin[];
  groups: GroupFilter[];
  /** What the dashboard is filtered by: of each filter one mark holds, of a mark all groups. */
  filters: GroupFilter[][][];
  /** The field of which only records that have a value are counted. */
  counted: { field: FieldOrigin; predicate: Predicate } | null;
}

/** Longer texts may have been cut in the answer. */
const MAX_TEXT = 1_000;

/**
 * The mark's conditions on the records the dataset starts from. Texts that differ in their capital letters alone are one
 * to most filters: whether that matters, the records say.
 */
export function markFilter(card: CardConfiguration, dataset: Query, mark: CardMark): MarkFilter {
  const query = recordsQuery(cardShape(card, dataset));
  const named = mark.groups.map((group) => ({ group, column: columnNamed(query.columns, group.column) }));
  const names = new Set(mark.groups.map(({ column }) => column));
  const isKnown = query.grouped || query.rowKeys?.every((key) => names.has(key));
  if (query.rowKeys === null || !isKnown) throw new NoRecordsError("single_row");
  // Where the dataset groups, values that it folded follow from the others.
  const groups = query.grouped ? named : named.filter(({ column }) => column.origin.kind !== "aggregate");
  return {
    relation: query.relation,
    rows: query.conditions.map(conditionFilter).filter((one) => !isTrue(one)),
    fields: query.conditions.flatMap(({ origins }) => [...origins.values()]).filter((one) => one.kind === "field"),
    groups: groups.map(({ group, column }) => groupFilter(group, column)),
    filters: query.filters.map((marks) =>
      marks.map((mark) => mark.map(({ group, column }) => groupFilter(group, column))),
    ),
    counted: countedFilter(columnNamed(query.columns, mark.value)),
  };
}

/** The filter as one tree; null when every record is behind the mark. */
export const predicateOf = (filter: MarkFilter): Predicate | null => wholeOf(filter, "predicate");

/** The same, with capital letters of texts distinguished where a filter can do so. */
export const exactPredicateOf = (filter: MarkFilter): Predicate | null => wholeOf(filter, "exact");

function wholeOf(filter: MarkFilter, kind: "predicate" | "exact"): Predicate | null {
  const { rows, counted } = filter;
  return allOf([...rows, ...groupPredicates(filter, kind), ...(counted ? [counted.predicate] : [])]);
}

/** Of the mark itself and of what the dashboard is filtered by; all of them hold. */
export function groupPredicates({ groups, filters }: MarkFilter, kind: "predicate" | "exact"): Predicate[] {
  const ofMark = (mark: readonly GroupFilter[]): Predicate => allOf(mark.map((group) => group[kind])) ?? TRUE;
  return [...groups.map((group) => group[kind]), ...filters.flatMap((marks) => oneOf(marks.map(ofMark)))];
}

function oneOf(parts: readonly Predicate[]): Predicate[] {
  if (parts.some(isTrue)) return [];
  const [only] = parts;
  return only && parts.length === 1 ? [only] : [{ type: "group", combinator: "or", children: [...parts] }];
}

function allOf(parts: readonly Predicate[]): Predicate | null {
  // One AND at the top: each of its conditions can be taken away by itself.
  const children = parts.flatMap((part) =>
    part.type === "group" && part.combinator === "and" ? part.children : [part],
  );
  if (children.length === 0) return null;
  return { type: "group", combinator: "and", children };
}

function columnNamed(columns: ReadonlyMap<string, ColumnOrigin>, name: string): ColumnOrigin {
  const found = columns.get(name);
  if (!found) throw new UnknownColumnError(name);
  return found;
}

/** The mark names a column that the card's answer does not have. */
export class UnknownColumnError extends Error {
  override readonly name = "UnknownColumnError";
  readonly column: string;
  constructor(column: string) {
    super(`the answer has no column ${column}`);
    this.column = column;
  }
}

function groupFilter(group: MarkGroup, { origin, displayName }: ColumnOrigin): GroupFilter {
  if (origin.kind === "joined") throw new NoRecordsError("joined_field", displayName);
  if (origin.kind === "computed" || origin.kind === "aggregate")
    throw new NoRecordsError("computed_field", displayName);
  const refuse = (): never => {
    throw new NoRecordsError(group.isOthers ? "other_dates" : "value_type", displayName);
  };
  if (origin.kind === "bucket") {
    const predicate = anyOf(group, (value) => bucketFilter(origin.of.name, origin.grain, value), refuse);
    return { origin, group, predicate, exact: predicate };
  }
  const { predicate, exact } = fieldFilter(origin, group, refuse);
  return { origin, group, predicate, exact };
}

type Single = (value: Value) => Predicate | null;
type Refuse = () => never;

/** One condition for each value. */
function anyOf({ values, isOthers }: MarkGroup, single: Single, refuse: Refuse): Predicate {
  if (isOthers) return refuse();
  const children = values.map((value) => single(value) ?? refuse());
  const [only] = children;
  return only && children.length === 1 ? only : { type: "group", combinator: "or", children };
}

function bucketFilter(field: string, grain: Parameters<typeof bucketDays>[0], value: Value): Predicate | null {
  if (value === null) return condition(field, "isBlank");
  const days = bucketDays(grain, value);
  return days && condition(field, "between", [days.first, days.last]);
}

function fieldFilter(field: FieldOrigin, group: MarkGroup, refuse: Refuse): Pick<GroupFilter, "predicate" | "exact"> {
  const kind = kindOf(field);
  switch (kind) {
    case "list":
    case "object":
      return refuse();
    case "boolean": {
      const predicate = anyOf(group, (value) => booleanFilter(field.name, value), refuse);
      return { predicate, exact: predicate };
    }
    default: {
      if (!group.values.every((value) => isComparable(value, kind))) return refuse();
      const predicate = listFilter(field.name, group);
      return { predicate, exact: kind === "text" ? exactFilter(field.name, group, predicate) : predicate };
    }
  }
}

function booleanFilter(field: string, value: Value): Predicate | null {
  if (value === null) return condition(field, "isBlank");
  return typeof value === "boolean" ? condition(field, value ? "isTrue" : "isFalse") : null;
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/;

/** Whether a filter compares with the value as it is in the answer. */
function isComparable(value: Value, kind: Exclude<ReturnType<typeof kindOf>, "list" | "object" | "boolean">): boolean {
  if (value === null) return true;
  switch (kind) {
    case "text":
    case "id":
      return typeof value === "string" && value.length <= MAX_TEXT;
    case "date":
      return typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value);
    case "moment":
      return typeof value === "string" && MOMENT.test(value);
    case "integer":
    case "decimal":
    case "double":
      return typeof value === "number" || (typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value));
  }
}

function listFilter(field: string, { values, isOthers }: MarkGroup): Predicate {
  const [only] = values;
  if (only === undefined) return isOthers ? TRUE : never(field);
  if (isOthers) return condition(field, "notInList", values);
  if (values.length > 1) return condition(field, "inList", values);
  return isBlank(only) ? condition(field, "isBlank") : condition(field, "equals", [only]);
}

/** A value among none. */
const never = (field: string): Predicate => ({
  type: "group",
  combinator: "and",
  children: [condition(field, "isBlank"), condition(field, "isNotBlank")],
});

/** A regular expression is the one filter that distinguishes capital letters from small ones. */
function exactFilter(field: string, { values, isOthers }: MarkGroup, plain: Predicate): Predicate {
  const [only] = values;
  if (isOthers || values.length !== 1 || typeof only !== "string" || only === "") return plain;
  return condition(field, "matchesRegex", [`^${only.replaceAll(/[\\.*+?()[\]{}|^$]/g, "\\$&")}$`]);
}

/** A count of a field counts the records that have a value in it. */
function countedFilter({ origin, displayName }: ColumnOrigin): MarkFilter["counted"] {
  if (origin.kind !== "aggregate" || origin.fn !== "count" || origin.of === null) return null;
  if (origin.of.kind === "joined") throw new NoRecordsError("joined_field", displayName);
  if (origin.of.kind !== "field") throw new NoRecordsError("computed_field", displayName);
  return { field: origin.of, predicate: condition(origin.of.name, "isNotBlank") };
}

const condition = (field: string, operator: PredicateOperator, values: readonly Value[] = []): Condition => ({
  type: "condition",
  left: { kind: "field", field },
  operator,
  right: values.map((value): Operand => ({ kind: "literal", value })),
});
