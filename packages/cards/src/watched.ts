/** Values of a card that an alert can watch: those its own model shows, so that number and alert never differ. */
import type { AlertCondition, AlertValue, AlertWatch } from "@accord/contracts/insights/card-alerts";
import type { CardConfiguration, CardData } from "@accord/contracts/insights/cards";
import { type CardModel, cardModel } from "./card-model.ts";
import type { Cell } from "./marks.ts";

/** A series an alert can watch. */
export interface WatchableSeries {
  key: string;
  label: string;
}

/** What an alert can watch on a card. `hasLatest`: its marks stand along dates. */
export type Watchable = { kind: "value" } | { kind: "series"; series: WatchableSeries[]; hasLatest: boolean };

/** Why there is nothing to compare, other than an empty value. */
export type WatchProblem = "no_such_value" | "no_such_series" | "no_latest";

export type Watched = { kind: "values"; values: AlertValue[] } | { kind: "problem"; problem: WatchProblem };

/** The series of a chart that has one only: its value column. */
const ONLY_SERIES = "y0";

interface Marked {
  label: string;
  /** It adds up categories that are not shown by themselves. */
  isRest: boolean;
  cell: Cell | null;
}

/** Null for tables: their rows have no keys, so that none could be found again. */
export function watchableOf(card: CardConfiguration, data: CardData): Watchable | null {
  const model = cardModel(card, data);
  switch (model.kind) {
    case "metric":
      return { kind: "value" };
    case "cartesian": {
      const series = model.series.filter(({ isRest }) => !isRest).map(({ key, label }) => ({ key, label }));
      return { kind: "series", series, hasLatest: model.isTime };
    }
    case "pie":
    case "funnel":
      return { kind: "series", series: [{ key: ONLY_SERIES, label: model.valueTitle }], hasLatest: false };
    case "table":
      return null;
  }
}

/** The values to compare; none when the card has no value there. */
export function watchedValues(card: CardConfiguration, data: CardData, watch: AlertWatch): Watched {
  const model = cardModel(card, data);
  if (watch.kind === "value") {
    if (model.kind !== "metric") return { kind: "problem", problem: "no_such_value" };
    return valuesOf([{ label: "", isRest: false, cell: model }]);
  }
  const marks = marksOf(model, watch.series);
  if (!marks) return { kind: "problem", problem: "no_such_series" };
  if (watch.marks === "any") return valuesOf(marks);
  if (model.kind !== "cartesian" || !model.isTime) return { kind: "problem", problem: "no_latest" };
  return valuesOf(marks.filter(({ isRest, cell }) => cell !== null && !isRest).slice(-1));
}

/** The marks of a series in the order of the chart; null when the card has no such series. */
function marksOf(model: CardModel, key: string): Marked[] | null {
  switch (model.kind) {
    case "cartesian": {
      const series = model.series.find((one) => one.key === key && !one.isRest);
      // A series that splits the chart is there only while it has rows.
      if (!series) return model.seriesTitle !== null && isValueKey(key) ? [] : null;
      return model.categories.map(({ label, isRest }, at) => ({ label, isRest, cell: series.cells[at] ?? null }));
    }
    case "pie":
      return key === ONLY_SERIES ? model.slices : null;
    case "funnel":
      return key === ONLY_SERIES ? model.stages : null;
    case "metric":
    case "table":
      return null;
  }
}

/** Keys of values that split a chart are JSON; those of its value columns are not. */
const isValueKey = (key: string): boolean => !/^y\d+$/.test(key);

const valuesOf = (marks: readonly Marked[]): Watched => ({
  kind: "values",
  values: marks.flatMap(({ label, isRest, cell }) =>
    cell === null || cell.value === null || isRest ? [] : [{ value: cell.value, text: cell.text, mark: label }],
  ),
});

/** How a value stands to a condition, and the value that says so. */
export type Verdict = { state: "OK" | "CROSSED"; value: AlertValue } | { state: "NO_VALUE" };

/** Crossed when any value is. The value of the verdict is the one that goes furthest beyond the condition, or is nearest to it. */
export function judgeValues(condition: AlertCondition, values: readonly AlertValue[]): Verdict {
  const [first, ...others] = values;
  if (!first) return { state: "NO_VALUE" };
  const furthest = others.reduce(
    (most, one) => (beyond(condition, one.value) > beyond(condition, most.value) ? one : most),
    first,
  );
  return { state: isCrossed(condition, furthest.value) ? "CROSSED" : "OK", value: furthest };
}

/** How far beyond the condition a value is; negative before it. */
function beyond(condition: AlertCondition, value: number): number {
  switch (condition.kind) {
    case "above":
      return value - condition.limit;
    case "below":
      return condition.limit - value;
    case "outside":
      return Math.max(condition.from - value, value - condition.to);
    case "inside":
      return Math.min(value - condition.from, condition.to - value);
  }
}

const isCrossed = (condition: AlertCondition, value: number): boolean =>
  condition.kind === "inside" ? beyond(condition, value) >= 0 : beyond(condition, value) > 0;
