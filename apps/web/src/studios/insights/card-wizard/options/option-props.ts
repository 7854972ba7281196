/** What the control of an option is given. */
import type { CardDefinition } from "@accord/cards/definitions";
import type { CardConfiguration } from "@accord/contracts/insights/cards";

export interface OptionProps {
  card: CardConfiguration;
  definition: CardDefinition;
  onChange: (card: CardConfiguration) => void;
}
