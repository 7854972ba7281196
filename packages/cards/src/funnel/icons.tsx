/** The icon of a funnel; its thumbnail is a mark, as a metric's is. */
import { IconFilter2 } from "@tabler/icons-react";
import type { CardIcons } from "../card-icons.ts";
import { metricIcons } from "../metric/icons.tsx";

export const funnelIcons: CardIcons = { Icon: IconFilter2, Thumbnail: metricIcons.Thumbnail };
