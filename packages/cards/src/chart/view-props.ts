/** What every card's view is given. */
import type { CardConfiguration, CardData } from "@accord/contracts/insights/cards";
import type { FilterMark } from "@accord/contracts/insights/cross-filter";
import type { OnMark } from "../mark-target.ts";
import type { ChartWords } from "./words.ts";

export interface CardViewProps {
  card: CardConfiguration;
  data: CardData;
  /** What the card is called where it is shown: a part of the name of its chart. */
  name?: string | undefined;
  words?: ChartWords;
  /** Somebody chose a mark; absent where marks lead nowhere. */
  onMark?: OnMark | undefined;
  /** Marks that something is filtered by: they stand out. */
  chosen?: readonly FilterMark[] | undefined;
}
