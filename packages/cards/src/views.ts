/** How every card type is drawn. */
import "./chart/chart.css";
import type { VizType } from "@accord/contracts/insights/cards";
import type { ComponentType } from "react";
import { BarView } from "./bar/view.tsx";
import type { CardViewProps } from "./chart/view-props.ts";
import { ColumnView } from "./column/view.tsx";
import { FunnelView } from "./funnel/view.tsx";
import { GaugeView } from "./gauge/view.tsx";
import { LineView } from "./line/view.tsx";
import { MetricView } from "./metric/view.tsx";
import { PieView } from "./pie/view.tsx";
import { TableView } from "./table/view.tsx";

export { cardModel, modelTable } from "./card-model.ts";
export { colorableNames } from "./colorable-names.ts";
export { covers } from "./chart/chosen-marks.ts";
export { type FilterText, filterTexts, isOfCard, withFields } from "./filter-text.ts";
export type { CardNote } from "./marks.ts";
export type { CardViewProps } from "./chart/view-props.ts";
export type { MarkPlace, MarkTarget, OnMark } from "./mark-target.ts";
export type { ChartWords } from "./chart/words.ts";
export { paletteOf } from "./chart/palette.ts";
export { useScheme } from "./chart/scheme.ts";
export { ModelTable } from "./table/view.tsx";

export const CARD_VIEWS: Record<VizType, ComponentType<CardViewProps>> = {
  COLUMN: ColumnView,
  BAR: BarView,
  LINE: LineView,
  METRIC: MetricView,
  TABLE: TableView,
  PIE: PieView,
  GAUGE: GaugeView,
  FUNNEL: FunnelView,
};
