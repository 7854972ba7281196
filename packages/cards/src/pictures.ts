/** Icons and small pictures of all card types. Apart from the charts themselves, which are loaded when one is drawn. */
import type { VizType } from "@accord/contracts/insights/cards";
import { barPictures } from "./bar/pictures.tsx";
import { columnPictures } from "./column/pictures.tsx";
import { funnelPictures } from "./funnel/pictures.tsx";
import { gaugePictures } from "./gauge/pictures.tsx";
import { linePictures } from "./line/pictures.tsx";
import { metricPictures } from "./metric/pictures.tsx";
import { piePictures } from "./pie/pictures.tsx";
import { tablePictures } from "./table/pictures.tsx";
import type { CardPictures } from "./card-pictures.ts";

export const CARD_PICTURES: Record<VizType, CardPictures> = {
  COLUMN: columnPictures,
  BAR: barPictures,
  LINE: linePictures,
  METRIC: metricPictures,
  TABLE: tablePictures,
  PIE: piePictures,
  GAUGE: gaugePictures,
  FUNNEL: funnelPictures,
};
