/** From marks of one card to a filter of the dataset of another: the same column, found by dataset or by entity. */
import type { Value } from "@accord/contracts/data/values";
import {
  type AxisEntry,
  type CardConfiguration,
  cardEntries,
  chosenColumns,
} from "@accord/contracts/insights/card-configuration";
import {
  type CrossFilter,
  fieldOf,
  type MarkGroup,
  type UnfilteredReason,
} from "@accord/contracts/insights/cross-filter";
import { type DateGrain, ROW_COUNT } from "@accord/contracts/insights/dataset-config";
import { type Expr, isDate, type OutputColumn, type Query, type ValueFilter, type ValueGroup } from "../query.ts";
import { isGroupValue } from "./group-value.ts";
import { cutsOf, isSameField, lineageOf, nestsIn } from "./lineage.ts";

/** A card and the query of its dataset. */
export interface FilterSource {
  card: CardConfiguration;
  datasetId: string;
  query: Query;
}

export interface FilterTarget {
  datasetId: string;
  query: Query;
}

/** The marks in terms of columns of the target's dataset. */
export interface DatasetFilter {
  marks: DatasetGroup[][];
}
interface DatasetGroup extends Pick<MarkGroup, "values" | "isOthers"> {
  /** Of the dataset. */
  column: string;
  grain: DateGrain | null;
}

export type CrossFilterResult =
  | { kind: "filter"; filter: DatasetFilter }
  | { kind: "unfiltered"; reason: UnfilteredReason; column: string };

/** A filter that names what the card has not, or what its column can't hold, was chosen before the card was changed. */
export function crossFilter(filter: CrossFilter, source: FilterSource, target: FilterTarget): CrossFilterResult {
  const columns = columnsOf(filter, source);
  if (!columns) return { kind: "unfiltered", reason: "card_changed", column: "" };
  const found = new Map<string, Match>();
  for (const [name, chosen] of columns) {
    const match = columnIn(chosen, source, target);
    if (typeof match === "string")
      return { kind: "unfiltered", reason: match, column: chosen.entry.displayName || chosen.column.displayName };
    found.set(name, match);
  }
  const marks = filter.marks.map((mark) =>
    mark.flatMap(({ column, values, isOthers }) => {
      const match = found.get(column);
      return match ? [{ ...match, values, isOthers }] : [];
    }),
  );
  return { kind: "filter", filter: { marks: merged(marks) } };
}

/** A column of the answer that says what rows have in common, and the column of the dataset behind it. */
interface ChosenColumn {
  entry: AxisEntry;
  column: OutputColumn;
  /** How the card cuts its dates. */
  grain: DateGrain | null;
}

/** Null where the card, as it is now, can't have said it. */
function columnsOf({ marks }: CrossFilter, { card, query }: FilterSource): Map<string, ChosenColumn> | null {
  const entries = groupEntries(card);
  const columns = new Map<string, ChosenColumn>();
  for (const { column: name, values, field } of marks.flat()) {
    const entry = entries.get(name);
    const column = query.columns.find((one) => one.name === entry?.column);
    if (!entry || !column || (field !== undefined && field !== fieldOf(entry))) return null;
    const grain = entry.grain && isDate(column.dataType) ? entry.grain : null;
    const isMultiValueField = column.expr.kind === "column" && (column.expr.multi ?? false);
    const shape = { dataType: column.dataType, isMultiValueField };
    if (!values.every((value) => isGroupValue(value, shape, grain))) return null;
    columns.set(name, { entry, column, grain });
  }
  return columns;
}

/** Columns of a card's answer that group its rows, by their names there. */
export function groupEntries(card: CardConfiguration): Map<string, AxisEntry> {
  const entries = cardEntries(card);
  switch (entries.kind) {
    case "chart": {
      const found = { x: entries.category, series: entries.values.length === 1 ? entries.series : undefined };
      return new Map(Object.entries(found).flatMap(([name, entry]) => (entry?.column ? [[name, entry] as const] : [])));
    }
    case "number":
      return new Map();
    case "rows":
      return new Map(
        chosenColumns(card).flatMap((entry, at) =>
          entry.aggregate === undefined && entry.column !== ROW_COUNT ? [[`c${at}`, entry] as const] : [],
        ),
      );
  }
}

type Match = { column: string; grain: DateGrain | null };

function columnIn(chosen: ChosenColumn, source: FilterSource, target: FilterTarget): Match | UnfilteredReason {
  const handed = cutsOf(chosen.column.expr, source.query);
  const cuts = chosen.grain ? [chosen.grain, ...handed] : handed;
  const [grain = null] = cuts;
  // Each cut must be one of the field's own dates: a month of weeks is not a month of days.
  const isWithin = (finer: readonly DateGrain[]): boolean =>
    areNested(cuts) && (finer.length === 0 || (grain !== null && areNested([grain, ...finer])));
  const own =
    source.datasetId === target.datasetId
      ? target.query.columns.find(({ name }) => name === chosen.column.name)
      : undefined;
  if (own) {
    // A variable may cut the dates of one dataset otherwise on each card.
    const ownCuts = cutsOf(own.expr, target.query);
    if (ownCuts.join() === handed.join()) return { column: own.name, grain: chosen.grain };
    if (isWithin(ownCuts)) return { column: own.name, grain };
  }
  const lineage = lineageOf(chosen.column.expr, source.query);
  if (!lineage) return own ? "dates_coarser" : "column_missing";
  if (!areNested(cuts)) return "column_missing";
  const same = target.query.columns.flatMap((column) => {
    const found = lineageOf(column.expr, target.query);
    return found && isSameField(found, lineage) ? [{ column, found }] : [];
  });
  const fitting = same.filter(({ column }) => isWithin(cutsOf(column.expr, target.query)));
  const ofRoot = fitting.filter(({ found }) => found.isOfRoot);
  const [only] = ofRoot.length > 0 ? ofRoot : fitting;
  if (!only) return same.length > 0 ? "dates_coarser" : "column_missing";
  // One field under two names holds the same values; the same field of two joined entities doesn't.
  if (ofRoot.length === 0 && fitting.length > 1) return "column_ambiguous";
  return { column: only.column.name, grain };
}

/** Whether each cut lies within the one before it. */
const areNested = (grains: readonly DateGrain[]): boolean =>
  grains.every((one, at) => {
    const coarser = grains[at - 1];
    return coarser === undefined || nestsIn(one, coarser);
  });

/** Marks about one column are one list of values. */
function merged(marks: readonly DatasetGroup[][]): DatasetGroup[][] {
  const groups = marks.flatMap((mark) => (mark.length === 1 ? mark : []));
  const [first] = groups;
  if (!first || groups.length < marks.length) return [...marks];
  const named = groups.filter(({ isOthers }) => !isOthers).flatMap(({ values }) => values);
  const rests = groups.filter(({ isOthers }) => isOthers);
  if (rests.length === 0) return [[{ ...first, values: [...new Set(named)] }]];
  // What is none of either is what both leave out.
  const left = rests
    .map(({ values }) => values)
    .reduce((one, other) => one.filter((value) => other.includes(value)))
    .filter((value: Value) => !named.includes(value));
  return [[{ ...first, values: left, isOthers: true }]];
}

/** The query of a dataset, of which only the rows that pass all filters are left. */
export function filteredDataset(dataset: Query, filters: readonly DatasetFilter[]): Query {
  if (filters.length === 0) return dataset;
  const open = openedUp(dataset);
  const among = filters.map(({ marks }): ValueFilter => ({
    marks: marks.map((mark) => mark.flatMap((group) => groupOn(open.columns, group))),
  }));
  return { ...open, among: [...(open.among ?? []), ...among] };
}

const INNER = "rows";

/** Rows that are folded or cut are filtered after that. */
export function openedUp(dataset: Query): Query {
  if (!dataset.grouped && dataset.limit === null) return dataset;
  const columns = dataset.columns.map((column): OutputColumn => {
    const multi = column.expr.kind === "column" && column.expr.multi ? { multi: true } : {};
    const { name, dataType } = column;
    return { ...column, expr: { kind: "column", table: INNER, name, dataType, ...multi } };
  });
  const { orderBy } = dataset;
  const from = { alias: INNER, query: dataset };
  return { from, joins: [], where: [], columns, grouped: false, having: [], orderBy, limit: null };
}

function groupOn(columns: readonly OutputColumn[], { column, grain, values, isOthers }: DatasetGroup): ValueGroup[] {
  const found = columns.find(({ name }) => name === column);
  if (!found) return [];
  const expr: Expr = grain ? { kind: "bucket", grain, of: found.expr, dataType: "date" } : found.expr;
  return [{ expr, displayName: found.displayName, values, isOthers }];
}
