/** From rows to what is drawn: order, gaps, folding, formats. */
import { CardConfiguration, type CardConfigurationInput, type CardData } from "@accord/contracts/insights/cards";
import { expect, test } from "vitest";
import { cartesianModel } from "./cartesian/cartesian.model.ts";
import { formatDate, formatNumber } from "./format.ts";
import { funnelModel } from "./funnel/model.ts";
import { gaugeScale } from "./gauge/model.ts";
import { metricModel } from "./metric/model.ts";
import { pieModel } from "./pie/model.ts";
import { sortedRows, tableModel } from "./table/model.ts";

const axis = (column: string, more = {}) => ({ column, name: column, displayName: column, ...more });
const card = (input: CardConfigurationInput) => CardConfiguration.parse(input);
const answer = (types: Record<string, string>, rows: CardData["rows"]): CardData => ({
  columns: Object.entries(types).map(([name, dataType]) => ({
    name,
    displayName: name,
    dataType,
  })) as CardData["columns"],
  rows,
  folded: false,
  asOf: "2026-01-01T00:00:00.000Z",
  dataAsOf: null,
  label: "",
});

test("a line over months keeps time: months without rows are there, nought for sums and a gap for means", () => {
  const rows = [
    { x: "2026-03-01", y0: "5" },
    { x: "2026-01-01", y0: "2" },
  ];
  const data = answer({ x: "date", y0: "decimal" }, rows);
  const line = (aggregate: "sum" | "avg") =>
    cartesianModel(
      card({ vizType: "LINE", xaxis: axis("d", { grain: "month" }), yaxis: [axis("n", { aggregate })] }),
      data,
    );
  expect(line("sum").categories).toEqual(["Jan 2026", "Feb 2026", "Mar 2026"]);
  expect(line("sum").series[0]!.values).toEqual([2, 0, 5]);
  expect(line("avg").series[0]!.values).toEqual([2, null, 5]);
});

test("values that are ids are shown by what people call them, in charts and tables alike", () => {
  const status = {
    name: "x",
    displayName: "Status",
    dataType: "picklist" as const,
    labels: { on_hold: "On hold", open: "Open" },
  };
  const data: CardData = {
    ...answer({ y0: "integer" }, [
      { x: "on_hold", y0: 3 },
      { x: "gone", y0: 1 },
    ]),
    columns: [status, { name: "y0", displayName: "Accounts", dataType: "integer" }],
  };
  const donut = card({ vizType: "PIE", category: axis("status"), value: axis("*") });
  expect(pieModel(donut, data).slices.map(({ name }) => name)).toEqual(["On hold", "gone"]);
  const columns = card({ vizType: "COLUMN", xaxis: axis("status"), yaxis: [axis("*")] });
  expect(cartesianModel(columns, data).categories).toEqual(["On hold", "gone"]);
  expect(tableModel(card({ vizType: "TABLE", columns: [axis("status"), axis("*")] }), data).rows[0]!.texts).toEqual([
    "On hold",
    "3",
  ]);
});

test("series come largest first, folded ones last", () => {
  const data = answer({ x: "string", series: "string", y0: "integer" }, [
    { x: "a", series: "small", y0: 1 },
    { x: "a", series: null, y0: 9, otherSeries: true },
    { x: "b", series: "large", y0: 5, other: false },
    { x: null, series: "large", y0: 2, other: true },
  ]);
  const model = cartesianModel(
    card({ vizType: "COLUMN", xaxis: axis("x"), yaxis: [axis("y")], series: [axis("s")] }),
    data,
  );
  expect(model.categories).toEqual(["a", "b", "Other"]);
  expect(model.series.map(({ name, values }) => [name, values])).toEqual([
    ["large", [0, 5, 2]],
    ["small", [1, 0, 0]],
    ["Other", [9, 0, 0]],
  ]);
});

test("[INS-037] a metric takes the colour of the range its value lies in", () => {
  const metric = card({
    vizType: "METRIC",
    columns: [axis("n", { displayFormat: "currency" })],
    ranges: [{ name: "good", color: "#00AA00", minimumValue: 0, maximumValue: 2000 }],
  });
  expect(metricModel(metric, answer({ c0: "decimal" }, [{ c0: "1234.5" }]))).toMatchObject({
    text: "$1,234.50",
    range: { name: "good" },
  });
  expect(metricModel(metric, answer({ c0: "decimal" }, [{ c0: null }]))).toMatchObject({ text: "–", range: undefined });
});

test("[INS-036] a table shows its headings and formats; numbers sort by size and blanks stay last", () => {
  const table = card({
    vizType: "TABLE",
    columns: [axis("name", { displayName: "Who" }), axis("n", { displayFormat: "percent" })],
  });
  const model = tableModel(
    table,
    answer({ c0: "string", c1: "double" }, [
      { c0: "b", c1: 0.5 },
      { c0: "a", c1: null },
      { c0: "c", c1: 0.125 },
    ]),
  );
  expect(model.columns.map(({ title }) => title)).toEqual(["Who", "n"]);
  expect(sortedRows(model, 1, true).map(({ texts }) => texts[1])).toEqual(["12.5%", "50%", ""]);
  expect(sortedRows(model, 1, false).map(({ texts }) => texts[1])).toEqual(["50%", "12.5%", ""]);
});

test("[INS-035] slices under the minimum fold into its label", () => {
  const data = answer({ x: "string", y0: "integer" }, [
    { x: "a", y0: 90 },
    { x: "b", y0: 6 },
    { x: "c", y0: 4 },
  ]);
  const donut = card({
    vizType: "PIE",
    category: axis("x"),
    value: axis("y"),
    minimumValue: { value: 10, label: "Rest" },
  });
  expect(pieModel(donut, data).slices.map(({ name, value }) => [name, value])).toEqual([
    ["a", 90],
    ["Rest", 10],
  ]);
});

test("[INS-038] a funnel sorts by value or by its stages and knows each step's ratio", () => {
  const data = answer({ x: "string", y0: "integer" }, [
    { x: "won", y0: 10 },
    { x: "lead", y0: 100 },
    { x: "offer", y0: 50 },
  ]);
  const byValue = card({
    vizType: "FUNNEL",
    measure: axis("y"),
    dataField: axis("x"),
    sortBy: "value",
    ascending: false,
  });
  expect(funnelModel(byValue, data).map(({ name, ratio }) => [name, ratio])).toEqual([
    ["lead", null],
    ["offer", 0.5],
    ["won", 0.2],
  ]);
  const byStage = { ...byValue, sortBy: "stage" as const, stages: ["offer", "won"] };
  expect(funnelModel(byStage, data).map(({ name }) => name)).toEqual(["offer", "won"]);
});

test("a gauge's scale runs over all ranges, holes included", () => {
  const range = (minimumValue: number, maximumValue: number) => ({
    name: "",
    color: "chart-1",
    minimumValue,
    maximumValue,
  });
  expect(gaugeScale([range(50, 100), range(0, 25)])).toEqual({
    minimum: 0,
    maximum: 100,
    bands: [
      { end: 0.25, color: "chart-1" },
      { end: 0.5, color: undefined },
      { end: 1, color: "chart-1" },
    ],
  });
});

test("[INS-057] the four formats", () => {
  expect(formatNumber(1234.567, "number")).toBe("1,234.57");
  expect(formatNumber(1200, "currency")).toBe("$1,200");
  expect(formatNumber(0.256, "percent")).toBe("25.6%");
  expect(formatNumber(1234567, "number", true)).toBe("1.2M");
  expect(formatDate("2026-04-01", "quarter")).toBe("Q2 2026");
});
