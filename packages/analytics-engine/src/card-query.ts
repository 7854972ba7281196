/** The query of a data card: its dataset, cut to what the chart shows and never more points than a browser likes. */
import {
  type AxisEntry,
  type CardConfiguration,
  type CardEntries,
  cardEntries,
} from "@accord/contracts/insights/card-configuration";
import { type DatasetColumn, ROW_COUNT } from "@accord/contracts/insights/dataset-config";
import { withCardFilter } from "./filters/card-filter.ts";
import { type Fold, foldCells, foldedSql, countSql, type Kept } from "./card-fold.ts";
import { columnarPlan } from "./columnar/columnar-plan.ts";
import type { Statement } from "./columnar/statement.ts";
import { planQuery } from "./plan.ts";
import { cellsOf, type PrintOptions, printStatement, querySql } from "./print.ts";
import { DatasetError, type DatasetProblem } from "./problems.ts";
import {
  aggregateType,
  type Expr,
  isAggregate,
  isDate,
  isNumeric,
  type OutputColumn,
  type Query,
  describeColumns,
} from "./query.ts";

export const CARD_LIMITS = {
  points: 5_000,
  /** More categories than this: the largest stay, the rest become one. */
  categories: 50,
  series: 20,
  tableRows: 1_000,
  stages: 20,
  /** Rows that are counted to say how many were left out. */
  countedRows: 1_000_000,
} as const;

export interface CardQuery extends Statement {
  /** Keys of the rows: `x`, `series`, `y0`… for charts, `c0`… for tables and metrics, and what they are called. */
  columns: DatasetColumn[];
  /** Rows that may be answered; one more is asked for, to see whether some were left out. */
  rowLimit: number;
  /** How categories and series beyond the limits were added up or left out; null when all are there. */
  fold: Fold | null;
  /** Counts the rows without the limit, up to `CARD_LIMITS.countedRows` and one more. */
  count: () => Statement;
}

/**
 * The statement that answers a card on the resolved query of its dataset.
 * Throws `DatasetError` when the card is incomplete or names a column the dataset does not give.
 */
export function cardQuery(card: CardConfiguration, dataset: Query, options: PrintOptions): CardQuery {
  const { query, rowLimit, fold } = buildChecked(card, dataset, options.timeZone);
  const planned = planQuery(query);
  const printed = (of: Query, limit: number, ordered: boolean) =>
    fold
      ? foldedSql(of, fold, limit, options)
      : querySql({ ...of, limit, ...(ordered ? {} : { orderBy: [] }) }, options);
  const print = (limit: number, ordered: boolean) => printed(planned, limit, ordered);
  const cells = [...cellsOf(planned), ...(fold ? foldCells(fold) : [])];
  return {
    ...printStatement(() => print(rowLimit + 1, true), cells),
    columnar: columnarPlan(planned, { ...options, isOrdered: fold !== null }, (rest) =>
      printStatement(() => printed(rest, rowLimit + 1, true), cells),
    ),
    columns: describeColumns(query),
    rowLimit,
    fold,
    count: () =>
      printStatement(() => countSql(print(CARD_LIMITS.countedRows + 1, false)), [{ name: "total", type: "plain" }]),
  };
}

/** What a card asks of its dataset, before anything is left out or added up to stay within its limits. */
export const cardShape = (card: CardConfiguration, dataset: Query, timeZone = "UTC"): Query =>
  buildChecked(card, dataset, timeZone).query;

function buildChecked(card: CardConfiguration, dataset: Query, timeZone: string): Built {
  const problems: DatasetProblem[] = [];
  const built = build(card, new Source(withCardFilter(dataset, card.filter, timeZone), problems));
  if (problems.length > 0) throw new DatasetError(problems);
  if (!built) throw new DatasetError([{ path: "vizType", code: "card_incomplete", facts: { vizType: card.vizType } }]);
  return built;
}

interface Built {
  query: Query;
  rowLimit: number;
  fold: Fold | null;
  /** Whether its points are dates or numbers, which keep their places. */
  isOrdered: boolean;
}

function build(card: CardConfiguration, source: Source): Built | null {
  const entries = cardEntries(card);
  switch (entries.kind) {
    case "chart":
      return cut(card.top, chart(entries, source));
    case "number":
      return rows(entries.value ? [entries.value] : [], 1, source);
    case "rows":
      return rows(
        entries.columns,
        Math.min(card.top ?? CARD_LIMITS.tableRows, CARD_LIMITS.tableRows),
        source,
        card.rowOrder,
      );
  }
}

/**
 * A card that asks for fewer: the largest categories, with the rest in one besides where they add up; of dates and
 * numbers the newest points; of those that are split, the largest series.
 */
function cut(top: number | undefined, built: Built | null): Built | null {
  if (top === undefined || !built) return built;
  const { fold } = built;
  if (!fold) return { ...built, rowLimit: Math.min(top, built.rowLimit) };
  const fewer = (kept: Kept): Kept => (top < kept.all ? { all: top, largest: top } : kept);
  if (fold.x !== null) return { ...built, fold: { ...fold, x: fewer(fold.x) } };
  if (!built.isOrdered) return { ...built, fold: { ...fold, x: { all: top, largest: top } } };
  return { ...built, fold: { ...fold, series: fold.series && fewer(fold.series) } };
}

type ChartEntries = Extract<CardEntries, { kind: "chart" }>;

/** Categories (or dates), perhaps split in series, by folded values. */
function chart({ category: x, series, values, paths }: ChartEntries, source: Source): Built | null {
  if (!x?.column || values.length === 0 || !values[0]?.column) return null;
  const split = series?.column && values.length === 1 ? series : undefined;
  const columns: OutputColumn[] = [
    ...source.category("x", x, paths.category),
    ...(split ? source.category("series", split, "series.0") : []),
    ...values.flatMap((value, at) => source.value(`y${at}`, value, `${paths.values}.${at}`)),
  ];
  const [category] = columns;
  const isOrdered = category !== undefined && (isDate(category.dataType) || isNumeric(category.dataType));
  const additive = columns.every(({ expr }) => expr.kind !== "aggregate" || ADDITIVE.has(expr.fn));
  const fold = foldOf({ isSplit: split !== undefined, isOrdered, isAdditive: additive });
  const y = split ? 2 : 1;
  // Dates keep their newest points when there are too many; categories their largest.
  const orderBy = isOrdered
    ? [{ column: 0, ascending: false }]
    : [
        { column: y, ascending: false },
        { column: 0, ascending: true },
      ];
  return { query: source.query(columns, true, orderBy), rowLimit: CARD_LIMITS.points, fold, isOrdered };
}

/** Dates and numbers keep their places, so only their series are added up; averages can't be, so they are left out. */
function foldOf(chart: { isSplit: boolean; isOrdered: boolean; isAdditive: boolean }): Fold | null {
  const most = CARD_LIMITS.series;
  if (!chart.isAdditive) return chart.isSplit ? { x: null, series: { all: most, largest: most }, rest: "omit" } : null;
  const series = chart.isSplit ? withRest(most) : null;
  if (chart.isOrdered) return series === null ? null : { x: null, series, rest: "add" };
  return { x: withRest(CARD_LIMITS.categories), series, rest: "add" };
}

/** What is added up takes one of the places. */
const withRest = (places: number): Kept => ({ all: places, largest: places - 1 });

const ADDITIVE: ReadonlySet<string> = new Set(["sum", "count", "min", "max"]);

/** Rows as they are, or folded when some column asks for it. */
function rows(
  entries: readonly AxisEntry[],
  limit: number,
  source: Source,
  order?: CardConfiguration["rowOrder"],
): Built | null {
  const wanted = entries.filter((entry) => entry.column !== "");
  if (wanted.length === 0) return null;
  const grouped = wanted.some((entry) => entry.aggregate !== undefined || entry.column === ROW_COUNT);
  // A place that no column has any more says nothing.
  const by = order && entries[order.column];
  const at = by ? wanted.indexOf(by) : -1;
  if (!grouped && at < 0) source.preserveOrder();
  const columns = wanted.flatMap((entry, place) => {
    const [name, path] = [`c${place}`, `columns.${place}`];
    const isFolded = entry.aggregate !== undefined || entry.column === ROW_COUNT;
    return isFolded ? source.value(name, entry, path) : source.category(name, entry, path);
  });
  // Folded rows have no order of their own: the largest come first, and equal ones by what they are, always the same way.
  const first = columns.findIndex(({ expr }) => isAggregate(expr));
  const usual = grouped && first >= 0 && columns.length > 1 ? [{ column: first, ascending: false }] : [];
  const asked = order && columns[at] ? [{ column: at, ascending: order.ascending }] : usual;
  const orderBy = [...asked, ...(grouped ? otherKeys(columns, asked) : [])];
  return { query: source.query(columns, grouped, orderBy), rowLimit: limit, fold: null, isOrdered: true };
}

const otherKeys = (columns: readonly OutputColumn[], orderBy: Query["orderBy"]): Query["orderBy"] =>
  columns.flatMap(({ expr }, column) =>
    isAggregate(expr) || orderBy.some((one) => one.column === column) ? [] : [{ column, ascending: true }],
  );

/** The dataset seen from a card: opened up when it only picks and filters, else a sub-query. */
class Source {
  readonly #dataset: Query;
  #open: boolean;
  readonly #problems: DatasetProblem[];

  constructor(dataset: Query, problems: DatasetProblem[]) {
    this.#dataset = dataset;
    this.#open = !dataset.grouped && dataset.limit === null;
    this.#problems = problems;
  }

  category(name: string, entry: AxisEntry, path: string): OutputColumn[] {
    const column = this.#find(entry, path);
    if (!column) return [];
    const cut = entry.grain && isDate(column.dataType) ? entry.grain : undefined;
    const displayName = entry.displayName || column.displayName;
    if (!cut) return [{ ...column, name, displayName }];
    return [
      { name, displayName, dataType: "date", expr: { kind: "bucket", grain: cut, of: column.expr, dataType: "date" } },
    ];
  }

  value(name: string, entry: AxisEntry, path: string): OutputColumn[] {
    if (entry.column === ROW_COUNT) {
      const expr: Expr = { kind: "aggregate", fn: "count", of: null, dataType: "integer" };
      return [{ name, displayName: entry.displayName || entry.name, dataType: "integer", expr }];
    }
    const column = this.#find(entry, path);
    if (!column) return [];
    const fn = entry.aggregate ?? (isNumeric(column.dataType) ? "sum" : "count");
    const dataType = aggregateType(fn, column.dataType);
    if (dataType)
      return [
        {
          name,
          displayName: entry.displayName || column.displayName,
          dataType,
          expr: { kind: "aggregate", fn, of: column.expr, dataType },
        },
      ];
    this.#problems.push({ path, code: "aggregate_not_for_type", facts: { name: column.displayName, aggregate: fn } });
    return [];
  }

  query(columns: OutputColumn[], grouped: boolean, orderBy: Query["orderBy"]): Query {
    const { from, joins, where, among = [] } = this.#dataset;
    const base = { columns, grouped, having: [], limit: null };
    if (this.#open) return { ...base, from, joins, where, among, orderBy };
    return { ...base, from: { alias: "dataset", query: this.#dataset }, joins: [], where: [], orderBy };
  }

  /** Rows shown as they are come in the dataset's own order. */
  preserveOrder(): void {
    if (this.#dataset.orderBy.length > 0) this.#open = false;
  }

  #find(entry: AxisEntry, path: string): Omit<OutputColumn, "name"> | undefined {
    const column = this.#dataset.columns.find((one) => one.name === entry.column);
    if (!column) {
      this.#problems.push({ path, code: "card_column_unknown", facts: { name: entry.displayName || entry.column } });
      return undefined;
    }
    const { displayName, dataType, expr, labels } = column;
    if (this.#open) return { displayName, dataType, expr, labels };
    const multi = expr.kind === "column" && expr.multi ? { multi: true } : {};
    const outer: Expr = { kind: "column", table: "dataset", name: column.name, dataType, ...multi };
    return { displayName, dataType, labels, expr: outer };
  }
}
