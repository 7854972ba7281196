/** Every card type. A new one adds its file and one line to the list. */
import { barType } from "./bar.ts";
import type { CardShape, CardType } from "./card-type.ts";
import { columnType } from "./column.ts";
import { funnelType } from "./funnel.ts";
import { gaugeType } from "./gauge.ts";
import { lineType } from "./line.ts";
import { metricType } from "./metric.ts";
import type { CardOption } from "./options.ts";
import { pieType } from "./pie.ts";
import { tableType } from "./table.ts";

export type { CardShape } from "./card-type.ts";
export { CARD_OPTIONS, type CardOption, OPTION_SETTINGS, type OptionSetting } from "./options.ts";

/** Each under its own name. */
const listed = <Types extends { [Name in keyof Types]: CardType & { type: Name } }>(types: Types): Types => types;

/** In the order in which they are offered. */
const CARD_TYPES = listed({
  COLUMN: columnType,
  BAR: barType,
  LINE: lineType,
  METRIC: metricType,
  TABLE: tableType,
  PIE: pieType,
  GAUGE: gaugeType,
  FUNNEL: funnelType,
});

export const VIZ_TYPES = Object.values(CARD_TYPES).map(({ type }) => type);
export type CardTypes = typeof CARD_TYPES;

export const cardShapeOf = (type: keyof CardTypes): CardShape => CARD_TYPES[type].shape;
export const optionsOf = (type: keyof CardTypes): readonly CardOption[] => CARD_TYPES[type].options;
