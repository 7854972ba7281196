/** What alerts compare is what cards show: single numbers, the latest date, any mark; and where the conditions end. */
import {
  type AlertCondition,
  type AlertMeasure,
  AlertWatch,
  type SeriesWatch,
} from "@accord/contracts/insights/card-alerts";
import { CardConfiguration, CardData } from "@accord/contracts/insights/cards";
import { expect, test } from "vitest";
import { isWatchOf, judgeValues, watchableOf, watchedValues } from "./watched.ts";

const column = (name: string, dataType: "string" | "decimal" | "date" = "decimal") => ({
  name,
  displayName: name.toUpperCase(),
  dataType,
});
const answer = (columns: object[], rows: object[], reduction: object | null = null): CardData =>
  CardData.parse({ columns, rows, reduction, asOf: "2026-01-01T00:00:00Z", dataAsOf: null, label: "" });
const axis = (name: string) => ({ column: name, name, displayName: "", displayFormat: "number" as const });

const metric = CardConfiguration.parse({ vizType: "METRIC", columns: [{ ...axis("amount"), aggregate: "sum" }] });
const line = CardConfiguration.parse({ vizType: "LINE", xaxis: axis("day"), yaxis: [axis("amount"), axis("pieces")] });
const split = CardConfiguration.parse({
  vizType: "COLUMN",
  xaxis: axis("status"),
  yaxis: [axis("amount")],
  series: [axis("team")],
});
const series = (key: string, marks: "latest" | "any"): AlertWatch => ({
  kind: "series",
  series: key,
  label: "",
  marks,
});

test("a metric is watched as it is shown, and has no value where it shows none", () => {
  const data = answer([column("c0")], [{ c0: "1234.50" }]);
  expect(watchableOf(metric, data)).toEqual({ kind: "value" });
  expect(watchedValues(metric, data, { kind: "value" })).toEqual({
    kind: "values",
    values: [{ value: 1234.5, text: "1,234.5", mark: "" }],
  });
  for (const rows of [[{ c0: null }], []])
    expect(watchedValues(metric, answer([column("c0")], rows), { kind: "value" })).toEqual({
      kind: "values",
      values: [],
    });
  expect(watchedValues(metric, data, series("y0", "any"))).toEqual({ kind: "problem", problem: "no_such_series" });
});

test("the latest mark is that of the newest date of the chart, whatever order the rows come in", () => {
  const data = answer(
    [column("x", "date"), column("y0"), column("y1")],
    [
      { x: "2026-03-01", y0: "7", y1: null },
      { x: "2026-01-01", y0: "9", y1: "1" },
    ],
  );
  expect(watchableOf(line, data)).toMatchObject({
    hasLatest: true,
    series: [
      { key: "y0", label: "Y0" },
      { key: "y1", label: "Y1" },
    ],
  });
  expect(watchedValues(line, data, series("y0", "latest"))).toMatchObject({ values: [{ value: 7 }] });
  expect(watchedValues(line, data, series("y0", "any"))).toMatchObject({ values: [{ value: 9 }, { value: 7 }] });
  // The newest row has no value: that is said, and the one before does not stand in for it.
  expect(watchedValues(line, data, series("y1", "latest"))).toEqual({ kind: "values", values: [] });
  expect(watchedValues(line, data, series("y7", "any"))).toEqual({ kind: "problem", problem: "no_such_series" });
});

test("of a chart that is split, one series is watched; what adds up others is left out, and nothing is the latest", () => {
  const data = answer(
    [column("x", "string"), column("series", "string"), column("y0")],
    [
      { x: "open", series: "north", y0: "5" },
      { x: "open", series: "south", y0: "8" },
      { x: null, series: "north", y0: "90", other: true },
    ],
    { isLimited: false, totalRows: null, otherCategories: 3, otherSeries: 0, omittedSeries: 0 },
  );
  const north = JSON.stringify("north");
  expect(watchedValues(split, data, series(north, "any"))).toEqual({
    kind: "values",
    values: [{ value: 5, text: "5", mark: "open" }],
  });
  expect(watchedValues(split, data, series(north, "latest"))).toEqual({ kind: "problem", problem: "no_latest" });
  // It has no rows now, and may have some again.
  expect(watchedValues(split, data, series(JSON.stringify("west"), "any"))).toEqual({ kind: "values", values: [] });
});

const noSeries = { kind: "problem", problem: "no_such_series" };
const summed = (name: string) => ({ ...axis(name), aggregate: "sum" as const });
/** A watch of the chosen one of the series that the form offers. */
function chosen(card: CardConfiguration, data: CardData, key: string): SeriesWatch {
  const watchable = watchableOf(card, data);
  const found = watchable?.kind === "series" ? watchable.series.find((one) => one.key === key) : undefined;
  if (!found) throw new Error(`there is no series ${key}`);
  return { kind: "series", series: key, label: found.label, measure: found.measure, marks: "any" };
}

test("a value column is not watched under its key when another one has taken its place", () => {
  const both = answer([column("x", "date"), column("y0"), column("y1")], [{ x: "2026-01-01", y0: "1", y1: "2" }]);
  const one = answer([column("x", "date"), column("y0")], [{ x: "2026-01-01", y0: "2" }]);
  const watch = chosen(line, both, "y0");
  expect(watch).toMatchObject({ measure: { column: "amount", aggregate: "sum" } });
  expect(watchedValues(line, both, watch)).toMatchObject({ values: [{ value: 1 }] });
  // The first column is removed: the second one is y0 now.
  const without = CardConfiguration.parse({ vizType: "LINE", xaxis: axis("day"), yaxis: [axis("pieces")] });
  expect(watchedValues(without, one, watch)).toEqual(noSeries);
  expect(watchedValues(without, one, chosen(line, both, "y1"))).toEqual(noSeries);
  const now = watchableOf(without, one);
  expect(now?.kind === "series" && now.series.map((each) => isWatchOf(watch, each))).toEqual([false]);
});

test("another aggregate is another value column; another name or the aggregate it had anyway is not", () => {
  const data = answer([column("x", "date"), column("y0")], [{ x: "2026-01-01", y0: "4" }]);
  const card = (...yaxis: object[]) => CardConfiguration.parse({ vizType: "LINE", xaxis: axis("day"), yaxis });
  const watch = chosen(card(axis("amount")), data, "y0");
  const values = { values: [{ value: 4 }] };
  expect(watchedValues(card(summed("amount")), data, watch)).toMatchObject(values);
  expect(watchedValues(card({ ...axis("amount"), displayName: "Sum of it" }), data, watch)).toMatchObject(values);
  expect(watchedValues(card({ ...axis("amount"), aggregate: "avg" }), data, watch)).toEqual(noSeries);
  const rows = chosen(card(axis("*")), data, "y0");
  expect(rows).toMatchObject({ measure: { column: "*", aggregate: "count" } });
  expect(watchedValues(card({ ...axis("*"), aggregate: "count" }), data, rows)).toMatchObject(values);
});

test("a watch without a measure is compared by its label, and one without a label by its key alone", () => {
  const data = answer([column("x", "date"), column("y0")], [{ x: "2026-01-01", y0: "4" }]);
  const stored = (label: string) => AlertWatch.parse({ kind: "series", series: "y0", label, marks: "any" });
  expect(watchedValues(line, data, stored("Y0"))).toMatchObject({ values: [{ value: 4 }] });
  expect(watchedValues(line, data, stored(""))).toMatchObject({ values: [{ value: 4 }] });
  expect(watchedValues(line, data, stored("Amount"))).toEqual(noSeries);
  const name = "long ".repeat(50);
  const named = CardData.parse({ ...data, columns: [column("x", "date"), { ...column("y0"), displayName: name }] });
  expect(watchedValues(line, named, stored(name.slice(0, 200)))).toMatchObject({ values: [{ value: 4 }] });
});

test("a series that splits the chart is not watched once its values are of another measure", () => {
  const data = answer(
    [column("x", "string"), column("series", "string"), column("y0")],
    [{ x: "open", series: "north", y0: "5" }],
  );
  const watch = chosen(split, data, JSON.stringify("north"));
  expect(watchedValues(split, data, { ...watch, label: "North" })).toMatchObject({ values: [{ value: 5 }] });
  const other = { ...split, yaxis: [axis("cost")] };
  expect(watchedValues(other, data, watch)).toEqual(noSeries);
  // Nor where it has no rows.
  expect(watchedValues(other, answer(data.columns, []), watch)).toEqual(noSeries);
  expect(watchedValues(split, answer(data.columns, []), watch)).toEqual({ kind: "values", values: [] });
});

test("where a series has no row, the value is the one that the card draws there", () => {
  const data = answer(
    [column("x", "date"), column("series", "string"), column("y0")],
    [
      { x: "2026-01-01", series: "north", y0: "5" },
      { x: "2026-02-01", series: "south", y0: "8" },
      { x: "2026-03-01", series: "south", y0: "9" },
    ],
  );
  const card = (more: object) =>
    CardConfiguration.parse({
      ...{ vizType: "LINE", xaxis: { ...axis("day"), grain: "month" }, series: [axis("team")] },
      yaxis: [{ ...axis("amount"), displayFormat: "currency", ...more }],
    });
  const north = JSON.stringify("north");
  const values = (more: object, marks: "latest" | "any") => watchedValues(card(more), data, series(north, marks));
  expect(values({ aggregate: "sum" }, "any")).toEqual({
    kind: "values",
    values: [
      { value: 5, text: "$5", mark: "Jan 2026" },
      { value: 0, text: "$0", mark: "Feb 2026" },
      { value: 0, text: "$0", mark: "Mar 2026" },
    ],
  });
  // The newest date of the chart, though its newest own row is of January.
  expect(values({ aggregate: "count" }, "latest")).toMatchObject({ values: [{ value: 0, mark: "Mar 2026" }] });
  // Of averages the card draws a gap there.
  expect(values({ aggregate: "avg" }, "latest")).toEqual({ kind: "values", values: [] });
  expect(values({ aggregate: "avg" }, "any")).toMatchObject({ values: [{ value: 5 }] });
});

test("a month between two others that has no rows is compared as it is drawn", () => {
  const data = answer(
    [column("x", "date"), column("y0")],
    [
      { x: "2026-01-01", y0: "5" },
      { x: "2026-03-01", y0: "6" },
    ],
  );
  const card = { ...line, xaxis: { ...axis("day"), grain: "month" as const }, yaxis: [axis("amount")] };
  expect(watchedValues(card, data, series("y0", "any"))).toMatchObject({
    values: [{ value: 5 }, { value: 0, mark: "Feb 2026" }, { value: 6 }],
  });
});

test.each([
  { otherSeries: 2, omittedSeries: 0 },
  { otherSeries: 0, omittedSeries: 2 },
])("a series that is not among the largest is said to be folded: %o", (left) => {
  const data = answer(
    [column("x", "string"), column("series", "string"), column("y0")],
    [{ x: "open", series: "north", y0: "5" }],
    { isLimited: false, totalRows: null, otherCategories: 0, ...left },
  );
  for (const marks of ["any", "latest"] as const)
    expect(watchedValues(split, data, series(JSON.stringify("west"), marks))).toEqual({
      kind: "problem",
      problem: "series_folded",
    });
  expect(watchedValues(split, data, series(JSON.stringify("north"), "any"))).toMatchObject({ values: [{ value: 5 }] });
  // A value column is no series of a chart that is split.
  expect(watchedValues(split, data, series("y0", "any"))).toEqual(noSeries);
});

const parts = (amounts: Record<string, string>) =>
  answer(
    [column("x", "string"), column("y0")],
    Object.entries(amounts).map(([x, y0]) => ({ x, y0 })),
  );
const donut = CardConfiguration.parse({ vizType: "PIE", category: axis("status"), value: axis("amount") });
const funnel = CardConfiguration.parse({ vizType: "FUNNEL", dataField: axis("status"), measure: axis("amount") });
const measure: AlertMeasure = { column: "amount", aggregate: "sum" };

test.each([
  ["donut", donut],
  ["funnel", funnel],
])("a %s is watched under one key, also when a negative part has it drawn as bars", (_, card) => {
  const negative = parts({ open: "9", paid: "-4" });
  for (const data of [parts({ open: "9", paid: "4" }), negative])
    expect(watchableOf(card, data)).toEqual({
      ...{ kind: "series", hasLatest: false },
      series: [{ key: "y0", label: "Y0", measure }],
    });
  expect(watchedValues(card, negative, chosen(card, negative, "y0"))).toEqual({
    kind: "values",
    values: [
      { value: 9, text: "9", mark: "open" },
      { value: -4, text: "-4", mark: "paid" },
    ],
  });
  const other = { ...card, value: axis("cost"), measure: axis("cost") };
  expect(watchedValues(other, negative, chosen(card, negative, "y0"))).toEqual(noSeries);
});

test("small slices are not compared, but the bars of a negative donut are, small and negative ones too", () => {
  const card: CardConfiguration = { ...donut, minimumValue: { value: 5, label: "", applyToSubCategories: false } };
  const values = (amounts: Record<string, string>) => watchedValues(card, parts(amounts), series("y0", "any"));
  expect(values({ open: "9", paid: "4" })).toMatchObject({ values: [{ mark: "open" }] });
  expect(values({ open: "9", paid: "4", lost: "-1" })).toMatchObject({
    values: [{ mark: "open" }, { mark: "paid" }, { mark: "lost" }],
  });
});

test("a donut with sub-categories is watched by its slices, or where these can't be added up by its bars", () => {
  const halves = (north: string) =>
    answer(
      [column("x", "string"), column("series", "string"), column("y0")],
      [
        { x: "open", series: "north", y0: north },
        { x: "open", series: "south", y0: "8" },
      ],
    );
  const sums: CardConfiguration = { ...donut, subCategory: axis("team") };
  const watch = chosen(sums, halves("5"), "y0");
  expect(watchedValues(sums, halves("5"), watch)).toMatchObject({ values: [{ value: 13, text: "13", mark: "open" }] });
  // It is drawn as bars of its parts then.
  expect(watchedValues(sums, halves("-9"), watch)).toMatchObject({ values: [{ value: -1, text: "-1", mark: "open" }] });
  const means: CardConfiguration = { ...sums, value: { ...axis("amount"), aggregate: "avg" } };
  const south = JSON.stringify("south");
  for (const data of [halves("5"), halves("-9")]) {
    const ofPart = chosen(means, data, south);
    expect(ofPart).toMatchObject({ measure: { column: "amount", aggregate: "avg" } });
    expect(watchedValues(means, data, ofPart)).toMatchObject({ values: [{ value: 8, mark: "open" }] });
  }
});

test.each<[AlertCondition, number[], number[]]>([
  [{ kind: "above", limit: 10 }, [10.01, 99], [10, -5]],
  [{ kind: "below", limit: 10 }, [9.99, -99], [10, 11]],
  [{ kind: "outside", from: 1, to: 3 }, [0.9, 3.1], [1, 2, 3]],
  [{ kind: "inside", from: 1, to: 3 }, [1, 2, 3], [0.9, 3.1]],
])("%o is crossed by %o and not by %o", (condition, crossed, fine) => {
  const judge = (value: number) => judgeValues(condition, [{ value, text: "", mark: "" }]).state;
  expect(crossed.map(judge)).toEqual(crossed.map(() => "CROSSED"));
  expect(fine.map(judge)).toEqual(fine.map(() => "OK"));
});

test("of several marks the one furthest beyond the condition is named, and none is no value", () => {
  const values = [4, 12, 11].map((value) => ({ value, text: String(value), mark: `m${value}` }));
  expect(judgeValues({ kind: "above", limit: 10 }, values)).toMatchObject({ state: "CROSSED", value: { mark: "m12" } });
  expect(judgeValues({ kind: "above", limit: 20 }, values)).toMatchObject({ state: "OK", value: { mark: "m12" } });
  expect(judgeValues({ kind: "below", limit: 5 }, values)).toMatchObject({ state: "CROSSED", value: { mark: "m4" } });
  expect(judgeValues({ kind: "below", limit: 5 }, [])).toEqual({ state: "NO_VALUE" });
});
