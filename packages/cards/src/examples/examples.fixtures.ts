/** An example of every card type: for the gallery, and for tests of what each type must do. */
import type { VizType } from "@accord/contracts/insights/cards";
import { barExample } from "../bar/example.fixtures.ts";
import { columnExample } from "../column/example.fixtures.ts";
import { funnelExample } from "../funnel/example.fixtures.ts";
import { gaugeExample } from "../gauge/example.fixtures.ts";
import { lineExample } from "../line/example.fixtures.ts";
import { metricExample } from "../metric/example.fixtures.ts";
import { pieExample } from "../pie/example.fixtures.ts";
import { tableExample } from "../table/example.fixtures.ts";
import type { CardExample } from "./example.fixtures.ts";

export const CARD_EXAMPLES: Record<VizType, CardExample> = {
  COLUMN: columnExample,
  BAR: barExample,
  LINE: lineExample,
  METRIC: metricExample,
  TABLE: tableExample,
  PIE: pieExample,
  GAUGE: gaugeExample,
  FUNNEL: funnelExample,
};
