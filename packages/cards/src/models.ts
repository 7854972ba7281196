/** What cards are drawn from. Chart, tooltips, table, summary and notes of a card are all made of its model. */
import type { CartesianModel } from "./cartesian/cartesian.model.ts";
import type { FunnelModel } from "./funnel/model.ts";
import type { MetricModel } from "./metric/model.ts";
import type { PieModel } from "./pie/model.ts";
import type { TableModel } from "./table/model.ts";

export type CardModel = CartesianModel | PieModel | FunnelModel | MetricModel | TableModel;
