/** The names in a chart that can have a colour of their own, in the order of their marks. */
import type { VizType } from "@accord/contracts/insights/cards";
import { CARD_DEFINITIONS } from "./card-list.ts";
import type { Group } from "./marks.ts";
import type { CardModel } from "./models.ts";

/** Longest name that a configuration holds. */
const MAX_LENGTH = 200;

/**
 * Series where values are split, else the categories of single columns or bars, the slices of a donut, the stages of a
 * funnel. Several values have their colours in the setup; dates, and what was added up, have none.
 */
export function colorableNames(model: CardModel, type: VizType): string[] {
  const isOneMark = CARD_DEFINITIONS[type].isOneMark ?? false;
  const named = groupsOf(model, isOneMark).filter(({ isRest, label }) => !isRest && label.length <= MAX_LENGTH);
  return [...new Set(named.map(({ label }) => label))];
}

function groupsOf(model: CardModel, isOneMark: boolean): readonly Group[] {
  switch (model.kind) {
    case "cartesian":
      if (model.seriesTitle !== null) return model.series;
      return isOneMark || model.isTime || model.series.length > 1 ? [] : model.categories;
    case "pie":
      return model.slices;
    case "funnel":
      return model.stages;
    case "metric":
    case "table":
      return [];
  }
}
