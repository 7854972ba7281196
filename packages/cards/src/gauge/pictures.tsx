/** The icon of a gauge; in small it is a ring, as a donut is. */
import { IconGauge } from "@tabler/icons-react";
import type { CardPictures } from "../card-pictures.ts";
import { piePictures } from "../pie/pictures.tsx";

export const gaugePictures: CardPictures = { Icon: IconGauge, Thumbnail: piePictures.Thumbnail };
