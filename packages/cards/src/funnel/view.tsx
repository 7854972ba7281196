/** Draws a funnel; labels stand beside it or inside, and may tell the step-to-step ratio. */
import { useCallback, useMemo } from "react";
import { Chart, type Size } from "../chart/chart.tsx";
import type { ChartOption } from "../chart/echarts.ts";
import { paletteOf } from "../chart/palette.ts";
import { useScheme } from "../chart/scheme.ts";
import { FONT, legendStyle, shorten, tooltipContent, tooltipStyle } from "../chart/style.ts";
import type { CardViewProps } from "../chart/view-props.ts";
import { formatNumber } from "../format.ts";
import { funnelModel } from "./model.ts";

export function FunnelView({ card, data, words }: CardViewProps) {
  const scheme = useScheme();
  const stages = useMemo(() => funnelModel(card, data, words), [card, data, words]);
  const option = useCallback(
    (size: Size): ChartOption => {
      const palette = paletteOf(scheme, card.colorTheme);
      const format = card.measure?.displayFormat ?? "number";
      const legend = card.displayAdditional === "legends" && card.legendVisible;
      const labels = card.displayAdditional !== "legends";
      const outside = labels && card.labelPosition !== "INSIDE";
      const most = Math.max(8, Math.floor((size.width * 0.3) / 6.6));
      const textOf = (at: number): string => {
        const stage = stages[at]!;
        const extra =
          card.displayAdditional === "step_to_step_ratio"
            ? stage.ratio === null
              ? ""
              : ` · ${formatNumber(stage.ratio, "percent")}`
            : ` · ${formatNumber(stage.value, format, true)}`;
        return `${shorten(stage.name, most)}${extra}`;
      };
      return {
        tooltip: {
          ...tooltipStyle(palette),
          trigger: "item",
          formatter: ({ name, dataIndex, color }: { name: string; dataIndex: number; color: string }) =>
            tooltipContent(name, [
              {
                color,
                name: card.measure?.displayName ?? "",
                value: formatNumber(stages[dataIndex]?.value ?? null, format),
              },
            ]),
        },
        legend: legend ? legendStyle(palette, card.legendPosition) : { show: false },
        series: [
          {
            type: "funnel",
            sort: "none",
            top: 8,
            bottom: 8,
            left: legend && card.legendPosition === "LEFT" ? "32%" : 8,
            width: outside ? "56%" : legend ? "64%" : "94%",
            minSize: "6%",
            gap: 2,
            itemStyle: { borderWidth: 0 },
            label: {
              show: labels,
              position: outside ? "right" : "inside",
              ...FONT,
              color: outside ? palette.token("text-2") : palette.token("surface"),
              formatter: ({ dataIndex }: { dataIndex: number }) => textOf(dataIndex),
            },
            labelLine: { length: 10, lineStyle: { color: palette.token("hairline") } },
            data: stages.map(({ name, value, color }, at) => ({
              name,
              value,
              itemStyle: { color: palette.resolve(color) ?? palette.series[at % palette.series.length] },
            })),
          },
        ],
      };
    },
    [stages, card, scheme],
  );
  return <Chart option={option} label={stages.map(({ name, value }) => `${name} ${formatNumber(value)}`).join(", ")} />;
}
