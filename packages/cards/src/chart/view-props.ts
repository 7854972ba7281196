/** What every card's view is given. */
import type { CardConfiguration, CardData } from "@accord/contracts/insights/cards";
import type { OnMark } from "../mark-target.ts";
import type { ChartWords } from "./words.ts";

export interface CardViewProps {
  card: CardConfiguration;
  data: CardData;
  /** What the card is called where it is shown: a part of the name of its chart. */
  name?: string | undefined;
  words?: ChartWords;
  /** Somebody wants the records behind a mark; absent where that is not offered. */
  onMark?: OnMark | undefined;
}
