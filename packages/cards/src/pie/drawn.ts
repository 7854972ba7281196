/** What is drawn of a donut, and watched: bars where its slices can't be drawn. */
import type { CardData, ConfigurationOf } from "@accord/contracts/insights/cards";
import { asBars, negativeNote } from "../cartesian/as-bars.ts";
import type { CartesianModel } from "../cartesian/cartesian.model.ts";
import type { ChartWords } from "../chart/words.ts";
import { type CardNote, isAdditive } from "../marks.ts";
import { type PieModel, pieModel } from "./model.ts";

/** Parts of a whole can't be negative, and averages of parts make no whole: such a donut is drawn as bars. */
export function pieOrBars(card: ConfigurationOf<"PIE">, data: CardData, words: ChartWords): PieModel | CartesianModel {
  const model = pieModel(card, data, words);
  const reason = negativeNote(model.negative, "negative_slices");
  if (reason) return pieAsBars(card, data, words, reason);
  return slicesAddUp(card, model) ? model : pieAsBars(card, data, words, { code: "parts_not_additive", facts: {} });
}

const pieAsBars = (card: ConfigurationOf<"PIE">, data: CardData, words: ChartWords, reason: CardNote): CartesianModel =>
  asBars({ card, category: card.category, series: card.subCategory, value: card.value }, data, words, reason);

/** Whether each slice has a value: one of its own, or parts that add up to it. */
const slicesAddUp = (card: ConfigurationOf<"PIE">, { subCategoryTitle }: PieModel): boolean =>
  subCategoryTitle === null || isAdditive(card.value);

/**
 * Donuts that are drawn as bars because of a negative part keep their keys: such a value may be the very one that an
 * alert is for. Bars stand for each slice by itself, however small it is.
 */
export function watchedPie(card: ConfigurationOf<"PIE">, data: CardData, words: ChartWords): PieModel | CartesianModel {
  const model = pieModel(card, data, words);
  if (!slicesAddUp(card, model)) return pieOrBars(card, data, words);
  return model.negative.length > 0 ? pieModel({ ...card, minimumValue: undefined }, data, words) : model;
}
