/** What ECharts draws of a donut: a ring of slices, perhaps one of their parts around it, the total in the middle. */
import type { CardConfiguration, LegendPosition } from "@accord/contracts/insights/cards";
import type { Size } from "../chart/chart.tsx";
import type { ChartOption } from "../chart/echarts.ts";
import { blend, groupColor, type Palette } from "../chart/palette.ts";
import { FONT, legendStyle, tooltipContent, type TooltipLine, tooltipStyle } from "../chart/style.ts";
import type { ChartWords } from "../chart/words.ts";
import { formatNumber } from "../format.ts";
import type { Cell } from "../marks.ts";
import type { PieModel, Slice } from "./model.ts";

export interface PieLook {
  card: Pick<CardConfiguration, "legendVisible" | "labelVisible" | "value">;
  legendPosition: LegendPosition;
  palette: Palette;
  size: Size;
  words: ChartWords;
}

export function pieOption(model: PieModel, { card, legendPosition, palette, size, words }: PieLook): ChartOption {
  const legend = card.legendVisible && size.width > 260;
  const center = [!legend ? "50%" : legendPosition === "LEFT" ? "66%" : "36%", "50%"];
  const radius = Math.min(size.height, size.width * (legend ? 0.62 : 1)) / 2 - 8;
  const split = model.subCategoryTitle !== null;
  const marks = [slicesOf(model, palette), ...(split ? [partsOf(model, palette)] : [])];
  const ring = (inner: number, outer: number, index: number) => ({
    type: "pie",
    center,
    radius: [radius * inner, radius * outer],
    itemStyle: { borderColor: palette.token("surface"), borderWidth: (marks[index]?.length ?? 0) > 20 ? 1 : 2 },
    labelLine: { show: false },
    data: marks[index],
    emphasis: { scaleSize: 3 },
  });
  return {
    tooltip: {
      ...tooltipStyle(palette),
      trigger: "item",
      formatter: ({ seriesIndex, dataIndex, color }: { seriesIndex: number; dataIndex: number; color: string }) => {
        const mark = marks[seriesIndex]?.[dataIndex];
        return mark ? tooltipContent(mark.label, [sliceTooltip(model, mark.cell, color)]) : "";
      },
    },
    legend: legend ? legendStyle(palette, legendPosition, model.slices) : { show: false },
    series: [
      { ...ring(0.58, split ? 0.78 : 1, 0), label: insideLabel(card.labelVisible && !split, palette) },
      ...(split ? [{ ...ring(0.8, 1, 1), label: { show: false } }] : []),
      ...(model.total && radius > 46 ? [middle(model.total, card, words, palette, center, radius)] : []),
    ],
  };
}

export function sliceTooltip(model: PieModel, cell: Cell, color: string): TooltipLine {
  const total = model.total?.value ?? 0;
  const share = total > 0 ? formatNumber((cell.value ?? 0) / total, "percent") : "";
  return { color, name: share || model.valueTitle, value: cell.text };
}

function middle(
  total: Cell,
  card: PieLook["card"],
  words: ChartWords,
  palette: Palette,
  center: readonly string[],
  radius: number,
): ChartOption {
  const format = card.value?.displayFormat ?? "number";
  // In full where it fits: a shortened total can't be compared with the slices.
  const full = Math.min(24, radius / 3.4, (radius * 1.08) / (total.text.length * 0.58));
  const [text, fontSize] =
    full >= 13 ? [total.text, full] : [formatNumber(total.value, format, true), Math.min(24, radius / 3.4)];
  return {
    type: "pie",
    center,
    radius: [0, 0],
    silent: true,
    data: [{ value: 1, name: "" }],
    label: {
      show: true,
      position: "center",
      formatter: `{value|${text}}\n{name|${words.total}}`,
      rich: {
        value: {
          ...FONT,
          fontSize,
          fontWeight: 620,
          color: palette.token("text"),
          lineHeight: Math.min(30, radius / 2.6),
        },
        name: { ...FONT, color: palette.token("text-3"), lineHeight: 20 },
      },
    },
    tooltip: { show: false },
  };
}

export interface DrawnSlice {
  name: string;
  label: string;
  value: number;
  cell: Cell;
  itemStyle: { color: string };
}

export const slicesOf = (model: PieModel, palette: Palette): DrawnSlice[] =>
  model.slices.map((slice, index) => ({
    name: slice.key,
    label: slice.label,
    value: slice.cell.value ?? 0,
    cell: slice.cell,
    itemStyle: { color: groupColor(slice, index, palette) },
  }));

export const partsOf = (model: PieModel, palette: Palette): DrawnSlice[] =>
  model.slices.flatMap((slice: Slice, index) =>
    slice.parts.map((part, place) => ({
      name: `${slice.key} ${part.key} ${place}`,
      label: `${slice.label} · ${part.label}`,
      value: part.cell.value ?? 0,
      cell: part.cell,
      itemStyle: {
        color: blend(groupColor(slice, index, palette), palette.token("surface"), Math.max(0.35, 0.85 - place * 0.14)),
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
