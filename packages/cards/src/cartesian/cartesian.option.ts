/** What ECharts draws of columns, bars and lines. */
import type { CardConfiguration } from "@accord/contracts/insights/cards";
import type { ChartOption } from "../chart/echarts.ts";
import { groupColor, type Palette } from "../chart/palette.ts";
import { FONT, legendStyle, shorten, type TooltipLine, tooltipContent, tooltipStyle } from "../chart/style.ts";
import { formatNumber } from "../format.ts";
import { type CartesianKind, type CartesianLook, categoryAxis, hasLegend, timeAxis, valueAxes } from "./axes.ts";
import { crossingCell } from "./cut.ts";
import { type CartesianModel, type CartesianSeries, drawnValue, textAt } from "./cartesian.model.ts";

export function cartesianOption(model: CartesianModel, look: CartesianLook): ChartOption {
  const { kind, palette, legendPosition } = look;
  const legend = hasLegend(model, look);
  const lying = kind === "bar";
  const category = model.scale === "time" ? timeAxis(model, look) : categoryAxis(model, look);
  const values = valueAxes(model, look);
  const named = values.length > 1 ? 18 : 0;
  // The number of a cut bar stands beyond the axis.
  const isCut = kind !== "line" && model.cuts.some((cut) => cut?.max !== undefined);
  return {
    useUTC: true,
    grid: {
      top: (legend && legendPosition === "TOP" ? 30 : 12) + (lying ? named * 1.5 : named + (isCut ? 12 : 0)),
      bottom: (legend && legendPosition === "BOTTOM" ? 30 : 4) + (lying ? named : 0),
      left: 4,
      right: lying ? (isCut ? 64 : 24) : isCut ? 28 : 12,
      outerBoundsMode: "same",
      outerBoundsContain: look.card.axisTitles ? "all" : "axisLabel",
    },
    legend: legend ? legendStyle(palette, legendPosition, model.series) : { show: false },
    tooltip: {
      ...tooltipStyle(palette),
      trigger: "axis",
      axisPointer: {
        type: kind === "line" || model.scale === "time" ? "line" : "shadow",
        lineStyle: { color: palette.token("control-border") },
        shadowStyle: { color: palette.token("text"), opacity: 0.05 },
      },
      formatter: (params: { dataIndex: number; seriesIndex: number; color: string }[]) =>
        tooltipContent(
          model.categories[params[0]?.dataIndex ?? 0]?.label ?? "",
          params.flatMap(({ dataIndex, seriesIndex, color }) => tooltipLine(model, seriesIndex, dataIndex, color)),
        ),
    },
    xAxis: lying ? values : category,
    yAxis: lying ? { ...category, inverse: model.scale === "category" } : values,
    series: model.series.map((series, index) => seriesOption(model, series, index, look)),
  };
}

/** The line of one series in the tooltip of one category; none where the answer has no row and nothing is drawn. */
export function tooltipLine(model: CartesianModel, series: number, category: number, color: string): TooltipLine[] {
  const one = model.series[series];
  if (!one) return [];
  return [{ color, name: one.label, value: textAt(one, category) }];
}

function seriesOption(model: CartesianModel, series: CartesianSeries, index: number, look: CartesianLook): ChartOption {
  const { kind, card, palette } = look;
  const values = drawnValues(model, series, card.stacking);
  const data =
    model.scale === "time"
      ? values.map((value, place) => timePoint(model.categories[place]?.time ?? null, value, kind))
      : values;
  const common = {
    name: series.key,
    color: groupColor(series, index, palette),
    label: labelOf(series, kind, card, palette),
    labelLayout: { hideOverlap: true },
    ...(kind === "bar" ? { xAxisIndex: series.axisIndex } : { yAxisIndex: series.axisIndex }),
    ...(card.stacking ? { stack: `axis ${series.axisIndex}` } : {}),
    ...(index === model.series.findIndex(({ axisIndex }) => axisIndex === 0) ? referenceLine(model, look) : {}),
  };
  if (kind === "line") return { ...common, ...lineOption(data, values, model.series.length === 1, card) };
  const single = model.series.length === 1;
  return {
    ...common,
    type: "bar",
    data: values.map((value, place) => {
      const cut = cutLabel(model, index, place, look);
      return {
        value: data[place],
        itemStyle: {
          ...(single ? ownColor(model, place, palette) : {}),
          borderRadius: card.stacking || cut ? 0 : cornersOf(kind, value ?? 0),
        },
        ...(cut ?? ((value ?? 0) < 0 ? { label: { position: kind === "bar" ? "left" : "bottom" } } : {})),
      };
    }),
    barMaxWidth: 36,
    barMinWidth: 2,
    barCategoryGap: "32%",
  };
}

/** A dashed line across the chart, with its name and number at its end. */
function referenceLine({ reference }: CartesianModel, { kind, palette }: CartesianLook): ChartOption {
  if (!reference) return {};
  const text = reference.label ? `${reference.label} · ${reference.text}` : reference.text;
  return {
    markLine: {
      silent: true,
      symbol: "none",
      animation: false,
      data: [kind === "bar" ? { xAxis: reference.value } : { yAxis: reference.value }],
      lineStyle: { color: palette.token("text"), type: "dashed", width: 1.5 },
      label: {
        ...FONT,
        color: palette.token("text"),
        // It may stand on bars of any colour.
        backgroundColor: palette.token("surface"),
        padding: [1, 4],
        position: kind === "bar" ? "insideEndTop" : "insideStartTop",
        formatter: () => shorten(text, 48),
      },
    },
  };
}

/** The number of a bar that is cut at an end of its axis, with an arrow that says where it goes on. */
function cutLabel(
  model: CartesianModel,
  index: number,
  place: number,
  { kind, card, palette }: CartesianLook,
): { label: ChartOption } | null {
  const series = model.series[index];
  if (!series || !model.categories[place]?.isRest) return null;
  const found = crossingCell(model.series, index, place, model.cuts[series.axisIndex], card.stacking !== undefined);
  if (!found) return null;
  const isHigh = found.end === "max";
  const number = formatNumber(found.cell.value, series.format, true);
  const [position, text] =
    kind === "bar"
      ? isHigh
        ? (["right", `${number} →`] as const)
        : (["left", `← ${number}`] as const)
      : isHigh
        ? (["top", `↑ ${number}`] as const)
        : (["bottom", `↓ ${number}`] as const);
  return { label: { show: true, position, formatter: () => text, color: palette.token("text-2") } };
}

type Point = number | null | [number | null, number | null];

/** Lying bars have their dates on the vertical axis. */
const timePoint = (time: number | null, value: number | null, kind: CartesianKind): Point => {
  if (time === null) return null;
  return kind === "bar" ? [value, time] : [time, value];
};

function lineOption(
  data: readonly Point[],
  values: readonly (number | null)[],
  isSingle: boolean,
  card: CartesianLook["card"],
) {
  return {
    type: "line",
    data,
    symbol: "circle",
    symbolSize: (_: unknown, { dataIndex }: { dataIndex: number }) =>
      values.length <= 60 || isAlone(values, dataIndex) ? 5 : 0,
    showAllSymbol: true,
    connectNulls: false,
    lineStyle: { width: 2 },
    ...(card.stacking ? { areaStyle: { opacity: 0.25 } } : isSingle ? { areaStyle: { opacity: 0.08 } } : {}),
  };
}

function labelOf(series: CartesianSeries, kind: CartesianKind, card: CartesianLook["card"], palette: Palette) {
  return {
    show: card.labelVisible,
    ...FONT,
    color: palette.token("text-2"),
    position: kind === "bar" ? "right" : "top",
    formatter: ({ dataIndex }: { dataIndex: number }) =>
      formatNumber(drawnValue(series, dataIndex), series.format, true),
  };
}

/** Colours of single categories: chosen ones, and the neutral one of what was added up. */
function ownColor(model: CartesianModel, index: number, palette: Palette): { color?: string } {
  const category = model.categories[index];
  const color = palette.resolve(category?.color) ?? (category?.isRest ? palette.rest : undefined);
  return color === undefined ? {} : { color };
}

/** Round at the end of the bar, wherever that is. */
function cornersOf(kind: CartesianKind, value: number): number[] {
  if (kind === "bar") return value < 0 ? [3, 0, 0, 3] : [0, 3, 3, 0];
  return value < 0 ? [0, 0, 3, 3] : [3, 3, 0, 0];
}

/** Stacks have no gaps: nothing is the same as zero there. */
export function drawnValues(
  model: CartesianModel,
  series: CartesianSeries,
  stacking: CardConfiguration["stacking"],
): (number | null)[] {
  return model.categories.map((_, index) => {
    const value = drawnValue(series, index);
    if (stacking === undefined) return value;
    if (stacking === "normal") return value ?? 0;
    const total = model.series.reduce((sum, one) => sum + Math.abs(drawnValue(one, index) ?? 0), 0);
    return total === 0 ? 0 : (value ?? 0) / total;
  });
}

/** A point with gaps on both sides is no line: nothing would be drawn for it. */
const isAlone = (values: readonly (number | null)[], index: number): boolean =>
  (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null;
