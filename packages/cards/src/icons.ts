/** Icons and thumbnails of all card types. Apart from the charts themselves, which are loaded when one is drawn. */
import type { VizType } from "@accord/contracts/insights/cards";
import { barIcons } from "./bar/icons.tsx";
import { columnIcons } from "./column/icons.tsx";
import { funnelIcons } from "./funnel/icons.tsx";
import { gaugeIcons } from "./gauge/icons.tsx";
import { lineIcons } from "./line/icons.tsx";
import { metricIcons } from "./metric/icons.tsx";
import { pieIcons } from "./pie/icons.tsx";
import { tableIcons } from "./table/icons.tsx";
import type { CardIcons } from "./card-icons.ts";

export const CARD_ICONS: Record<VizType, CardIcons> = {
  COLUMN: columnIcons,
  BAR: barIcons,
  LINE: lineIcons,
  METRIC: metricIcons,
  TABLE: tableIcons,
  PIE: pieIcons,
  GAUGE: gaugeIcons,
  FUNNEL: funnelIcons,
};
