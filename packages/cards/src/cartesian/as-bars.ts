/** Bars in place of a chart that can't draw its values, with the reason among the notes. */
import { type AxisEntry, CardConfiguration, type ConfigurationOf } from "@accord/contracts/insights/card-configuration";
import type { CardData } from "@accord/contracts/insights/cards";
import type { ChartWords } from "../chart/words.ts";
import type { CardNote, Cell, Group } from "../marks.ts";
import { type CartesianModel, cartesianModel } from "./cartesian.model.ts";

interface Drawn {
  card: ConfigurationOf<"PIE"> | ConfigurationOf<"FUNNEL">;
  category: AxisEntry | undefined;
  series?: AxisEntry | undefined;
  value: AxisEntry | undefined;
}

/** What bars obey and the card has no setting for. */
const PLAIN = CardConfiguration.parse({ vizType: "BAR" });

export function asBars(
  { card, category, series, value }: Drawn,
  data: CardData,
  words: ChartWords,
  reason: CardNote,
): CartesianModel {
  const bars: ConfigurationOf<"BAR"> = {
    ...PLAIN,
    ...card,
    xaxis: category,
    yaxis: value ? [value] : [],
    series: series ? [series] : [],
  };
  const model = cartesianModel(bars, data, words);
  return { ...model, notes: [reason, ...model.notes] };
}

/** Says which value can't be drawn; null where none is negative. */
export function negativeNote(
  negative: readonly (Group & { cell: Cell })[],
  code: "negative_slices" | "negative_stages",
): CardNote | null {
  const [least] = negative.toSorted((one, other) => (one.cell.value ?? 0) - (other.cell.value ?? 0));
  return least ? { code, facts: { count: negative.length, label: least.label, text: least.cell.text } } : null;
}
