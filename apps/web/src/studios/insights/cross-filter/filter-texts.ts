/** A filter by marks in words: “Country is NL or DE”. */
import type { CardConfiguration, CardData } from "@accord/contracts/insights/cards";
import type { FilterMark } from "@accord/contracts/insights/cross-filter";
import { type FilterText, filterTexts } from "@accord/cards/views";
import { useWords } from "../../../app/words.ts";
import { useChartWords } from "../parts/chart-words.ts";

/** Values that are named; of more it is said how many. */
const NAMED = 3;

export interface FilterCard {
  configuration: CardConfiguration;
  data: CardData | undefined;
}

/** Words of the marks of a card. */
export function useFilterText(): (marks: readonly FilterMark[], card: FilterCard) => string {
  const { t } = useWords("insights");
  const words = useChartWords();
  const listed = (values: readonly string[]): string => {
    const more = values.length - NAMED;
    const named = more > 0 ? [...values.slice(0, NAMED), t("crossFilter.more", { count: more })] : values;
    return named.join(` ${t("crossFilter.or")} `);
  };
  const is = ({ column, values }: FilterText): string => t("crossFilter.is", { column, value: listed(values) });
  return (marks, { configuration, data }) => {
    const texts = marks.map((mark) => filterTexts(mark, configuration, data, words));
    const [first] = texts;
    if (!first) return "";
    if (first.length === 1)
      return is({ column: first[0]?.column ?? "", values: texts.flat().flatMap(({ values }) => values) });
    return listed(texts.map((columns) => columns.map(is).join(` ${t("crossFilter.and")} `)));
  };
}
