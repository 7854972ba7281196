/** The icon of a funnel; in small it is a mark, as a metric is. */
import { IconFilter2 } from "@tabler/icons-react";
import type { CardPictures } from "../card-pictures.ts";
import { metricPictures } from "../metric/pictures.tsx";

export const funnelPictures: CardPictures = { Icon: IconFilter2, Thumbnail: metricPictures.Thumbnail };
