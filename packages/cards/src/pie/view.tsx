/** Draws a donut with its total in the middle. */
import { useCallback, useMemo } from "react";
import { Chart, type Size } from "../chart/chart.tsx";
import type { ChartOption } from "../chart/echarts.ts";
import { blend, type Palette, paletteOf } from "../chart/palette.ts";
import { useScheme } from "../chart/scheme.ts";
import { FONT, legendStyle, tooltipContent, tooltipStyle } from "../chart/style.ts";
import type { CardViewProps } from "../chart/view-props.ts";
import { ENGLISH } from "../chart/words.ts";
import { formatNumber } from "../format.ts";
import { pieModel } from "./model.ts";

export function PieView({ card, data, words = ENGLISH }: CardViewProps) {
  const scheme = useScheme();
  const model = useMemo(() => pieModel(card, data, words), [card, data, words]);
  const option = useCallback(
    (size: Size): ChartOption => {
      const palette = paletteOf(scheme, card.colorTheme);
      const format = card.value?.displayFormat ?? "number";
      const legend = card.legendVisible && size.width > 260;
      const center = [!legend ? "50%" : card.legendPosition === "LEFT" ? "66%" : "36%", "50%"];
      const radius = Math.min(size.height, size.width * (legend ? 0.62 : 1)) / 2 - 8;
      const split = model.slices.some(({ parts }) => parts.length > 0);
      const tip = ({ name, value, percent, color }: { name: string; value: number; percent: number; color: string }) =>
        tooltipContent(name, [{ color, name: `${percent}%`, value: formatNumber(value, format) }]);
      const ring = (inner: number, outer: number) => ({
        type: "pie",
        center,
        radius: [radius * inner, radius * outer],
        itemStyle: { borderColor: palette.token("surface"), borderWidth: 2 },
        labelLine: { show: false },
      });
      return {
        tooltip: { ...tooltipStyle(palette), trigger: "item", formatter: tip },
        legend: legend
          ? { ...legendStyle(palette, card.legendPosition), data: model.slices.map(({ name }) => name) }
          : { show: false },
        series: [
          {
            ...ring(0.58, split ? 0.78 : 1),
            data: slicesOf(model, palette),
            label: insideLabel(card.labelVisible && !split, palette),
            emphasis: { scaleSize: 3 },
          },
          ...(split
            ? [{ ...ring(0.8, 1), data: partsOf(model, palette), label: { show: false }, emphasis: { scaleSize: 3 } }]
            : []),
          {
            type: "pie",
            center,
            radius: [0, 0],
            silent: true,
            data: [{ value: 1, name: "" }],
            label: {
              show: radius > 46,
              position: "center",
              formatter: `{value|${formatNumber(model.total, format, true)}}\n{name|${words.total}}`,
              rich: {
                value: {
                  ...FONT,
                  fontSize: Math.min(24, radius / 3.4),
                  fontWeight: 620,
                  color: palette.token("text"),
                  lineHeight: Math.min(30, radius / 2.6),
                },
                name: { ...FONT, color: palette.token("text-3") },
              },
            },
            tooltip: { show: false },
          },
        ],
      };
    },
    [model, card, scheme, words],
  );
  return (
    <Chart option={option} label={model.slices.map(({ name, value }) => `${name} ${formatNumber(value)}`).join(", ")} />
  );
}

const colorAt = (model: ReturnType<typeof pieModel>, at: number, palette: Palette): string =>
  palette.resolve(model.slices[at]?.color) ?? palette.series[at % palette.series.length]!;

const slicesOf = (model: ReturnType<typeof pieModel>, palette: Palette) =>
  model.slices.map(({ name, value }, at) => ({ name, value, itemStyle: { color: colorAt(model, at, palette) } }));

const partsOf = (model: ReturnType<typeof pieModel>, palette: Palette) =>
  model.slices.flatMap(({ name, parts }, at) =>
    parts.map((part, place) => ({
      name: `${name} · ${part.name}`,
      value: part.value,
      itemStyle: {
        color: blend(colorAt(model, at, palette), palette.token("surface"), Math.max(0.35, 0.85 - place * 0.14)),
      },
    })),
  );

const insideLabel = (show: boolean, palette: Palette) => ({
  show,
  position: "inside",
  ...FONT,
  color: palette.token("surface"),
  formatter: ({ percent }: { percent: number }) => (percent >= 6 ? `${Math.round(percent)}%` : ""),
});
