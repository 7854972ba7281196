/** Charts proposed for a dataset that somebody looks at for the first time, made from the types of its columns. */
import { type CardEntries, cardEntries } from "@accord/contracts/insights/card-configuration";
import {
  type AxisEntry,
  CardConfiguration,
  type CardConfigurationInput,
  type VizType,
} from "@accord/contracts/insights/cards";
import { type DatasetColumn, ROW_COUNT } from "@accord/contracts/insights/dataset-config";
import { CARD_DEFINITIONS } from "../card-list.ts";
import { formatOf, isDateColumn, isNumberColumn } from "../column-types.ts";
import { newCard } from "../definition.ts";

/** Categories of a chart that is read at a glance, of its series, and of a donut. */
const FEW = { categories: 30, series: 8, slices: 6 } as const;
const TABLE_COLUMNS = 10;
const MOST = 8;

/** What a chart shows, for its name: `value` by `category`, split by `series`. */
export interface CardTitle {
  key: "overTime" | "by" | "overTimeSplit" | "bySplit" | "total" | "rows" | "shares";
  facts: { value: string; category: string; series: string };
}

export interface Proposal {
  title: CardTitle;
  card: CardConfiguration;
}

export interface ProposedFrom {
  datasetId: string;
  columns: readonly DatasetColumn[];
  /** Different values of each column in some of its rows; absent where they are not known. */
  different: ReadonlyMap<string, number>;
  /** What the number of rows is called. */
  rowCount: string;
}

/**
 * The best first: amounts over time, then by category, then one number; without numbers the rows themselves. What
 * counts rows instead of adding up a number comes after those.
 */
export function proposeCards({ datasetId, columns, different, rowCount }: ProposedFrom): Proposal[] {
  const numbers = columns.filter(isNumberColumn).map((column): AxisEntry => ({ ...entryOf(column), aggregate: "sum" }));
  const date = columns.find(isDateColumn);
  const count = (column: DatasetColumn): number => different.get(column.name) ?? Number.POSITIVE_INFINITY;
  const categories = columns
    .filter((column) => isCategory(column) && count(column) > 1 && count(column) <= FEW.categories)
    .toSorted((one, other) => count(one) - count(other));
  const rows = { column: ROW_COUNT, name: ROW_COUNT, displayName: rowCount, displayFormat: "number" as const };
  const month = date && { ...entryOf(date), grain: "month" as const };
  const make = (vizType: VizType, more: Partial<CardConfigurationInput>): Proposal => {
    const card = CardConfiguration.parse({ ...newCard(CARD_DEFINITIONS[vizType], datasetId), ...more });
    return { card, title: titleOf(card) };
  };
  const charts = (value: AxisEntry): Proposal[] => [
    ...(month ? [make("LINE", { xaxis: month, yaxis: [value] })] : []),
    ...categories.slice(0, 2).map((category) => make("BAR", { xaxis: entryOf(category), yaxis: [value] })),
  ];
  const [number] = numbers;
  const value = number ?? rows;
  const series = categories.find((column) => count(column) <= FEW.series);
  const slices = categories.find((column) => count(column) <= FEW.slices);
  const table = make("TABLE", { columns: columns.slice(0, TABLE_COLUMNS).map((column) => entryOf(column)) });
  const metrics = numbers.slice(0, 2).map((one) => make("METRIC", { columns: [one] }));
  return [
    ...(number ? [...charts(number), ...metrics] : []),
    ...(columns.length > 0 ? [table] : []),
    ...charts(rows),
    ...(month && series ? [make("LINE", { xaxis: month, yaxis: [value], series: [entryOf(series)] })] : []),
    ...(slices ? [make("PIE", { category: entryOf(slices), value })] : []),
    ...(columns.length > 0 ? [make("METRIC", { columns: [rows] })] : []),
  ].slice(0, MOST);
}

/** Words and choices; texts of which nearly each is different are none, and neither are references. */
const isCategory = ({ dataType }: DatasetColumn): boolean =>
  dataType === "picklist" || dataType === "boolean" || dataType === "string";

const entryOf = (column: DatasetColumn): AxisEntry => ({
  column: column.name,
  name: column.name,
  displayName: column.displayName,
  displayFormat: formatOf(column),
});

/** What a card shows, as it is set up now. */
export function titleOf(card: CardConfiguration): CardTitle {
  const nameOf = (entry: AxisEntry | undefined): string => entry?.displayName || entry?.name || "";
  const entries = cardEntries(card);
  const { category, series, value } = titled(entries);
  const facts = { value: nameOf(value), category: nameOf(category), series: nameOf(series) };
  if (entries.kind === "rows") return { key: "rows", facts };
  if (CARD_DEFINITIONS[card.vizType].isOfWhole) return { key: "shares", facts };
  if (!category) return { key: "total", facts };
  if (category.grain) return { key: facts.series ? "overTimeSplit" : "overTime", facts };
  return { key: facts.series ? "bySplit" : "by", facts };
}

function titled(entries: CardEntries): Partial<Record<"category" | "series" | "value", AxisEntry | undefined>> {
  switch (entries.kind) {
    case "chart":
      return { category: entries.category, series: entries.series, value: entries.values[0] };
    case "number":
      return { value: entries.value };
    case "rows":
      return { value: entries.columns[0] };
  }
}

/** Different values of each column among rows. */
export function differentValues(
  columns: readonly DatasetColumn[],
  rows: readonly Readonly<Record<string, unknown>>[],
): Map<string, number> {
  return new Map(columns.map(({ name }) => [name, new Set(rows.map((row) => JSON.stringify(row[name] ?? null))).size]));
}
