/** Draws columns, bars and lines from one model. */
import type { CardConfiguration } from "@accord/contracts/insights/cards";
import { useCallback, useMemo } from "react";
import { Chart, type Size } from "../chart/chart.tsx";
import type { ChartOption } from "../chart/echarts.ts";
import { type Palette, paletteOf } from "../chart/palette.ts";
import { useScheme } from "../chart/scheme.ts";
import { FONT, legendStyle, shorten, textWidth, tooltipContent, tooltipStyle } from "../chart/style.ts";
import type { CardViewProps } from "../chart/view-props.ts";
import { formatNumber } from "../format.ts";
import { cartesianModel, type CartesianModel } from "./cartesian.model.ts";

export type CartesianKind = "column" | "bar" | "line";

export function CartesianView({ card, data, words, kind }: CardViewProps & { kind: CartesianKind }) {
  const scheme = useScheme();
  const model = useMemo(() => cartesianModel(card, data, words), [card, data, words]);
  const option = useCallback(
    (size: Size) => cartesianOption(model, card, kind, paletteOf(scheme, card.colorTheme), size),
    [model, card, kind, scheme],
  );
  const names = model.series.map(({ name }) => name).join(", ");
  return <Chart option={option} label={`${names}: ${model.categoryTitle}, ${model.categories.length}`} />;
}

function cartesianOption(
  model: CartesianModel,
  card: CardConfiguration,
  kind: CartesianKind,
  palette: Palette,
  size: Size,
): ChartOption {
  const legend = card.legendVisible && model.series.length > 1 && size.height > 120;
  const lying = kind === "bar";
  const category = categoryAxis(model, palette, size, lying, kind);
  const value = valueAxis(model, card, palette, size, lying);
  return {
    grid: {
      top: legend && card.legendPosition === "TOP" ? 30 : 12,
      bottom: legend && card.legendPosition === "BOTTOM" ? 30 : 4,
      left: 4,
      right: lying ? 24 : 12,
      outerBoundsMode: "same",
      outerBoundsContain: "axisLabel",
    },
    legend: legend ? legendStyle(palette, card.legendPosition) : { show: false },
    tooltip: {
      ...tooltipStyle(palette),
      trigger: "axis",
      axisPointer: {
        type: kind === "line" ? "line" : "shadow",
        lineStyle: { color: palette.token("control-border") },
        shadowStyle: { color: palette.token("text"), opacity: 0.05 },
      },
      formatter: (params: { dataIndex: number; seriesIndex: number; color: string }[]) =>
        tooltipContent(
          model.categories[params[0]?.dataIndex ?? 0] ?? "",
          params.flatMap(({ dataIndex, seriesIndex, color }) => {
            const series = model.series[seriesIndex];
            return series
              ? [{ color, name: series.name, value: formatNumber(series.values[dataIndex] ?? null, series.format) }]
              : [];
          }),
        ),
    },
    xAxis: lying ? value : category,
    yAxis: lying ? { ...category, inverse: true } : value,
    series: model.series.map((_, at) => seriesOption(model, at, card, kind, palette)),
  };
}

function categoryAxis(
  model: CartesianModel,
  palette: Palette,
  size: Size,
  lying: boolean,
  kind: CartesianKind,
): ChartOption {
  const most = lying ? Math.max(8, Math.floor((size.width * 0.32) / 6.6)) : 16;
  const longest = Math.max(...model.categories.map((name) => textWidth(shorten(name, most))), 1);
  const room = size.width / Math.max(model.categories.length, 1);
  return {
    type: "category",
    data: model.categories,
    boundaryGap: kind !== "line",
    axisTick: { show: false },
    axisLine: { show: !lying, lineStyle: { color: palette.token("hairline") } },
    axisLabel: {
      ...FONT,
      color: palette.token("text-2"),
      formatter: (name: string) => shorten(name, most),
      hideOverlap: true,
      margin: 10,
      // A first label centred under the axis would run into the lowest value beside it.
      ...(kind === "line" && !lying ? { alignMinLabel: "left", alignMaxLabel: "right" } : {}),
      // Categories are all named: those that don't fit side by side lean. Dates are thinned out instead.
      ...(model.isTime || model.categories.length > 40
        ? {}
        : lying || room >= longest + 6
          ? { interval: 0 }
          : { interval: 0, rotate: room > 14 ? 35 : 90 }),
    },
  };
}

function valueAxis(
  model: CartesianModel,
  card: CardConfiguration,
  palette: Palette,
  size: Size,
  lying: boolean,
): ChartOption {
  const percent = card.stacking === "percent";
  return {
    type: "value",
    ...(percent ? { max: 1 } : {}),
    splitNumber: Math.max(2, Math.min(5, Math.floor(lying ? size.width / 90 : size.height / 45))),
    splitLine: { lineStyle: { color: palette.token("hairline") } },
    axisLabel: {
      ...FONT,
      color: palette.token("text-3"),
      formatter: (value: number) => formatNumber(value, percent ? "percent" : model.axisFormat, true),
    },
  };
}

function seriesOption(
  model: CartesianModel,
  at: number,
  card: CardConfiguration,
  kind: CartesianKind,
  palette: Palette,
): ChartOption {
  const series = model.series[at]!;
  const color = palette.resolve(series.color) ?? palette.series[at % palette.series.length]!;
  const values =
    card.stacking === "percent"
      ? shares(model, at)
      : card.stacking
        ? series.values.map((value) => value ?? 0)
        : series.values;
  const single = model.series.length === 1;
  const label = {
    show: card.labelVisible,
    ...FONT,
    color: palette.token("text-2"),
    position: kind === "bar" ? "right" : "top",
    formatter: ({ dataIndex }: { dataIndex: number }) =>
      formatNumber(series.values[dataIndex] ?? null, series.format, true),
  };
  const common = {
    name: series.name,
    color,
    label,
    labelLayout: { hideOverlap: true },
    ...(card.stacking ? { stack: "all" } : {}),
  };
  if (kind === "line")
    return {
      ...common,
      type: "line",
      data: values,
      symbol: "circle",
      symbolSize: values.length > 60 ? 0 : 5,
      showSymbol: values.length <= 60,
      connectNulls: false,
      lineStyle: { width: 2 },
      ...(card.stacking ? { areaStyle: { opacity: 0.25 } } : single ? { areaStyle: { opacity: 0.08 } } : {}),
    };
  return {
    ...common,
    type: "bar",
    data: values.map((value, place) => {
      const own = single ? palette.resolve(model.categoryColors[place]) : undefined;
      return own ? { value, itemStyle: { color: own } } : value;
    }),
    barMaxWidth: 36,
    barCategoryGap: "32%",
    itemStyle: { borderRadius: card.stacking ? 0 : kind === "bar" ? [0, 3, 3, 0] : [3, 3, 0, 0] },
  };
}

function shares(model: CartesianModel, at: number): number[] {
  return model.series[at]!.values.map((value, place) => {
    const total = model.series.reduce((sum, series) => sum + Math.abs(series.values[place] ?? 0), 0);
    return total === 0 ? 0 : (value ?? 0) / total;
  });
}
