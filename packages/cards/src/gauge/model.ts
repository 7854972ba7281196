/** The scale of a gauge: from the least to the greatest range, with bands as shares of it; else one that fits the value. */
import type { CardData, CardRange, ConfigurationOf, DisplayFormat } from "@accord/contracts/insights/cards";
import { formatNumber } from "../format.ts";
import { type CardNote, niceAbove } from "../marks.ts";
import { type MetricModel, metricModel } from "../metric/model.ts";
import { DEFAULT_MAXIMUM, DEFAULT_MINIMUM, isUnset } from "../ranges.ts";

export function gaugeModel(card: ConfigurationOf<"GAUGE">, data: CardData): MetricModel {
  const model = metricModel(card, data);
  return { ...model, notes: [...model.notes, ...scaleNotes(card, model.value)] };
}

/** A pointer at the end of its scale looks like a value there, and a scale that fits the value says nothing about it. */
function scaleNotes(card: ConfigurationOf<"GAUGE">, value: number | null): CardNote[] {
  const format = card.columns[0]?.displayFormat ?? "number";
  const { minimum, maximum, isFitted } = scaleOf(card.ranges, value, format);
  if (isFitted) {
    const [label, text] = [formatNumber(minimum, format, true), formatNumber(maximum, format, true)];
    return [{ code: "scale_fitted", facts: { label, text } }];
  }
  return value !== null && (value < minimum || value > maximum) ? [{ code: "beyond_scale", facts: {} }] : [];
}

export interface GaugeScale {
  minimum: number;
  maximum: number;
  /** Each band ends at a share of the scale; null colour is a hole between ranges. */
  bands: { end: number; color: string | undefined }[];
}

/**
 * The scale of a card. While no ranges are set it fits the value: an amount of millions has no place between 0 and 100.
 * `isFitted` says that the value and nothing else gave it.
 */
export function scaleOf(
  ranges: readonly CardRange[],
  value: number | null,
  format: DisplayFormat,
): GaugeScale & { isFitted: boolean } {
  if (!isUnset(ranges)) return { ...gaugeScale(ranges), isFitted: false };
  const usual = { minimum: DEFAULT_MINIMUM, maximum: format === "percent" ? 1 : DEFAULT_MAXIMUM };
  const bands = [{ end: 1, color: ranges[0]?.color ?? "chart-1" }];
  if (value === null || (value >= usual.minimum && value <= usual.maximum)) return { ...usual, bands, isFitted: false };
  const end = niceAbove(Math.abs(value) * ROOM);
  return { minimum: value < 0 ? -end : 0, maximum: value < 0 ? 0 : end, bands, isFitted: true };
}

/** The pointer of a fitted scale is not at its end. */
const ROOM = 1.05;

export function gaugeScale(ranges: readonly CardRange[]): GaugeScale {
  const sorted = ranges
    .filter((range) => range.maximumValue > range.minimumValue)
    .toSorted((one, other) => one.minimumValue - other.minimumValue);
  const minimum = sorted[0]?.minimumValue ?? DEFAULT_MINIMUM;
  const maximum = sorted.at(-1)?.maximumValue ?? DEFAULT_MAXIMUM;
  const share = (value: number): number => (value - minimum) / (maximum - minimum);
  const bands: GaugeScale["bands"] = [];
  let reached = minimum;
  for (const range of sorted) {
    if (range.minimumValue > reached) bands.push({ end: share(range.minimumValue), color: undefined });
    bands.push({ end: share(range.maximumValue), color: range.color });
    reached = range.maximumValue;
  }
  return { minimum, maximum, bands: bands.length > 0 ? bands : [{ end: 1, color: undefined }] };
}
