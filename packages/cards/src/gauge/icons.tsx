/** The icon of a gauge; its thumbnail is a ring, as a donut's is. */
import { IconGauge } from "@tabler/icons-react";
import type { CardIcons } from "../card-icons.ts";
import { pieIcons } from "../pie/icons.tsx";

export const gaugeIcons: CardIcons = { Icon: IconGauge, Thumbnail: pieIcons.Thumbnail };
