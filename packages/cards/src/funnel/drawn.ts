/** What is drawn of a funnel: bars where its stages can't be drawn. */
import type { CardData, ConfigurationOf } from "@accord/contracts/insights/cards";
import { asBars, negativeNote } from "../cartesian/as-bars.ts";
import type { CartesianModel } from "../cartesian/cartesian.model.ts";
import type { ChartWords } from "../chart/words.ts";
import { type FunnelModel, funnelModel } from "./model.ts";

/** Nothing narrows to less than nothing: a funnel of such stages is drawn as bars. */
export function funnelOrBars(
  card: ConfigurationOf<"FUNNEL">,
  data: CardData,
  words: ChartWords,
): FunnelModel | CartesianModel {
  const model = funnelModel(card, data, words);
  const negative = model.stages.filter(({ cell }) => (cell.value ?? 0) < 0);
  const reason = negativeNote(negative, "negative_stages");
  return reason ? asBars({ card, category: card.dataField, value: card.measure }, data, words, reason) : model;
}
