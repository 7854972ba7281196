/** What ECharts draws of a gauge: its ranges as an arc, the value's place on it, the value below. */
import type { CardConfiguration } from "@accord/contracts/insights/cards";
import type { Size } from "../chart/chart.tsx";
import type { ChartOption } from "../chart/echarts.ts";
import type { Palette } from "../chart/palette.ts";
import { FONT, shorten } from "../chart/style.ts";
import { formatNumber } from "../format.ts";
import type { MetricModel } from "../metric/model.ts";
import { scaleOf } from "./model.ts";

export interface GaugeLook {
  card: Pick<CardConfiguration, "columns" | "ranges">;
  palette: Palette;
  size: Size;
}

export function gaugeOption(model: MetricModel, { card, palette, size }: GaugeLook): ChartOption {
  const format = card.columns[0]?.displayFormat ?? "number";
  const { minimum, maximum, bands } = scaleOf(card.ranges, model.value, format);
  const color = model.value === null ? palette.token("text-3") : (palette.resolve(model.range?.color) ?? palette.at(0));
  // The arc ends below its centre, and the value and its name stand below that.
  const radius = Math.max(20, Math.min(size.width / 2 - 16, (size.height - 40) / 1.36));
  const width = Math.max(8, radius * 0.16);
  return {
    series: [
      {
        type: "gauge",
        startAngle: 200,
        endAngle: -20,
        center: ["50%", radius + 4],
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
        ...pointerOf(model, palette),
        axisTick: { show: false },
        splitLine: { show: false },
        axisLabel: {
          ...FONT,
          color: palette.token("text-3"),
          distance: -width - 14,
          formatter: (value: number) => formatNumber(value, format, true),
          show: radius > 60,
        },
        title: { show: true, offsetCenter: [0, radius * 0.36 + 24], ...FONT, color: palette.token("text-2") },
        detail: {
          offsetCenter: [0, radius * 0.36],
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
}

/** No value has no place on the scale. */
function pointerOf({ value }: MetricModel, palette: Palette): ChartOption {
  const color = palette.token("text-2");
  return {
    pointer: { show: value !== null, length: "58%", width: 4, itemStyle: { color } },
    anchor: { show: value !== null, size: 10, itemStyle: { color, borderWidth: 0 } },
  };
}
