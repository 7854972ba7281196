/** Axes of columns, bars and lines: categories with room for their labels, dates by distance, values by format. */
import type { CardConfiguration, LegendPosition } from "@accord/contracts/insights/cards";
import type { Size } from "../chart/chart.tsx";
import type { DateGrain } from "@accord/contracts/insights/dataset-config";
import type { ChartOption } from "../chart/echarts.ts";
import type { Palette } from "../chart/palette.ts";
import { FONT, shorten, textWidth } from "../chart/style.ts";
import { formatNumber } from "../format.ts";
import type { CartesianModel } from "./cartesian.model.ts";

export type CartesianKind = "column" | "bar" | "line";

export interface CartesianLook {
  kind: CartesianKind;
  card: Pick<CardConfiguration, "legendVisible" | "labelVisible" | "stacking" | "axisTitles">;
  legendPosition: LegendPosition;
  palette: Palette;
  size: Size;
}

const LINE_HEIGHT = 12;
/** Letters of a label below the axis. */
const MAX_LABEL = 16;
/** Room of a leaning label along the axis. */
const LEANING_WIDTH = 20;

export const hasLegend = (model: CartesianModel, { card, size }: CartesianLook): boolean =>
  card.legendVisible && model.series.length > 1 && size.height > 120;

export function categoryAxis(model: CartesianModel, look: CartesianLook): ChartOption {
  const { palette, size, kind } = look;
  const lying = kind === "bar";
  const most = lying ? Math.max(8, Math.floor((size.width * 0.32) / 6.6)) : MAX_LABEL;
  const labels = model.categories.map(({ label }) => label);
  const longest = labels.reduce((width, label) => Math.max(width, textWidth(shorten(label, most))), 1);
  const room = (lying ? heightOfBars(model, look) : size.width - AXIS_WIDTH) / Math.max(labels.length, 1);
  const needed = lying ? LINE_HEIGHT : longest + 6;
  return {
    type: "category",
    data: model.categories.map(({ key }) => key),
    boundaryGap: kind !== "line",
    ...titleOf(look.card.axisTitles?.category, lying, palette),
    axisTick: { show: false },
    axisLine: { show: !lying, onZero: false, lineStyle: { color: palette.token("hairline") } },
    axisLabel: {
      ...FONT,
      color: palette.token("text-2"),
      formatter: (_: string, index: number) => shorten(labels[index] ?? "", most),
      margin: 10,
      ...(model.isTime ? dateLabels(model, room / needed) : categoryLabels(model, room, needed, kind)),
    },
  };
}

/** Room of the other axis' labels. */
const AXIS_HEIGHT = 30;
const AXIS_WIDTH = 50;

/** What axes with their names and the legend leave to lying bars. */
const heightOfBars = (model: CartesianModel, look: CartesianLook): number =>
  look.size.height - AXIS_HEIGHT - (model.axisFormats.length > 1 ? 66 : 0) - (hasLegend(model, look) ? 26 : 0);

/**
 * Labels stand side by side, else they lean, else some are left out: at even distances, and never that of what was
 * added up.
 */
function categoryLabels(model: CartesianModel, room: number, needed: number, kind: CartesianKind): ChartOption {
  const lying = kind === "bar";
  // A first label centred under the axis would run into the lowest value beside it.
  if (room >= needed)
    return { interval: 0, ...(kind === "line" ? { alignMinLabel: "left", alignMaxLabel: "right" } : {}) };
  if (!lying && room >= LEANING_WIDTH) return { interval: 0, rotate: 35 };
  const last = model.categories.length - 1;
  const widths = model.categories.map(({ label, isRest }) => (isRest ? 0 : textWidth(shorten(label, MAX_LABEL)) + 12));
  const width = lying ? LINE_HEIGHT : Math.max(...widths, LEANING_WIDTH);
  const step = Math.ceil(width / Math.max(room, 0.1));
  if (!model.categories[last]?.isRest) return { interval: (index: number) => index % step === 0 };
  const gap = lying ? step : Math.ceil((needed + width / 2) / Math.max(room, 0.1));
  return {
    interval: (index: number) => index === last || (index % step === 0 && last - index >= gap),
    ...(lying ? {} : { alignMaxLabel: "right" }),
  };
}

/** Steps between named dates that readers count in. */
const DATE_STEPS: Record<DateGrain, readonly number[]> = {
  day: [1, 2, 7, 14, 28, 91, 182, 364],
  week: [1, 2, 4, 13, 26, 52, 104, 260],
  month: [1, 2, 3, 6, 12, 24, 60, 120],
  quarter: [1, 2, 4, 8, 20, 40],
  year: [1, 2, 5, 10, 20, 50, 100],
};

/** As many dates as there is room for: January, or every second year, rather than each ninth month. */
function dateLabels({ categories, grain }: CartesianModel, share: number): ChartOption {
  if (!grain) return { hideOverlap: true };
  const step = DATE_STEPS[grain].find((one) => one * share >= 1);
  if (step === undefined) return { hideOverlap: true };
  return { interval: (index: number) => ordinalOf(categories[index]?.time ?? 0, grain, index) % step === 0 };
}

function ordinalOf(time: number, grain: DateGrain, index: number): number {
  const date = new Date(time);
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth();
  switch (grain) {
    case "month":
      return month;
    case "quarter":
      return Math.floor(month / 3);
    case "year":
      return date.getUTCFullYear();
    default:
      return index;
  }
}

const DAY_MS = 86_400_000;
const GRAIN_DAYS: Record<DateGrain, number> = { day: 1, week: 7, month: 28, quarter: 90, year: 365 };

export function timeAxis({ grain }: CartesianModel, { palette, kind, card }: CartesianLook): ChartOption {
  return {
    type: "time",
    ...titleOf(card.axisTitles?.category, kind === "bar", palette),
    // No ticks between the dates that values are cut to.
    ...(grain ? { minInterval: GRAIN_DAYS[grain] * DAY_MS } : {}),
    axisTick: { show: false },
    axisLine: { show: kind !== "bar", onZero: false, lineStyle: { color: palette.token("hairline") } },
    splitLine: { show: false },
    axisLabel: { ...FONT, color: palette.token("text-2"), hideOverlap: true, margin: 10 },
  };
}

/** An axis for each format: dollars and pieces have no scale in common. */
export function valueAxes(model: CartesianModel, { card, palette, size, kind }: CartesianLook): ChartOption[] {
  const lying = kind === "bar";
  const percent = card.stacking === "percent";
  const several = model.axisFormats.length > 1;
  return model.axisFormats.map((format, index) => ({
    type: "value",
    ...model.cuts[index],
    ...(index === 0 ? model.reference?.ends : {}),
    ...(percent ? { max: 1 } : lying && card.labelVisible ? { boundaryGap: labelGap(model) } : {}),
    splitNumber: Math.max(2, Math.min(5, Math.floor(lying ? size.width / 90 : size.height / 45))),
    position: lying ? (index === 0 ? "bottom" : "top") : index === 0 ? "left" : "right",
    offset: Math.max(0, index - 1) * 56,
    alignTicks: several,
    splitLine: { show: index === 0, lineStyle: { color: palette.token("hairline") } },
    // Axes of several formats are named after what is measured on them.
    ...(several ? axisName(model, index, lying, palette) : titleOf(card.axisTitles?.value, !lying, palette)),
    axisLabel: {
      ...FONT,
      color: palette.token("text-3"),
      formatter: (value: number) => formatNumber(value, percent ? "percent" : format, true),
    },
  }));
}

/** The title along an axis, beyond its labels; ECharts keeps it off them. */
function titleOf(title: string | undefined, isUpright: boolean, palette: Palette): ChartOption {
  if (!title) return {};
  return {
    name: shorten(title, 60),
    nameLocation: "middle",
    nameGap: isUpright ? 36 : 26,
    nameTextStyle: { ...FONT, color: palette.token("text-2") },
  };
}

/** Room for the values written at the ends of bars that lead to the left. */
const labelGap = ({ series }: CartesianModel): [string, string] =>
  series.some(({ cells }) => cells.some((cell) => (cell?.value ?? 0) < 0)) ? ["14%", "4%"] : ["0%", "4%"];

/** Which series are measured on the axis. */
function axisName(model: CartesianModel, axisIndex: number, lying: boolean, palette: Palette): ChartOption {
  const names = model.series.filter((series) => series.axisIndex === axisIndex).map(({ label }) => label);
  return {
    name: shorten(names.join(", "), 24),
    nameLocation: lying ? "middle" : "end",
    nameGap: lying ? 24 : 10,
    nameTextStyle: {
      ...FONT,
      color: palette.token("text-2"),
      ...(lying ? {} : { align: axisIndex === 0 ? "left" : "right" }),
    },
  };
}
