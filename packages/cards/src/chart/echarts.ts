/** The parts of ECharts that the cards use, and nothing else; drawn as SVG. */
import { BarChart, FunnelChart, GaugeChart, LineChart, PieChart } from "echarts/charts";
import { AriaComponent, GridComponent, LegendComponent, MarkLineComponent, TooltipComponent } from "echarts/components";
import * as core from "echarts/core";
import { SVGRenderer } from "echarts/renderers";

core.use([
  AriaComponent,
  BarChart,
  FunnelChart,
  GaugeChart,
  GridComponent,
  LegendComponent,
  LineChart,
  MarkLineComponent,
  PieChart,
  SVGRenderer,
  TooltipComponent,
]);

export type ChartOption = core.EChartsCoreOption;
export type Chart = core.ECharts;
export const startChart = (element: HTMLElement): Chart => core.init(element, null, { renderer: "svg" });
