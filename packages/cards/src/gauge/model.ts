/** The scale of a gauge: from the least to the greatest range, with bands as shares of it. */
import type { CardRange } from "@accord/contracts/insights/cards";
import { DEFAULT_MAXIMUM, DEFAULT_MINIMUM } from "../ranges.ts";

export interface GaugeScale {
  minimum: number;
  maximum: number;
  /** Each band ends at a share of the scale; null colour is a hole between ranges. */
  bands: { end: number; color: string | undefined }[];
}

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
