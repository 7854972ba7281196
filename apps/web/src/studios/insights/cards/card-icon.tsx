/** The sign of a card type. */
import { CARD_ICONS } from "@accord/cards/icons";
import type { VizType } from "@accord/contracts/insights/cards";

export function CardIcon({ type, size = 18 }: { type: VizType; size?: number }) {
  const { Icon } = CARD_ICONS[type];
  return <Icon size={size} stroke={1.7} aria-hidden />;
}
