/** From rows to columns, bars and lines: categories along one axis, one list of cells per series. */
import type { AxisEntry, CardData, ConfigurationOf, DisplayFormat } from "@accord/contracts/insights/cards";
import type { DateGrain } from "@accord/contracts/insights/dataset-config";
import { type ChartWords, ENGLISH } from "../chart/words.ts";
import { isDateColumn, isNumberColumn } from "../column-types.ts";
import { formatNumber, numberOf } from "../format.ts";
import {
  type CardNote,
  type Cell,
  cellOf,
  colorsOf,
  type Column,
  columnNamed,
  type Group,
  groupReader,
  type GroupReader,
  isAdditive,
  omittedNotes,
  type Row,
  rowNotes,
} from "../marks.ts";
import { type AxisEnds, cutsOf, type Reference, referenceOf, restText } from "./cut.ts";
import type { CartesianSeries } from "./series.ts";
import { type Category, filledCategories, timeOf } from "./dates.ts";

export type { CartesianSeries } from "./series.ts";

/** Columns, bars and lines are made of the same. */
type CartesianCard = ConfigurationOf<"COLUMN">;

export interface CartesianModel {
  kind: "cartesian";
  categoryTitle: string;
  /** Of the column that splits the values; null without one. */
  seriesTitle: string | null;
  valueTitle: string;
  categories: Category[];
  series: CartesianSeries[];
  /** `time` places dates by their distance, `category` side by side. */
  scale: "category" | "time";
  isTime: boolean;
  /** How the dates are cut. */
  grain: DateGrain | undefined;
  /** One value axis for each format. */
  axisFormats: DisplayFormat[];
  /** The ends of each value axis that what was added up goes beyond. */
  cuts: (AxisEnds | null)[];
  /** A goal or limit across the chart. */
  reference: Reference | null;
  notes: CardNote[];
}

export function cartesianModel(card: CartesianCard, data: CardData, words: ChartWords = ENGLISH): CartesianModel {
  const column = columnNamed(data, "x");
  const seriesColumn = columnNamed(data, "series");
  const isTime = column !== undefined && isDateColumn(column);
  const colors = colorsOf(card);
  const reader = groupReader({
    column,
    rows: data.rows,
    axis: card.xaxis,
    restFlag: "other",
    restCount: data.reduction?.otherCategories ?? null,
    colors,
    words,
  });
  const seriesReader = groupReader({
    column: seriesColumn,
    rows: data.rows,
    axis: card.series[0],
    restFlag: "otherSeries",
    restCount: data.reduction?.otherSeries ?? null,
    colors,
    words,
  });
  const dated = isTime ? data.rows.filter((row) => row["other"] === true || timeOf(row["x"]) !== null) : data.rows;
  const undated = data.rows.length - dated.length;
  const placed = placeRows(dated, reader, seriesColumn ? seriesReader : null);
  const ordered = orderOf(placed.categories, column, isTime);
  const filled = isTime ? filledCategories(ordered, card.xaxis?.grain, reader) : null;
  const categories = filled ?? ordered;
  const series = seriesColumn
    ? splitSeries(placed.rows, seriesReader, categories, card)
    : plainSeries(placed.rows, categories, card, data);
  const axisFormats = [...new Set(series.map(({ format }) => format))];
  const measured = series.map((one) => ({ ...one, axisIndex: axisFormats.indexOf(one.format) }));
  const restIndex = categories.findIndex(({ isRest }) => isRest);
  const cuts = cutsOf(measured, restIndex, card.stacking);
  const rest = restText(measured, restIndex, {
    isSplit: seriesColumn !== undefined,
    isAdditive: isAdditive(card.yaxis[0]),
  });
  return {
    kind: "cartesian",
    categoryTitle: column?.displayName ?? "",
    seriesTitle: seriesColumn?.displayName ?? null,
    valueTitle: card.yaxis[0]?.displayName || columnNamed(data, "y0")?.displayName || "",
    categories,
    series: measured,
    scale: isTime && !filled && categories.every(({ time }) => time !== null) ? "time" : "category",
    isTime,
    grain: isTime ? card.xaxis?.grain : undefined,
    axisFormats: axisFormats.length > 0 ? axisFormats : ["number"],
    cuts,
    reference: referenceOf(card, measured, cuts[0]),
    notes: [
      ...reductionNotes(data, { isTime, rest, categories, series: seriesColumn ? series : [] }),
      ...cutNotes(cuts, undated),
    ],
  };
}

interface PlacedRow {
  row: Row;
  categoryKey: string;
  seriesKey: string;
}

/**
 * Gives each row a place. A second row of the same category and series gets a category of its own: what the answer
 * keeps apart is never merged, and no row replaces another.
 */
function placeRows(
  rows: readonly Row[],
  reader: GroupReader,
  seriesReader: GroupReader | null,
): { rows: PlacedRow[]; categories: Category[] } {
  const categories = new Map<string, Category>();
  const occurrences = new Map<string, number>();
  const placed = rows.map((row) => {
    const seriesKey = seriesReader?.keyOf(row) ?? "";
    const key = reader.keyOf(row);
    const both = `${key} ${seriesKey}`;
    const earlier = occurrences.get(both) ?? 0;
    occurrences.set(both, earlier + 1);
    const categoryKey = earlier === 0 ? key : `${key} #${earlier + 1}`;
    if (!categories.has(categoryKey))
      categories.set(categoryKey, { ...reader.groupOf(row), key: categoryKey, time: timeOf(row["x"]) });
    return { row, categoryKey, seriesKey };
  });
  return { rows: placed, categories: [...categories.values()] };
}

/** Dates by time and numbers by size; other categories in the order of the answer, the rest last. */
function orderOf(categories: readonly Category[], column: Column | undefined, isTime: boolean): Category[] {
  const isNumber = column !== undefined && isNumberColumn(column);
  const size = ({ value, time }: Category): number =>
    isTime ? (time ?? Number.POSITIVE_INFINITY) : isNumber ? (numberOf(value) ?? Number.POSITIVE_INFINITY) : 0;
  return categories.toSorted((one, other) => {
    if (one.isRest !== other.isRest) return Number(one.isRest) - Number(other.isRest);
    const [left, right] = [size(one), size(other)];
    return left === right ? 0 : left < right ? -1 : 1;
  });
}

type Unplaced = Omit<CartesianSeries, "axisIndex">;

function plainSeries(
  rows: readonly PlacedRow[],
  categories: readonly Category[],
  card: CartesianCard,
  data: CardData,
): Unplaced[] {
  const byKey = new Map(rows.map(({ row, categoryKey }) => [categoryKey, row]));
  return data.columns
    .filter(({ name }) => name.startsWith("y"))
    .map((column, index) => {
      const axis = card.yaxis[index];
      const format = axis?.displayFormat ?? "number";
      return {
        key: column.name,
        label: axis?.displayName || column.displayName,
        value: undefined,
        color: axis?.color,
        isRest: false,
        behind: undefined,
        format,
        missing: missingOf(axis),
        cells: categories.map(({ key }) => {
          const row = byKey.get(key);
          return row ? cellOf(row[column.name], format) : null;
        }),
      };
    });
}

function splitSeries(
  rows: readonly PlacedRow[],
  reader: GroupReader,
  categories: readonly Category[],
  card: CartesianCard,
): Unplaced[] {
  const axis = card.yaxis[0];
  const format = axis?.displayFormat ?? "number";
  const series = new Map<string, { group: Group; cells: Map<string, Cell>; total: number }>();
  for (const { row, categoryKey, seriesKey } of rows) {
    const entry = series.get(seriesKey) ?? { group: reader.groupOf(row), cells: new Map<string, Cell>(), total: 0 };
    const cell = cellOf(row["y0"], format);
    entry.cells.set(categoryKey, cell);
    entry.total += cell.value ?? 0;
    series.set(seriesKey, entry);
  }
  return [...series.values()]
    .toSorted((one, other) => Number(one.group.isRest) - Number(other.group.isRest) || other.total - one.total)
    .map(({ group, cells }) => ({
      ...group,
      format,
      missing: missingOf(axis),
      cells: categories.map(({ key }) => cells.get(key) ?? null),
    }));
}

/** Where nothing happened, a sum or count is nought; a mean or minimum is unknown. */
const missingOf = (axis: AxisEntry | undefined): number | null =>
  axis?.aggregate === undefined || axis.aggregate === "sum" || axis.aggregate.startsWith("count") ? 0 : null;

/** The value to draw: that of the cell, or of a place without one. */
export const drawnValue = (series: CartesianSeries, index: number): number | null => {
  const cell = series.cells[index];
  return cell ? cell.value : series.missing;
};

/** The text of a place: that of its cell, or of what stands where there is no row. */
export const textAt = (series: CartesianSeries, index: number): string =>
  series.cells[index]?.text ?? formatNumber(series.missing, series.format);

/** `undated`: rows without a place on the axis of time. */
const cutNotes = (cuts: CartesianModel["cuts"], undated: number): CardNote[] => [
  ...(cuts.some((cut) => cut !== null) ? [{ code: "rest_cut" as const, facts: {} }] : []),
  ...(undated > 0 ? [{ code: "blank_dates" as const, facts: { count: undated } }] : []),
];

interface Shown {
  isTime: boolean;
  /** What stands for the rest. */
  rest: string | null;
  categories: readonly unknown[];
  /** None where the chart is not split. */
  series: readonly unknown[];
}

function reductionNotes(data: CardData, { isTime, rest, categories, series }: Shown): CardNote[] {
  const { reduction } = data;
  if (!reduction) return [];
  const column = columnNamed(data, "x");
  const order = isTime ? "newest_points" : column && isNumberColumn(column) ? "first_rows" : "largest_points";
  return [
    ...omittedNotes(data, categories.length),
    ...rowNotes(data, order),
    ...(reduction.otherCategories > 0
      ? [{ code: "other_categories" as const, facts: { count: reduction.otherCategories, total: rest } }]
      : []),
    ...(reduction.otherSeries > 0 ? [{ code: "other_series" as const, facts: { count: reduction.otherSeries } }] : []),
    ...(reduction.omittedSeries > 0
      ? [
          {
            code: "omitted_series" as const,
            facts: { shown: series.length, total: series.length + reduction.omittedSeries },
          },
        ]
      : []),
  ];
}
