/** From rows to columns, bars and lines: categories along one axis, one list of values per series. */
import type { AxisEntry, CardConfiguration, CardData, DisplayFormat } from "@accord/contracts/insights/cards";
import type { Value } from "@accord/contracts/data/values";
import type { DateGrain } from "@accord/contracts/insights/dataset-config";
import { type ChartWords, ENGLISH } from "../chart/words.ts";
import { formatValue, numberOf } from "../format.ts";

export interface CartesianSeries {
  name: string;
  /** A colour of the configuration, when one was chosen. */
  color: string | undefined;
  format: DisplayFormat;
  /** One per category; null draws a gap. */
  values: (number | null)[];
}

export interface CartesianModel {
  categoryTitle: string;
  categories: string[];
  /** Colours chosen for single categories, by place. */
  categoryColors: (string | undefined)[];
  series: CartesianSeries[];
  isTime: boolean;
  /** More of the same unit on the axis when all series share a format. */
  axisFormat: DisplayFormat;
}

const MAX_FILLED = 5_000;

export function cartesianModel(card: CardConfiguration, data: CardData, words: ChartWords = ENGLISH): CartesianModel {
  const xColumn = data.columns.find(({ name }) => name === "x");
  const isTime = xColumn?.dataType === "date" || xColumn?.dataType === "datetime" || xColumn?.dataType === "timestamp";
  const grain = card.xaxis?.grain;
  const rows = isTime
    ? data.rows.toSorted((one, other) => (String(one["x"]) < String(other["x"]) ? -1 : 1))
    : data.rows;
  const keys = isTime ? filledDates(rows, grain) : orderedKeys(rows);
  const isSplit = data.columns.some(({ name }) => name === "series");
  const series = isSplit ? splitSeries(card, data, rows, keys, words) : plainSeries(card, data, rows, keys);
  const names = keys.map((key) => categoryName(key, xColumn, card.xaxis, words));
  const colors = new Map(card.categoryValues.map(({ name, color }) => [name, color]));
  const formats = new Set(series.map(({ format }) => format));
  return {
    categoryTitle: xColumn?.displayName ?? "",
    categories: names,
    categoryColors: names.map((name) => colors.get(name)),
    series,
    isTime,
    axisFormat: formats.size === 1 ? [...formats][0]! : "number",
  };
}

type Row = CardData["rows"][number];
const OTHER = "\u0000other";
const keyOf = (row: Row): string =>
  row["other"] === true ? OTHER : row["x"] === null || row["x"] === undefined ? "" : String(row["x"]);

function orderedKeys(rows: readonly Row[]): string[] {
  return [...new Set(rows.map(keyOf))].toSorted((one, other) => Number(one === OTHER) - Number(other === OTHER));
}

function categoryName(
  key: string,
  column: CardData["columns"][number] | undefined,
  axis: AxisEntry | undefined,
  words: ChartWords,
): string {
  if (key === OTHER) return words.other;
  if (key === "" || !column) return words.blank;
  return formatValue(key, { ...column, format: axis?.displayFormat ?? "text", grain: axis?.grain });
}

function plainSeries(
  card: CardConfiguration,
  data: CardData,
  rows: readonly Row[],
  keys: readonly string[],
): CartesianSeries[] {
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  return data.columns
    .filter(({ name }) => name.startsWith("y"))
    .map((column, at) => {
      const axis = card.yaxis[at];
      const missing = fillOf(axis);
      return {
        name: axis?.displayName || column.displayName,
        color: axis?.color,
        format: axis?.displayFormat ?? "number",
        values: keys.map((key) => (byKey.has(key) ? numberOf(byKey.get(key)![column.name]) : missing)),
      };
    });
}

function splitSeries(
  card: CardConfiguration,
  data: CardData,
  rows: readonly Row[],
  keys: readonly string[],
  words: ChartWords,
): CartesianSeries[] {
  const column = data.columns.find(({ name }) => name === "series")!;
  const axis = card.yaxis[0];
  const missing = fillOf(axis);
  const colors = new Map(card.categoryValues.map(({ name, color }) => [name, color]));
  const bySeries = new Map<string, Map<string, number | null>>();
  for (const row of rows) {
    const name = row["otherSeries"] === true ? words.other : seriesName(row["series"], column, card.series[0], words);
    const values = bySeries.get(name) ?? new Map<string, number | null>();
    bySeries.set(name, values.set(keyOf(row), numberOf(row["y0"])));
  }
  const total = (values: ReadonlyMap<string, number | null>): number =>
    [...values.values()].reduce<number>((sum, value) => sum + (value ?? 0), 0);
  return [...bySeries]
    .toSorted(
      ([oneName, one], [otherName, other]) =>
        Number(oneName === words.other) - Number(otherName === words.other) || total(other) - total(one),
    )
    .map(([name, values]) => ({
      name,
      color: colors.get(name),
      format: axis?.displayFormat ?? "number",
      values: keys.map((key) => (values.has(key) ? values.get(key)! : missing)),
    }));
}

const seriesName = (
  value: Value | undefined,
  column: CardData["columns"][number],
  axis: AxisEntry | undefined,
  words: ChartWords,
): string =>
  formatValue(value, { ...column, format: axis?.displayFormat ?? "text", grain: axis?.grain }) || words.blank;

/** Where nothing happened, a sum or count is nought; a mean or minimum is unknown. */
const fillOf = (axis: AxisEntry | undefined): number | null =>
  axis?.aggregate === undefined || axis.aggregate === "sum" || axis.aggregate.startsWith("count") ? 0 : null;

/** Every date between the first and the last, so that the axis keeps time; blank dates are left out. */
function filledDates(rows: readonly Row[], grain: DateGrain | undefined): string[] {
  const present = [...new Set(rows.map(keyOf))].filter((key) => key !== "" && key !== OTHER);
  const [first, last] = [present[0], present.at(-1)];
  if (!grain || !first || !last) return present;
  const filled: string[] = [];
  for (let day = first; day <= last && filled.length < MAX_FILLED; day = nextDate(day, grain)) filled.push(day);
  return filled.length < MAX_FILLED && present.every((key) => filled.includes(key)) ? filled : present;
}

function nextDate(day: string, grain: DateGrain): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const steps: Record<DateGrain, [number, number, number]> = {
    day: [0, 0, 1],
    week: [0, 0, 7],
    month: [0, 1, 0],
    quarter: [0, 3, 0],
    year: [1, 0, 0],
  };
  const [years, months, days] = steps[grain];
  return new Date(Date.UTC(year + years, month - 1 + months, date + days)).toISOString().slice(0, 10);
}
