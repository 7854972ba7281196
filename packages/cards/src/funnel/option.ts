/** What ECharts draws of a funnel; labels stand beside it or inside, and may say the step-to-step ratio. */
import type { CardConfiguration, LegendPosition } from "@accord/contracts/insights/cards";
import type { Size } from "../chart/chart.tsx";
import type { ChartOption } from "../chart/echarts.ts";
import { groupColor, type Palette } from "../chart/palette.ts";
import { FONT, legendStyle, shorten, tooltipContent, tooltipStyle } from "../chart/style.ts";
import { formatNumber } from "../format.ts";
import type { FunnelModel, FunnelStage } from "./model.ts";

export interface FunnelLook {
  card: Pick<CardConfiguration, "legendVisible" | "displayAdditional" | "labelPosition" | "measure">;
  legendPosition: LegendPosition;
  palette: Palette;
  size: Size;
}

const LABEL_HEIGHT = 14;
/** Shares of the card's width: of all steps with labels beside them, and of the thinnest of these steps. */
const OUTSIDE_WIDTH = 0.56;
const MIN_SIZE = 0.01;
const GAP = 10;

/**
 * From the middle of a step's side to beyond its upper corner: beside a step that narrows fast a shorter line would
 * leave the label on the step.
 */
const lineLength = (top: number, bottom: number, width: number): number =>
  GAP + Math.round((Math.abs(top - bottom) / 4) * OUTSIDE_WIDTH * width);

export function funnelOption({ stages, valueTitle }: FunnelModel, look: FunnelLook): ChartOption {
  const { card, palette, size, legendPosition } = look;
  const legend = card.displayAdditional === "legends" && card.legendVisible;
  const labels = card.displayAdditional !== "legends";
  const outside = labels && card.labelPosition !== "INSIDE";
  const most = Math.max(8, Math.floor((size.width * 0.3) / 6.6));
  // A step thinner than its text would hold a clipped one; beside thin steps every second or third is named.
  const step = Math.ceil(LABEL_HEIGHT / ((size.height - 16) / Math.max(stages.length, 1)));
  const fits = step <= 1;
  const widest = Math.max(...stages.map(({ cell }) => cell.value ?? 0), 0);
  const widthOf = (stage: FunnelStage | undefined): number =>
    Math.max(MIN_SIZE, widest > 0 ? (stage?.cell.value ?? 0) / widest : 0);
  return {
    tooltip: {
      ...tooltipStyle(palette),
      trigger: "item",
      formatter: ({ dataIndex, color }: { dataIndex: number; color: string }) => {
        const stage = stages[dataIndex];
        return stage ? tooltipContent(stage.label, [{ color, name: valueTitle, value: stage.cell.text }]) : "";
      },
    },
    legend: legend ? legendStyle(palette, legendPosition, stages) : { show: false },
    series: [
      {
        type: "funnel",
        sort: "none",
        min: 0,
        top: 8,
        bottom: 8,
        left: legend && legendPosition === "LEFT" ? "32%" : 8,
        width: outside ? `${OUTSIDE_WIDTH * 100}%` : legend ? "64%" : "94%",
        minSize: `${MIN_SIZE * 100}%`,
        gap: stages.length > 12 ? 1 : 2,
        itemStyle: { borderWidth: 0 },
        label: {
          show: labels && (outside || fits),
          position: outside ? "right" : "inside",
          ...FONT,
          color: outside ? palette.token("text-2") : palette.token("surface"),
          formatter: ({ dataIndex }: { dataIndex: number }) => labelOf(stages[dataIndex], card, most),
        },
        labelLine: { length: GAP, lineStyle: { color: palette.token("hairline") } },
        data: stages.map((stage, index) => ({
          name: stage.key,
          value: stage.cell.value ?? 0,
          itemStyle: { color: groupColor(stage, index, palette) },
          ...(index % step === 0
            ? { labelLine: { length: lineLength(widthOf(stage), widthOf(stages[index + 1]), size.width) } }
            : { label: { show: false }, labelLine: { show: false } }),
        })),
      },
    ],
  };
}

function labelOf(stage: FunnelStage | undefined, card: FunnelLook["card"], most: number): string {
  if (!stage) return "";
  const name = shorten(stage.label, most);
  if (card.displayAdditional !== "step_to_step_ratio")
    return `${name} · ${formatNumber(stage.cell.value, card.measure?.displayFormat ?? "number", true)}`;
  return stage.ratio === null ? name : `${name} · ${formatNumber(stage.ratio, "percent")}`;
}
