/** What a chosen mark says in words: the title of each of its columns, and the values as the card shows them. */
import { cardEntries, chosenColumns } from "@accord/contracts/insights/card-configuration";
import type { AxisEntry, CardConfiguration, CardData } from "@accord/contracts/insights/cards";
import { fieldOf, type FilterMark } from "@accord/contracts/insights/cross-filter";
import type { Value } from "@accord/contracts/data/values";
import { type ChartWords, ENGLISH } from "./chart/words.ts";
import { formatValue } from "./format.ts";
import { columnNamed } from "./marks.ts";

export interface FilterText {
  column: string;
  values: string[];
}

/** Without data, as long as there are none, values are said as they are stored. */
export function filterTexts(
  mark: FilterMark,
  card: CardConfiguration,
  data: CardData | undefined,
  words: ChartWords = ENGLISH,
): FilterText[] {
  return mark.map(({ column: name, values, isOthers }) => {
    const axis = axisNamed(card, name);
    const column = data && columnNamed(data, name);
    const textOf = (value: Value): string => {
      if (value === null) return words.blank;
      const text = column
        ? formatValue(value, { ...column, format: axis?.displayFormat ?? "text", grain: axis?.grain })
        : String(value);
      return text.trim() === "" ? words.emptyText : text;
    };
    return {
      column: axis?.displayName || column?.displayName || axis?.name || name,
      values: isOthers ? [words.other] : values.map(textOf),
    };
  });
}

/** The mark with what its columns are on the card as it is now. */
export const withFields = (mark: FilterMark, card: CardConfiguration): FilterMark =>
  mark.map((group) => {
    const axis = axisNamed(card, group.column);
    return axis ? { ...group, field: fieldOf(axis) } : group;
  });

/** Whether the columns that a mark was chosen in are still what they were then. */
export const isOfCard = (mark: FilterMark, card: CardConfiguration): boolean =>
  mark.every(({ column, field }) => {
    const axis = axisNamed(card, column);
    return field === undefined || (axis !== undefined && field === fieldOf(axis));
  });

function axisNamed(card: CardConfiguration, name: string): AxisEntry | undefined {
  const entries = cardEntries(card);
  if (entries.kind !== "chart") return chosenColumns(card)[Number(name.slice(1))];
  return name === "series" ? entries.series : entries.category;
}
