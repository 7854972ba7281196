/** Every card type. A new one adds its folder and one line here, and one in views.ts. */
import type { CardConfiguration, VizType } from "@accord/contracts/insights/cards";
import { barCard } from "./bar/definition.ts";
import { columnCard } from "./column/definition.ts";
import { type CardDefinition, type CardProblem, cardProblems } from "./definition.ts";
import { funnelCard } from "./funnel/definition.ts";
import { gaugeCard } from "./gauge/definition.ts";
import { lineCard } from "./line/definition.ts";
import { metricCard } from "./metric/definition.ts";
import { pieCard } from "./pie/definition.ts";
import { tableCard } from "./table/definition.ts";

export * from "./definition.ts";
export * from "./format.ts";
export { changeType, unplacedFields, keepSetup, type KeptSetup } from "./kept-setup.ts";
export * from "./ranges.ts";
export {
  isWatchOf,
  judgeValues,
  labelKept,
  type Verdict,
  type Watchable,
  type Watched,
  type WatchableSeries,
  watchableOf,
  watchedValues,
  type WatchProblem,
} from "./watched.ts";

export const CARD_DEFINITIONS: Record<VizType, CardDefinition> = {
  COLUMN: columnCard,
  BAR: barCard,
  LINE: lineCard,
  METRIC: metricCard,
  TABLE: tableCard,
  PIE: pieCard,
  GAUGE: gaugeCard,
  FUNNEL: funnelCard,
};

/** Problems of a card by its own type's rules; empty when it is complete. */
export const problemsOfCard = (card: CardConfiguration): CardProblem[] =>
  cardProblems(CARD_DEFINITIONS[card.vizType], card);
