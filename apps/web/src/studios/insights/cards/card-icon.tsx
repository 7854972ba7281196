/** The sign of a card type. */
import type { VizType } from "@accord/contracts/insights/cards";
import {
  IconChartBar,
  IconChartDonut,
  IconChartLine,
  IconFilter2,
  IconGauge,
  IconNumber123,
  IconTable,
  type Icon,
} from "@tabler/icons-react";

const ICONS: Record<VizType, Icon> = {
  COLUMN: IconChartBar,
  BAR: IconChartBar,
  LINE: IconChartLine,
  METRIC: IconNumber123,
  TABLE: IconTable,
  PIE: IconChartDonut,
  GAUGE: IconGauge,
  FUNNEL: IconFilter2,
};

export function CardIcon({ type, size = 18 }: { type: VizType; size?: number }) {
  const Sign = ICONS[type];
  return (
    <Sign size={size} stroke={1.7} aria-hidden style={type === "BAR" ? { transform: "rotate(90deg)" } : undefined} />
  );
}
