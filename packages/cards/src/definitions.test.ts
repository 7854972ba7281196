/** Rules of card types: completeness, ranges, defaults, and what survives a change of type or dataset. */
import { readdirSync } from "node:fs";
import { CardConfiguration, type CardConfigurationInput, VIZ_TYPES } from "@accord/contracts/insights/cards";
import { expect, test } from "vitest";
import {
  CARD_DEFINITIONS,
  changeDataset,
  changeType,
  formatOf,
  legendPositionOf,
  newCard,
  nextRange,
  problemsOfCard,
  rangeOf,
} from "./definitions.ts";

const DATASET = "00000000000000000000000d";
const entry = (column: string) => ({ column, name: column, displayName: column, displayFormat: "number" as const });
const card = (input: CardConfigurationInput) => CardConfiguration.parse({ datasetId: DATASET, ...input });
const paths = (input: CardConfigurationInput) => problemsOfCard(card(input)).map(({ path, code }) => `${path} ${code}`);

test("[INS-053] every type has a definition and a folder of its own", () => {
  expect(Object.keys(CARD_DEFINITIONS).toSorted()).toEqual([...VIZ_TYPES].toSorted());
  const folders = readdirSync(new URL(".", import.meta.url), { withFileTypes: true }).filter((item) =>
    item.isDirectory(),
  );
  for (const type of VIZ_TYPES)
    expect(folders.map(({ name }) => name)).toContain(type.toLowerCase().replaceAll("_", "-"));
  expect(CardConfiguration.safeParse({ vizType: "NO_SUCH_TYPE" }).success).toBe(false);
});

test("[INS-098] a configuration without a type is refused in the words of the wizard", () => {
  for (const input of [{}, { vizType: "" }])
    expect(CardConfiguration.safeParse(input).error?.issues).toMatchObject([
      { path: ["vizType"], message: "Viz type cannot be empty." },
    ]);
});

test("[INS-099] columns, bars and lines need an x-axis and a first y-axis with column, name and format", () => {
  for (const vizType of ["COLUMN", "BAR", "LINE"] as const) {
    const complete = { vizType, xaxis: entry("x"), yaxis: [entry("y")] };
    expect(paths(complete)).toEqual([]);
    expect(paths({ ...complete, xaxis: undefined })).toEqual(["xaxis column_missing"]);
    expect(paths({ ...complete, xaxis: { ...entry("x"), name: "" } })).toEqual(["xaxis name_missing"]);
    expect(paths({ ...complete, yaxis: [{ ...entry("y"), displayFormat: undefined }] })).toEqual([
      "yaxis.0 format_missing",
    ]);
  }
  const donut = { vizType: "PIE", legendPosition: "RIGHT", category: entry("a"), value: entry("b") } as const;
  expect(paths(donut)).toEqual([]);
  expect(paths({ ...donut, value: undefined })).toEqual(["value column_missing"]);
});

test("[INS-100] metric, table and gauge need one column; a funnel needs a measure and a data field", () => {
  for (const vizType of ["METRIC", "TABLE", "GAUGE"] as const) {
    expect(paths({ vizType, columns: [entry("a")] })).toEqual([]);
    expect(paths({ vizType })).toEqual(["columns.0 column_missing"]);
  }
  const funnel = {
    vizType: "FUNNEL",
    legendPosition: "LEFT",
    measure: entry("a"),
    dataField: { column: "b", name: "b" },
  } as const;
  expect(paths(funnel)).toEqual([]);
  expect(paths({ ...funnel, dataField: { column: "b" } })).toEqual(["dataField name_missing"]);
});

test("[INS-101][INS-102] a range's maximum is above its minimum, and ranges don't overlap", () => {
  const metric = (...ranges: [number, number][]) =>
    card({
      vizType: "GAUGE",
      columns: [entry("a")],
      ranges: ranges.map(([minimumValue, maximumValue]) => ({ minimumValue, maximumValue })),
    });
  expect(problemsOfCard(metric([10, 10]))).toMatchObject([{ path: "ranges.0.maximumValue", code: "max_error" }]);
  expect(problemsOfCard(metric([10, 5]))).toMatchObject([{ code: "max_error" }]);
  expect(problemsOfCard(metric([0, 10], [5, 20]))).toMatchObject([{ code: "range_error", facts: { maximum: 10 } }]);
  expect(problemsOfCard(metric([0, 10], [10, 20]))).toEqual([]);
});

test("[INS-104] a metric's range needs a name, a gauge's does not", () => {
  const ranges = [{ minimumValue: 0, maximumValue: 1 }];
  expect(paths({ vizType: "METRIC", columns: [entry("a")], ranges })).toEqual(["ranges.0.name range_name_missing"]);
  expect(paths({ vizType: "GAUGE", columns: [entry("a")], ranges })).toEqual([]);
});

test("[INS-148] a new gauge has one range; the next starts at the last maximum and ends one above", () => {
  const { ranges } = newCard(CARD_DEFINITIONS.GAUGE);
  expect(ranges).toMatchObject([{ minimumValue: 0, maximumValue: 100 }]);
  expect(nextRange([{ name: "", color: "chart-1", minimumValue: 0, maximumValue: 10 }])).toMatchObject({
    minimumValue: 10,
    maximumValue: 11,
  });
  expect(nextRange([])).toMatchObject({ minimumValue: 0, maximumValue: 1 });
});

test("[INS-146] a new card's legend is at the bottom and its label on top", () => {
  expect(newCard(CARD_DEFINITIONS.COLUMN)).toMatchObject({
    legendPosition: "BOTTOM",
    vizLabelPosition: "TOP",
    vizLabelVisible: true,
  });
});

test("[INS-109] legends stand above or below, those of donut and funnel beside", () => {
  const column = { vizType: "COLUMN", xaxis: entry("x"), yaxis: [entry("y")] } satisfies CardConfigurationInput;
  expect(paths({ ...column, legendPosition: "LEFT" })).toEqual(["legendPosition legend_position"]);
  expect(paths({ ...column, legendPosition: "TOP" })).toEqual([]);
  expect(paths({ vizType: "PIE", category: entry("a"), value: entry("b"), legendPosition: "TOP" })).toEqual([
    "legendPosition legend_position",
  ]);
});

test("[INS-110] a numeric column is shown as a number, any other as text", () => {
  expect(formatOf({ dataType: "integer" })).toBe("number");
  expect(formatOf({ dataType: "string" })).toBe("text");
});

test("[INS-086] a change of type keeps the label, a change of dataset keeps the type", () => {
  const bar = card({
    vizType: "BAR",
    vizLabel: "Sales",
    vizLabelPosition: "BOTTOM",
    xaxis: entry("x"),
    yaxis: [entry("y")],
  });
  expect(changeType(bar, CARD_DEFINITIONS.FUNNEL, [])).toMatchObject({
    vizType: "FUNNEL",
    vizLabel: "Sales",
    vizLabelPosition: "BOTTOM",
    measure: { column: "y" },
  });
  const other = changeDataset(bar, CARD_DEFINITIONS.BAR, "00000000000000000000000e");
  expect(other).toMatchObject({ vizType: "BAR", vizLabel: "Sales", yaxis: [] });
  expect(other.xaxis).toBeUndefined();
});

test("[INS-087] a metric or gauge keeps only the first column", () => {
  const table = card({ vizType: "TABLE", columns: [entry("a"), entry("b"), entry("c")] });
  expect(changeType(table, CARD_DEFINITIONS.METRIC, []).columns.map(({ column }) => column)).toEqual(["a"]);
  expect(changeType(table, CARD_DEFINITIONS.GAUGE, []).columns).toHaveLength(1);
});

test("[INS-087][INS-105] a metric made from a table takes its first number, never a text of an arbitrary row", () => {
  const columns = [
    { name: "origin", displayName: "Origin", dataType: "string" },
    { name: "miles", displayName: "Miles", dataType: "integer" },
  ] as const;
  const changed = (...entries: CardConfiguration["columns"]) =>
    (["METRIC", "GAUGE"] as const).map((type) =>
      changeType(card({ vizType: "TABLE", columns: entries }), CARD_DEFINITIONS[type], columns).columns.map(
        ({ column }) => column,
      ),
    );
  const [origin, miles] = [{ ...entry("origin"), displayFormat: "text" as const }, entry("miles")];
  expect(changed(origin, miles)).toEqual([["miles"], ["miles"]]);
  expect(changed(origin)).toEqual([[], []]);
  expect(changed({ ...origin, aggregate: "max" }, miles)).toEqual([["miles"], ["miles"]]);
  expect(changed({ ...origin, aggregate: "countDistinct" }, miles)).toEqual([["origin"], ["origin"]]);
  expect(changed(origin, entry("*"))).toEqual([["*"], ["*"]]);
});

test("[INS-109] a donut and a funnel are complete without a place for their legend", () => {
  const pie = { vizType: "PIE", category: entry("a"), value: entry("b") } as const;
  const funnel = { vizType: "FUNNEL", measure: entry("a"), dataField: { column: "b", name: "b" } } as const;
  expect([paths(pie), paths(funnel)]).toEqual([[], []]);
  expect(legendPositionOf(card(pie), CARD_DEFINITIONS.PIE)).toBe("RIGHT");
  expect(legendPositionOf(card({ ...pie, legendPosition: "LEFT" }), CARD_DEFINITIONS.PIE)).toBe("LEFT");
  expect(legendPositionOf(card({ vizType: "LINE" }), CARD_DEFINITIONS.LINE)).toBe("BOTTOM");
});

test("[INS-147] a funnel has at most 20 stages", () => {
  const stages = Array.from({ length: 21 }, (_, at) => `s${at}`);
  expect(CardConfiguration.safeParse({ vizType: "FUNNEL", stages }).success).toBe(false);
  expect(CardConfiguration.safeParse({ vizType: "FUNNEL", stages: stages.slice(1) }).success).toBe(true);
});

test("a value on the border of two ranges belongs to the upper one", () => {
  const ranges = [
    { name: "low", color: "chart-1", minimumValue: 0, maximumValue: 10 },
    { name: "high", color: "chart-2", minimumValue: 10, maximumValue: 20 },
  ];
  expect(rangeOf(ranges, 10)?.name).toBe("high");
  expect(rangeOf(ranges, 20)?.name).toBe("high");
  expect(rangeOf(ranges, 21)).toBeUndefined();
});
