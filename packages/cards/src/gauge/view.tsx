/** Draws a gauge: the value's place among its ranges. */
import { useCallback, useMemo } from "react";
import { Chart, type Size } from "../chart/chart.tsx";
import type { ChartOption } from "../chart/echarts.ts";
import { paletteOf } from "../chart/palette.ts";
import { useScheme } from "../chart/scheme.ts";
import { FONT, shorten } from "../chart/style.ts";
import type { CardViewProps } from "../chart/view-props.ts";
import { formatNumber } from "../format.ts";
import { metricModel } from "../metric/model.ts";
import { gaugeScale } from "./model.ts";

export function GaugeView({ card, data }: CardViewProps) {
  const scheme = useScheme();
  const model = useMemo(() => metricModel(card, data), [card, data]);
  const option = useCallback(
    (size: Size): ChartOption => {
      const palette = paletteOf(scheme, card.colorTheme);
      const format = card.columns[0]?.displayFormat ?? "number";
      const { minimum, maximum, bands } = gaugeScale(card.ranges);
      const color = palette.resolve(model.range?.color) ?? palette.series[0]!;
      const radius = Math.min(size.width / 2 - 12, size.height * 0.72);
      const width = Math.max(8, radius * 0.16);
      return {
        series: [
          {
            type: "gauge",
            startAngle: 200,
            endAngle: -20,
            center: ["50%", "66%"],
            radius,
            min: minimum,
            max: maximum,
            splitNumber: 1,
            axisLine: {
              lineStyle: {
                width,
                color: bands.map(({ end, color: band }) => [end, palette.resolve(band) ?? palette.token("hairline")]),
              },
            },
            pointer: { length: "58%", width: 4, itemStyle: { color: palette.token("text-2") } },
            anchor: { show: true, size: 10, itemStyle: { color: palette.token("text-2"), borderWidth: 0 } },
            axisTick: { show: false },
            splitLine: { show: false },
            axisLabel: {
              ...FONT,
              color: palette.token("text-3"),
              distance: -width - 2,
              formatter: (value: number) => formatNumber(value, format, true),
              show: radius > 60,
            },
            title: { show: true, offsetCenter: [0, "58%"], ...FONT, color: palette.token("text-2") },
            detail: {
              offsetCenter: [0, "36%"],
              ...FONT,
              fontSize: Math.min(26, radius / 3.4),
              fontWeight: 620,
              color,
              formatter: () => model.text,
            },
            data: [
              {
                value: model.value ?? minimum,
                name: shorten(model.range?.name || model.caption, Math.floor(size.width / 9)),
              },
            ],
          },
        ],
      };
    },
    [model, card, scheme],
  );
  return (
    <Chart
      option={option}
      label={`${model.caption}: ${model.text}${model.range?.name ? `, ${model.range.name}` : ""}`}
    />
  );
}
