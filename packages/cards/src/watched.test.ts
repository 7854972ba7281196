/** What alerts compare is what cards show: single numbers, the latest date, any mark; and where the conditions end. */
import type { AlertCondition, AlertWatch } from "@accord/contracts/insights/card-alerts";
import { CardConfiguration, CardData } from "@accord/contracts/insights/cards";
import { expect, test } from "vitest";
import { judgeValues, watchableOf, watchedValues } from "./watched.ts";

const column = (name: string, dataType: "string" | "decimal" | "date" = "decimal") => ({
  name,
  displayName: name.toUpperCase(),
  dataType,
});
const answer = (columns: object[], rows: object[], reduction: object | null = null): CardData =>
  CardData.parse({ columns, rows, reduction, asOf: "2026-01-01T00:00:00Z", dataAsOf: null, label: "" });
const axis = (name: string) => ({ column: name, name, displayFormat: "number" as const });

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

test("the latest mark is that of the newest date with a row, whatever order the rows come in", () => {
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
