/** Values of a card that an alert can watch: those its own model shows, so that number and alert never differ. */
import type {
  AlertCondition,
  AlertMeasure,
  AlertValue,
  AlertWatch,
  SeriesWatch,
} from "@accord/contracts/insights/card-alerts";
import { cardEntries } from "@accord/contracts/insights/card-configuration";
import type { CardConfiguration, CardData } from "@accord/contracts/insights/cards";
import { ROW_COUNT } from "@accord/contracts/insights/dataset-config";
import { CARD_DEFINITIONS } from "../card-list.ts";
import { drawnValue, textAt } from "../cartesian/cartesian.model.ts";
import { ENGLISH } from "../chart/words.ts";
import type { Cell } from "../marks.ts";
import type { CardModel } from "../models.ts";

/** A series an alert can watch. `measure`: of what its values are made. */
export interface WatchableSeries {
  key: string;
  label: string;
  measure: AlertMeasure | undefined;
}

/** What an alert can watch on a card. `hasLatest`: its marks stand along dates. */
export type Watchable = { kind: "value" } | { kind: "series"; series: WatchableSeries[]; hasLatest: boolean };

/** Why there is nothing to compare, other than an empty value. */
export type WatchProblem = "no_such_value" | "no_such_series" | "series_folded" | "no_latest";

export type Watched = { kind: "values"; values: AlertValue[] } | { kind: "problem"; problem: WatchProblem };

/** The series of a chart that has one only: its value column. */
const ONLY_SERIES = "y0";

interface Marked {
  label: string;
  /** It adds up categories that are not shown by themselves. */
  isRest: boolean;
  cell: Cell;
}

/** Null for tables: their rows have no keys, so that none could be found again. */
export const watchableOf = (card: CardConfiguration, data: CardData): Watchable | null =>
  watchableIn(card, watchedModel(card, data));

function watchableIn(card: CardConfiguration, model: CardModel): Watchable | null {
  const measured = (key: string, label: string): WatchableSeries => ({ key, label, measure: measureOf(card, key) });
  switch (model.kind) {
    case "metric":
      return { kind: "value" };
    case "cartesian": {
      const series = model.series.filter(({ isRest }) => !isRest).map(({ key, label }) => measured(key, label));
      return { kind: "series", series, hasLatest: model.isTime };
    }
    case "pie":
    case "funnel":
      return { kind: "series", series: [measured(ONLY_SERIES, model.valueTitle)], hasLatest: false };
    case "table":
      return null;
  }
}

/** Whether a series is the one that was chosen. The place of a value column may be another one's by now. */
export function isWatchOf(watch: Pick<SeriesWatch, "series" | "label" | "measure">, now: WatchableSeries): boolean {
  const { series, label, measure } = watch;
  if (series !== now.key) return false;
  if (measure) return measure.column === now.measure?.column && measure.aggregate === now.measure.aggregate;
  return !isColumnKey(series) || label === "" || label === labelKept(now.label);
}

/** As much of a label as an alert keeps. */
export const labelKept = (label: string): string => label.slice(0, 200);

/** The values to compare; none when the card has no value there. */
export function watchedValues(card: CardConfiguration, data: CardData, watch: AlertWatch): Watched {
  const model = watchedModel(card, data);
  if (watch.kind === "value") {
    if (model.kind !== "metric") return { kind: "problem", problem: "no_such_value" };
    return valuesOf([{ label: "", isRest: false, cell: model }]);
  }
  const { series: key, label } = watch;
  const watchable = watchableIn(card, model);
  const shown = watchable?.kind === "series" ? watchable.series.find((one) => one.key === key) : undefined;
  // A series that splits the chart is there only while it has rows.
  const now = shown ?? (isSplitBy(model, key) ? { key, label, measure: measureOf(card, key) } : undefined);
  if (!now || !isWatchOf(watch, now)) return { kind: "problem", problem: "no_such_series" };
  if (!shown && hasFoldedSeries(data)) return { kind: "problem", problem: "series_folded" };
  const marks = marksOf(model, key);
  if (watch.marks === "any") return valuesOf(marks);
  if (model.kind !== "cartesian" || !model.isTime) return { kind: "problem", problem: "no_latest" };
  return valuesOf(marks.filter(({ isRest }) => !isRest).slice(-1));
}

/** The model that alerts watch. */
function watchedModel(card: CardConfiguration, data: CardData): CardModel {
  const { watched, model } = CARD_DEFINITIONS[card.vizType];
  return (watched ?? model)(card, data, ENGLISH);
}

/** What the series of that key is made of; every series of a chart that is split is made of its one value column. */
function measureOf(card: CardConfiguration, key: string): AlertMeasure | undefined {
  const entries = cardEntries(card);
  const axis = entries.kind === "chart" ? entries.values[isColumnKey(key) ? Number(key.slice(1)) : 0] : undefined;
  if (!axis) return undefined;
  return { column: axis.column, aggregate: axis.column === ROW_COUNT ? "count" : (axis.aggregate ?? "sum") };
}

/** Whether the chart is split, and the key that of a value which may split it. */
const isSplitBy = (model: CardModel, key: string): boolean =>
  model.kind === "cartesian" && model.seriesTitle !== null && !isColumnKey(key);

/** Whether series beyond the limit of the chart are added up or left out. */
const hasFoldedSeries = ({ reduction }: CardData): boolean =>
  reduction !== null && reduction.otherSeries + reduction.omittedSeries > 0;

/** The marks of a series in the order of the chart, with what the card draws where the answer has no row. */
function marksOf(model: CardModel, key: string): Marked[] {
  switch (model.kind) {
    case "cartesian": {
      const series = model.series.find((one) => one.key === key && !one.isRest);
      if (!series) return [];
      return model.categories.map(({ label, isRest }, at) => ({
        label,
        isRest,
        cell: { value: drawnValue(series, at), text: textAt(series, at) },
      }));
    }
    case "pie":
      return model.slices;
    case "funnel":
      return model.stages;
    case "metric":
    case "table":
      return [];
  }
}

/** Keys of values that split a chart are JSON; those of its value columns are not. */
const isColumnKey = (key: string): boolean => /^y\d+$/.test(key);

const valuesOf = (marks: readonly Marked[]): Watched => ({
  kind: "values",
  values: marks.flatMap(({ label, isRest, cell }) =>
    cell.value === null || isRest ? [] : [{ value: cell.value, text: cell.text, mark: label }],
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
