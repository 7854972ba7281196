/** Every card type. A new one adds its folder and one line here, in icons.ts, views.ts and examples/examples.fixtures.ts. */
import type { CardConfiguration, VizType } from "@accord/contracts/insights/cards";
import { barCard } from "./bar/definition.ts";
import type { CardProblem } from "./card-problems.ts";
import { columnCard } from "./column/definition.ts";
import { type CardDefinition, cardProblems } from "./definition.ts";
import { funnelCard } from "./funnel/definition.ts";
import { gaugeCard } from "./gauge/definition.ts";
import { lineCard } from "./line/definition.ts";
import { metricCard } from "./metric/definition.ts";
import { pieCard } from "./pie/definition.ts";
import { tableCard } from "./table/definition.ts";

/** In the order in which the name of a chart is looked for in a question. */
export const CARD_DEFINITIONS: Record<VizType, CardDefinition> = {
  PIE: pieCard,
  BAR: barCard,
  COLUMN: columnCard,
  LINE: lineCard,
  GAUGE: gaugeCard,
  FUNNEL: funnelCard,
  METRIC: metricCard,
  TABLE: tableCard,
};

/** Problems of a card by its own type's rules; empty when it is complete. */
export const problemsOfCard = (card: CardConfiguration): CardProblem[] =>
  cardProblems(CARD_DEFINITIONS[card.vizType], card);
