/** From rows to what is drawn: order, gaps, folding, formats. */
import { CardConfiguration, type CardConfigurationInput, type CardData } from "@accord/contracts/insights/cards";
import { expect, test } from "vitest";
import { cardModel, modelSummary, modelTable } from "./card-model.ts";
import { type CartesianModel, cartesianModel } from "./cartesian/cartesian.model.ts";
import { cartesianOption, drawnValues } from "./cartesian/cartesian.option.ts";
import { paletteOf } from "./chart/palette.ts";
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
  reduction: null,
  asOf: "2026-01-01T00:00:00.000Z",
  dataAsOf: null,
  label: "",
});

const labelsOf = (groups: readonly { label: string }[]) => groups.map(({ label }) => label);
const drawnOf = (model: CartesianModel) => model.series.map((series) => drawnValues(model, series, undefined));

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
  expect(labelsOf(line("sum").categories)).toEqual(["Jan 2026", "Feb 2026", "Mar 2026"]);
  expect(drawnOf(line("sum"))[0]).toEqual([2, 0, 5]);
  expect(drawnOf(line("avg"))[0]).toEqual([2, null, 5]);
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
  expect(labelsOf(pieModel(donut, data).slices)).toEqual(["On hold", "gone"]);
  const columns = card({ vizType: "COLUMN", xaxis: axis("status"), yaxis: [axis("*")] });
  expect(labelsOf(cartesianModel(columns, data).categories)).toEqual(["On hold", "gone"]);
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
  expect(labelsOf(model.categories)).toEqual(["a", "b", "Other"]);
  expect(model.series.map(({ label }, index) => [label, drawnOf(model)[index]])).toEqual([
    ["large", [0, 5, 2]],
    ["small", [1, 0, 0]],
    ["Other", [9, 0, 0]],
  ]);
});

test("a genuine Other and what was added up are two series, and no value is blank twice", () => {
  const categoryValues = [{ name: "Other", color: "chart-5" }];
  const columns = card({
    vizType: "COLUMN",
    xaxis: axis("x"),
    yaxis: [axis("y")],
    series: [axis("s")],
    categoryValues,
  });
  const data = {
    ...answer({ x: "string", series: "string", y0: "decimal" }, [
      { x: "Lead", series: "Other", y0: "147" },
      { x: "Lead", series: null, y0: "190.1", otherSeries: true },
      { x: null, series: "Other", y0: "10" },
      { x: "", series: "Other", y0: "5" },
    ]),
    reduction: { isLimited: false, totalRows: null, otherCategories: 0, otherSeries: 3, omittedSeries: 0 },
  };
  const model = cartesianModel(columns, data);
  expect(labelsOf(model.categories)).toEqual(["Lead", "(blank)", "(empty text)"]);
  expect(model.series.map(({ label, color }, index) => [label, color, drawnOf(model)[index]])).toEqual([
    ["Other", "chart-5", [147, 10, 5]],
    ["Other (3 more)", undefined, [190.1, 0, 0]],
  ]);
  expect(modelTable(model).rows.map(({ texts }) => texts)).toEqual([
    ["Lead", "Other", "147"],
    ["Lead", "Other (3 more)", "190.1"],
    ["(blank)", "Other", "10"],
    ["(empty text)", "Other", "5"],
  ]);
  expect(model.notes).toEqual([{ code: "other_series", facts: { count: 3 } }]);
});

test("categories of averages that a card leaves out are said, besides series that are", () => {
  const series = [axis("s")];
  const value = axis("y", { aggregate: "avg" });
  const reduction = { isLimited: false, totalRows: null, otherCategories: 0, otherSeries: 0, omittedSeries: 0 };
  const data = {
    ...answer({ x: "string", series: "string", y0: "double" }, [
      { x: "Lead", series: "a", y0: 3 },
      { x: "Won", series: "a", y0: 2 },
    ]),
    reduction: { ...reduction, omittedCategories: 6 },
  };
  const columns = card({ vizType: "COLUMN", xaxis: axis("x"), yaxis: [value], series });
  const said = [{ code: "omitted_categories", facts: { shown: 2, total: 8 } }];
  expect(cartesianModel(columns, data).notes).toEqual(said);
  const donut = card({ vizType: "PIE", category: axis("x"), subCategory: axis("s"), value });
  expect(pieModel(donut, data).notes).toEqual(said);
  expect(cartesianModel(columns, { ...data, reduction }).notes).toEqual([]);
});

test("a donut with negative values is drawn as bars that show them, and says so", () => {
  const donut = card({ vizType: "PIE", category: axis("x"), value: axis("y", { displayFormat: "currency" }) });
  const model = cardModel(
    donut,
    answer({ x: "string", y0: "decimal" }, [
      { x: "Energy", y0: "181.6" },
      { x: "Retail", y0: "-330.25" },
    ]),
  );
  expect(model).toMatchObject({ kind: "cartesian", categories: [{ label: "Energy" }, { label: "Retail" }] });
  expect(modelSummary(model)).toContain("Retail: -$330.25");
  expect(model.notes).toEqual([{ code: "negative_slices", facts: { count: 1, label: "Retail", text: "-$330.25" } }]);
});

test("a donut of averages has no total, for averages don't add up", () => {
  const total = (aggregate: "sum" | "avg") =>
    pieModel(
      card({ vizType: "PIE", category: axis("x"), value: axis("y", { aggregate }) }),
      answer({ x: "string", y0: "double" }, [
        { x: "a", y0: 2 },
        { x: "b", y0: 3 },
      ]),
    ).total;
  expect(total("sum")).toEqual({ value: 5, text: "5" });
  expect(total("avg")).toBeNull();
});

test("moments stand at their distance in time, and dates by month at equal steps", () => {
  const rows = ["2024-12-01", "2026-01-31", "2026-02-01"].map((x) => ({ x, y0: 1 }));
  const months = ["2024-12-01", "2025-02-01"].map((x) => ({ x, y0: 1 }));
  const model = (grain?: "month") =>
    cartesianModel(
      card({ vizType: "COLUMN", xaxis: axis("d", grain ? { grain } : {}), yaxis: [axis("n")] }),
      answer({ x: "date", y0: "integer" }, grain ? months : rows),
    );
  const look = {
    kind: "column" as const,
    card: { legendVisible: true, labelVisible: false, stacking: undefined },
    legendPosition: "BOTTOM" as const,
    palette: paletteOf("light", "default"),
    size: { width: 400, height: 200 },
  };
  const option = cartesianOption(model(), look);
  expect(option).toMatchObject({
    useUTC: true,
    xAxis: { type: "time" },
    series: [{ data: rows.map(({ x }) => ({ value: [Date.parse(x), 1] })) }],
  });
  expect(cartesianOption(model("month"), look)).toMatchObject({ xAxis: { type: "category" } });
});

test("measures of different formats have an axis each, with their own format and name", () => {
  const model = cartesianModel(
    card({
      vizType: "COLUMN",
      xaxis: axis("x"),
      yaxis: [
        axis("revenue", { displayFormat: "currency" }),
        axis("deals", { displayFormat: "number" }),
        axis("cost", { displayFormat: "currency" }),
      ],
    }),
    answer({ x: "string", y0: "decimal", y1: "integer", y2: "decimal" }, [{ x: "a", y0: "1200", y1: 3, y2: "900" }]),
  );
  const { yAxis, series } = cartesianOption(model, {
    kind: "column",
    card: { legendVisible: true, labelVisible: false, stacking: undefined },
    legendPosition: "BOTTOM",
    palette: paletteOf("light", "default"),
    size: { width: 400, height: 200 },
  });
  const axes = yAxis as { name: string; axisLabel: { formatter: (value: number) => string } }[];
  expect(axes.map(({ name, axisLabel }) => [name, axisLabel.formatter(1000)])).toEqual([
    ["revenue, cost", "$1K"],
    ["deals", "1K"],
  ]);
  expect(series).toMatchObject([{ yAxisIndex: 0 }, { yAxisIndex: 1 }, { yAxisIndex: 0 }]);
});

test("a funnel of more stages than it draws says how many are left out, and what they hold", () => {
  const rows = Array.from({ length: 25 }, (_, index) => ({ x: `s${index}`, y0: 100 - index }));
  const funnel = card({
    vizType: "FUNNEL",
    measure: axis("y"),
    dataField: axis("x"),
    sortBy: "value",
    ascending: false,
  });
  const model = funnelModel(funnel, answer({ x: "string", y0: "integer" }, rows));
  expect(model.stages).toHaveLength(20);
  // 80 + 79 + 78 + 77 + 76
  expect(model.notes).toEqual([{ code: "omitted_stages", facts: { count: 5, total: "390" } }]);
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
  expect(pieModel(donut, data).slices.map(({ label, cell }) => [label, cell.value])).toEqual([
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
  expect(funnelModel(byValue, data).stages.map(({ label, ratio }) => [label, ratio])).toEqual([
    ["lead", null],
    ["offer", 0.5],
    ["won", 0.2],
  ]);
  const byStage = { ...byValue, sortBy: "stage" as const, stages: ["offer", "won"] };
  expect(labelsOf(funnelModel(byStage, data).stages)).toEqual(["offer", "won"]);
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

test("no value is rounded to nothing, and exact sums keep all their digits", () => {
  expect(formatNumber(1e-7, "number")).toBe("0.0000001");
  expect(formatNumber(0.004, "currency")).toBe("$0.004");
  expect(formatNumber(0.0001, "percent")).toBe("0.01%");
  expect([0.01, 0.02].map((tick) => formatNumber(tick, "number", true))).toEqual(["0.01", "0.02"]);
  expect(formatNumber("12345678901234567890.15", "number")).toBe("12,345,678,901,234,567,890.15");
});
