/** What charts are drawn from: categories and series with keys of their own, and cells with the text shown for them. */
import type { AxisEntry, CardConfiguration, CardData, DisplayFormat } from "@accord/contracts/insights/cards";
import type { Value } from "@accord/contracts/data/values";
import type { ChartWords } from "./chart/words.ts";
import { exactNumber, formatNumber, formatValue, numberOf } from "./format.ts";

export type Row = CardData["rows"][number];
export type Column = CardData["columns"][number];

/** The key of what was added up; no value has it, since the keys of values are JSON. */
export const REST_KEY = "rest";

/** A category, a series or a stage. Two of them may have the same label, never the same key. */
export interface Group {
  key: string;
  label: string;
  /** The value all its rows have; undefined for the rest. */
  value: Value | undefined;
  /** A colour of the configuration, when one was chosen. */
  color: string | undefined;
  isRest: boolean;
  /** The values its rows have; undefined for what is no group of rows, such as one of several values. */
  behind: Behind | undefined;
}

/** Values of rows, or with `isOthers` all values but these. */
export interface Behind {
  values: Value[];
  isOthers: boolean;
}

/** What several groups stand for together. */
export function behindAll(groups: readonly Pick<Group, "behind">[]): Behind | undefined {
  const all = groups.map(({ behind }) => behind);
  if (!all.every((one) => one !== undefined)) return undefined;
  const named = all.filter(({ isOthers }) => !isOthers).flatMap(({ values }) => values);
  const rest = all.find(({ isOthers }) => isOthers);
  if (!rest) return { values: named, isOthers: false };
  return { values: rest.values.filter((value) => !named.includes(value)), isOthers: true };
}

/** One value of the answer and the text that stands for it wherever it is shown. */
export interface Cell {
  value: number | null;
  text: string;
}

export const cellOf = (raw: Value | undefined, format: DisplayFormat = "number"): Cell => ({
  value: numberOf(raw),
  text: formatNumber(exactNumber(raw), format),
});

/** Something that was left out, added up or drawn another way; the card says so. */
export type CardNote =
  /** With what it holds; null when that can't be added up. */
  | { code: "other_categories"; facts: { count: number; total: string | null } }
  | { code: "other_series" | "blank_dates"; facts: { count: number } }
  | { code: "small_slices"; facts: { count: number; label: string } }
  | {
      code: "omitted_categories" | "omitted_series" | "first_rows" | "newest_points" | "largest_points";
      facts: { shown: number; total: number };
    }
  | { code: "first_rows_of_many" | "newest_points_of_many" | "largest_points_of_many"; facts: { shown: number } }
  | { code: "omitted_stages"; facts: { count: number; total: string } }
  | { code: "first_row_of"; facts: { total: number } }
  | { code: "first_row_of_many" | "beyond_scale" | "parts_not_additive" | "rest_cut"; facts: Record<never, never> }
  | { code: "scale_fitted"; facts: { label: string; text: string } }
  | { code: "negative_slices" | "negative_stages"; facts: { count: number; label: string; text: string } };

/** Makes the groups of one axis; rows of one value share a group. */
export interface GroupReader {
  keyOf: (row: Row) => string;
  groupOf: (row: Row) => Group;
}

interface GroupOptions {
  column: Column | undefined;
  /** All of the answer. */
  rows: readonly Row[];
  axis: AxisEntry | undefined;
  /** Which flag marks rows that add up the rest. */
  restFlag: "other" | "otherSeries";
  /** How many the rest adds up; null when that is not known. */
  restCount: number | null;
  colors: ReadonlyMap<string, string>;
  words: ChartWords;
}

export function groupReader({ column, rows, axis, restFlag, restCount, colors, words }: GroupOptions): GroupReader {
  const isRest = (row: Row): boolean => row[restFlag] === true;
  const keyOf = (row: Row): string =>
    isRest(row) ? REST_KEY : JSON.stringify(column ? (row[column.name] ?? null) : null);
  const labelOf = (value: Value): string => {
    if (value === null || !column) return words.blank;
    const label = formatValue(value, { ...column, format: axis?.displayFormat ?? "text", grain: axis?.grain });
    return label.trim() === "" ? words.emptyText : label;
  };
  let rest: Behind | undefined;
  /** What was added up is all but the values that rows have by themselves. */
  const behindRest = (): Behind =>
    (rest ??= {
      values: [
        ...new Set(rows.filter((row) => !isRest(row)).map((row): Value => (column && row[column.name]) ?? null)),
      ],
      isOthers: true,
    });
  return {
    keyOf,
    groupOf: (row) => {
      if (isRest(row)) {
        const label = restCount === null ? words.other : words.otherOf(restCount);
        // A category may be called like it, and have a colour.
        return { key: REST_KEY, label, value: undefined, color: undefined, isRest: true, behind: behindRest() };
      }
      const value = (column && row[column.name]) ?? null;
      const label = labelOf(value);
      const behind = { values: [value], isOthers: false };
      return { key: keyOf(row), label, value, color: colors.get(label), isRest: false, behind };
    },
  };
}

export const columnNamed = (data: CardData, name: string): Column | undefined =>
  data.columns.find((column) => column.name === name);

export const colorsOf = (card: Pick<CardConfiguration, "categoryValues">): Map<string, string> =>
  new Map(card.categoryValues.map(({ name, color }) => [name, color]));

/** Whether values of one axis add up to something: averages and distinct counts don't. */
export const isAdditive = (axis: AxisEntry | undefined): boolean =>
  axis?.aggregate === undefined || axis.aggregate === "sum" || axis.aggregate === "count";

/** A cell for the sum of others. */
export function sumOf(cells: readonly Cell[], format: DisplayFormat): Cell {
  if (cells.length > 0 && cells.every(({ value }) => value === null)) return { value: null, text: formatNumber(null) };
  const value = cells.reduce((sum, cell) => sum + (cell.value ?? 0), 0);
  return { value, text: formatNumber(value, format) };
}

/** How many rows were left out, in the words of the card type. */
export function rowNotes(data: CardData, code: "first_rows" | "newest_points" | "largest_points"): CardNote[] {
  const { reduction, rows } = data;
  if (!reduction?.isLimited) return [];
  return reduction.totalRows === null
    ? [{ code: `${code}_of_many`, facts: { shown: rows.length } }]
    : [{ code, facts: { shown: rows.length, total: reduction.totalRows } }];
}

/** How many categories were left out, whose values can't be added up. */
export function omittedNotes({ reduction }: CardData, shown: number): CardNote[] {
  const omitted = reduction?.omittedCategories ?? 0;
  return omitted > 0 ? [{ code: "omitted_categories", facts: { shown, total: shown + omitted } }] : [];
}

const NICE = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** The least number above (or of) a positive one that readers count in: 40,000,000 for 33,600,123. */
export function niceAbove(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value));
  const found = NICE.find((nice) => nice * unit >= value) ?? 10;
  // Powers below one are not exact: 3 * 10 ** -1 is not 0.3.
  return Number((found * unit).toPrecision(12));
}
