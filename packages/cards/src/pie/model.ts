/** Slices of a donut, the small ones folded into one, and a ring of sub-categories when asked for. */
import type { CardConfiguration, CardData } from "@accord/contracts/insights/cards";
import { type ChartWords, ENGLISH } from "../chart/words.ts";
import { formatValue, numberOf } from "../format.ts";

export interface Slice {
  name: string;
  value: number;
  color: string | undefined;
  parts: { name: string; value: number }[];
}

export function pieModel(
  card: CardConfiguration,
  data: CardData,
  words: ChartWords = ENGLISH,
): { slices: Slice[]; total: number } {
  const slices = new Map<string, Slice>();
  const colors = new Map(card.categoryValues.map(({ name, color }) => [name, color]));
  const nameOf = (row: CardData["rows"][number], key: "x" | "series", isOther: boolean): string => {
    const column = data.columns.find(({ name }) => name === key);
    const grain = key === "x" ? card.category?.grain : card.subCategory?.grain;
    if (isOther) return words.other;
    return (column && formatValue(row[key], { ...column, format: "text", grain })) || words.blank;
  };
  const isSplit = data.columns.some(({ name }) => name === "series");
  for (const row of data.rows) {
    const value = Math.max(0, numberOf(row["y0"]) ?? 0);
    const name = nameOf(row, "x", row["other"] === true);
    const slice = slices.get(name) ?? { name, value: 0, color: colors.get(name), parts: [] };
    slice.value += value;
    if (isSplit) slice.parts.push({ name: nameOf(row, "series", row["otherSeries"] === true), value });
    slices.set(name, slice);
  }
  const folded = foldSmall([...slices.values()], card, words);
  return { slices: folded, total: folded.reduce((sum, slice) => sum + slice.value, 0) };
}

function foldSmall(slices: readonly Slice[], card: CardConfiguration, words: ChartWords): Slice[] {
  const least = card.minimumValue;
  const sorted = slices.toSorted((one, other) => other.value - one.value);
  if (!least || least.value <= 0) return sorted;
  const label = least.label || words.other;
  const large = sorted.filter((slice) => slice.value >= least.value);
  const small = sorted.filter((slice) => slice.value < least.value);
  const sum = (values: readonly { value: number }[]): number => values.reduce((total, { value }) => total + value, 0);
  const all: Slice[] =
    small.length > 0 ? [...large, { name: label, value: sum(small), color: undefined, parts: [] }] : large;
  if (!least.applyToSubCategories) return all;
  return all.map((slice) => {
    const rare = slice.parts.filter((part) => part.value < least.value);
    const parts = slice.parts.filter((part) => part.value >= least.value);
    return { ...slice, parts: rare.length > 0 ? [...parts, { name: label, value: sum(rare) }] : parts };
  });
}
