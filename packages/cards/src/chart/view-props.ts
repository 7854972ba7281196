/** What every card's view is given. */
import type { CardConfiguration, CardData } from "@accord/contracts/insights/cards";
import type { ChartWords } from "./words.ts";

export interface CardViewProps {
  card: CardConfiguration;
  data: CardData;
  words?: ChartWords;
}
