/** Ranges of a metric or gauge: their rules, and the one a value falls in. */
import type { CardConfiguration, CardRange } from "@accord/contracts/insights/cards";
import type { CardProblem } from "./card-problems.ts";

export const DEFAULT_MINIMUM = 0;
export const DEFAULT_MAXIMUM = 100;

/** The maximum is above the minimum and no two ranges overlap; touching is fine. */
export function rangeProblems(
  card: Pick<CardConfiguration, "ranges">,
  options: { nameRequired: boolean },
): CardProblem[] {
  const problems: CardProblem[] = [];
  card.ranges.forEach((range, at) => {
    const path = `ranges.${at}`;
    if (options.nameRequired && range.name.trim() === "")
      problems.push({ path: `${path}.name`, code: "range_name_missing", facts: {} });
    if (range.maximumValue <= range.minimumValue)
      problems.push({ path: `${path}.maximumValue`, code: "max_error", facts: { minimum: range.minimumValue } });
  });
  const valid = card.ranges
    .map((range, at) => ({ ...range, at }))
    .filter((range) => range.maximumValue > range.minimumValue)
    .toSorted((one, other) => one.minimumValue - other.minimumValue);
  valid.forEach((range, order) => {
    const before = valid[order - 1];
    if (before && range.minimumValue < before.maximumValue)
      problems.push({
        path: `ranges.${range.at}.minimumValue`,
        code: "range_error",
        facts: { maximum: before.maximumValue },
      });
  });
  return problems;
}

/** Whether ranges are as a new card has them: nobody has said what the scale of the value is. */
export const isUnset = (ranges: readonly CardRange[]): boolean =>
  ranges.length === 0 ||
  (ranges.length === 1 &&
    ranges[0]?.name === "" &&
    ranges[0].minimumValue === DEFAULT_MINIMUM &&
    ranges[0].maximumValue === DEFAULT_MAXIMUM);

/** The next range: from the last maximum (or the default minimum) to one above it. */
export function nextRange(ranges: readonly CardRange[]): CardRange {
  const last = ranges.at(-1);
  const minimumValue = last?.maximumValue ?? DEFAULT_MINIMUM;
  const color = `chart-${(ranges.length % 8) + 1}`;
  return { name: "", color, minimumValue, maximumValue: minimumValue + 1 };
}

/** The range a value lies in; a value on a border belongs to the upper one. */
export function rangeOf(ranges: readonly CardRange[], value: number | null): CardRange | undefined {
  if (value === null) return undefined;
  return (
    ranges.findLast((range) => value >= range.minimumValue && value < range.maximumValue) ??
    ranges.find((range) => value === range.maximumValue)
  );
}
