/** What was added up may dwarf the largest of what is shown: then the axis fits the others, and its bar is cut. */
import type { CardConfiguration, DisplayFormat } from "@accord/contracts/insights/cards";
import { formatNumber } from "../format.ts";
import { type Cell, niceAbove, sumOf } from "../marks.ts";
import type { CartesianSeries } from "./series.ts";

/** Ends of a value axis; an absent one follows the values. */
export interface AxisEnds {
  min?: number;
  max?: number;
}

/** So many times the span of what is shown may be added to it without making the others too small to compare. */
const DWARFS = 2;

/** The ends of each axis that the rest goes beyond; null where it does not. */
export function cutsOf(
  series: readonly CartesianSeries[],
  restIndex: number,
  stacking: CardConfiguration["stacking"],
): (AxisEnds | null)[] {
  const axes = Array.from({ length: Math.max(0, ...series.map(({ axisIndex }) => axisIndex + 1)) }, (_, at) => at);
  return axes.map((axis) => {
    // Shares of a whole are never larger than it.
    if (restIndex < 0 || stacking === "percent") return null;
    const own = series.filter(({ axisIndex }) => axisIndex === axis);
    const spans = (own[0]?.cells ?? []).map((_, at) => spanAt(own, at, stacking !== undefined));
    const rest = spans[restIndex];
    const shown = spans.filter((_, at) => at !== restIndex);
    const low = Math.min(0, ...shown.map(({ low: one }) => one));
    const high = Math.max(0, ...shown.map(({ high: one }) => one));
    const room = (high - low) * (DWARFS - 1);
    if (!rest || room === 0) return null;
    const ends: AxisEnds = {
      ...(rest.low < low - room ? { min: -niceAbove(-low || room / 4) } : {}),
      ...(rest.high > high + room ? { max: niceAbove(high || room / 4) } : {}),
    };
    return ends.min === undefined && ends.max === undefined ? null : ends;
  });
}

export interface Reference {
  value: number;
  label: string;
  text: string;
  /** Where the first axis has to end for the line to be on it; absent where the values reach as far. */
  ends: AxisEnds;
}

/** The card's goal or limit on the first value axis; null without one, and among shares of 100%. */
export function referenceOf(
  card: Pick<CardConfiguration, "referenceLine" | "stacking">,
  series: readonly CartesianSeries[],
  cut: AxisEnds | null | undefined,
): Reference | null {
  const line = card.referenceLine;
  const first = series.filter(({ axisIndex }) => axisIndex === 0);
  if (!line || !first[0] || card.stacking === "percent") return null;
  const spans = first[0].cells.map((_, at) => spanAt(first, at, card.stacking !== undefined));
  const low = cut?.min ?? Math.min(0, ...spans.map((span) => span.low));
  const high = cut?.max ?? Math.max(0, ...spans.map((span) => span.high));
  const { value, label } = line;
  const ends: AxisEnds = {
    ...(value > high ? { max: niceAbove(value) } : {}),
    ...(value < low ? { min: -niceAbove(-value) } : {}),
  };
  return { value, label, text: formatNumber(value, first[0].format), ends };
}

/** From where to where the bars of one category go. */
function spanAt(series: readonly CartesianSeries[], at: number, isStacked: boolean): { low: number; high: number } {
  const values = series.map(({ cells }) => cells[at]?.value ?? 0);
  const sum = (sign: number): number => values.reduce((total, value) => (value * sign > 0 ? total + value : total), 0);
  return isStacked ? { low: sum(-1), high: sum(1) } : { low: Math.min(0, ...values), high: Math.max(0, ...values) };
}

/**
 * Which series of a category goes beyond an end of its axis, and what is written there: its own value, or that of the
 * whole stack, of which only one part crosses the end.
 */
export function crossingCell(
  series: readonly CartesianSeries[],
  index: number,
  at: number,
  ends: AxisEnds | null | undefined,
  isStacked: boolean,
): { cell: Cell; end: "min" | "max" } | null {
  const one = series[index];
  const cell = one?.cells[at];
  if (!one || !cell || cell.value === null || !ends) return null;
  const { value } = cell;
  const end = value < 0 ? "min" : "max";
  const limit = ends[end];
  if (limit === undefined) return null;
  if (!isStacked) return Math.abs(value) > Math.abs(limit) ? { cell, end } : null;
  const stacked = series.filter(({ axisIndex }) => axisIndex === one.axisIndex);
  const parts = stacked.flatMap(({ cells }) => (cells[at] && (cells[at].value ?? 0) * value > 0 ? [cells[at]] : []));
  const place = parts.indexOf(cell);
  const below = parts.slice(0, place).reduce((sum, part) => sum + Math.abs(part.value ?? 0), 0);
  const isCrossing = below <= Math.abs(limit) && below + Math.abs(value) > Math.abs(limit);
  return isCrossing ? { cell: sumOf(parts, one.format), end } : null;
}

/** The rest in words: of each measure its own value, of series their sum; null where they can't be added up. */
export function restText(
  series: readonly CartesianSeries[],
  restIndex: number,
  { isSplit, isAdditive }: { isSplit: boolean; isAdditive: boolean },
): string | null {
  const found = series.flatMap((one) => (one.cells[restIndex] ? [{ ...one, cell: one.cells[restIndex] }] : []));
  const [first] = found;
  if (!first) return null;
  if (found.length === 1 && (isSplit || series.length === 1)) return first.cell.text;
  if (!isSplit) return found.map(({ label, cell }) => `${label} ${cell.text}`).join(", ");
  const format: DisplayFormat = first.format;
  const cells = found.map(({ cell }) => cell);
  return isAdditive ? sumOf(cells, format).text : null;
}
