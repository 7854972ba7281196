/** Many categories: what was added up is drawn cut where it would dwarf the others, and nowhere is its number lost. */
import { CardConfiguration, type CardConfigurationInput, type CardData } from "@accord/contracts/insights/cards";
import { expect, test } from "vitest";
import { modelSummary, modelTable } from "../card-model.ts";
import { paletteOf } from "../chart/palette.ts";
import { niceAbove } from "../marks.ts";
import type { CartesianKind } from "./axes.ts";
import { cartesianModel } from "./cartesian.model.ts";
import { cartesianOption, tooltipLine } from "./cartesian.option.ts";

const axis = (column: string) => ({ column, name: column, displayName: column, displayFormat: "number" as const });
const columns: CardConfigurationInput = { vizType: "COLUMN", xaxis: axis("customer"), yaxis: [axis("rows")] };

function answer(rows: CardData["rows"], names = ["x", "y0"]): CardData {
  const dataType = (name: string) => (name.startsWith("y") ? ("decimal" as const) : ("string" as const));
  return {
    columns: names.map((name) => ({ name, displayName: name, dataType: dataType(name) })),
    rows,
    reduction: { isLimited: false, totalRows: null, otherCategories: 20_757, otherSeries: 0, omittedSeries: 0 },
    ...{ asOf: "2026-06-01T08:00:00.000Z", dataAsOf: null, label: "" },
  };
}
const rest = (y0: number) => ({ x: null, y0, other: true });

function drawn(card: CardConfigurationInput, data: CardData, kind: CartesianKind = "column") {
  const parsed = CardConfiguration.parse(card);
  const model = cartesianModel(parsed, data);
  const look = { kind, card: parsed, legendPosition: "BOTTOM", palette: paletteOf("light", "default") } as const;
  const option = cartesianOption(model, { ...look, size: { width: 480, height: 240 } });
  const axes = option[kind === "bar" ? "xAxis" : "yAxis"] as { min?: number; max?: number }[];
  type Item = { value: number; label?: { show?: boolean; position: string; formatter?: () => string } };
  const series = option["series"] as { data: Item[] }[];
  const labels = series.flatMap(({ data: items }) =>
    items.flatMap(({ label }) => (label?.formatter ? [`${label.position} ${label.formatter()}`] : [])),
  );
  return { model, axes, labels, series, codes: model.notes.map(({ code }) => code) };
}

test("an Other of 115 K beside customers of some rows is cut at an axis that fits them, and its number is written", () => {
  const data = answer([{ x: "1", y0: 31 }, { x: "2", y0: 28 }, rest(115_321)]);
  const { model, axes, labels, series } = drawn(columns, data);
  expect(axes).toMatchObject([{ max: 40 }]);
  expect(labels).toEqual(["top ↑ 115.3K"]);
  expect(model.notes).toEqual([
    { code: "other_categories", facts: { count: 20_757, total: "115,321" } },
    { code: "rest_cut", facts: {} },
  ]);
  // Mark, tooltip, table and summary have the number as it is.
  expect(series[0]?.data.map(({ value }) => value)).toEqual([31, 28, 115_321]);
  expect(tooltipLine(model, 0, 2, "")[0]?.value).toBe("115,321");
  expect(modelTable(model).rows.at(-1)?.texts).toEqual(["Other (20757 more)", "115,321"]);
  expect(modelSummary(model)).toContain("Other (20757 more): 115,321");
});

test("an Other up to twice the largest is drawn whole, and its sum is said", () => {
  const { axes, labels, model } = drawn(columns, answer([{ x: "1", y0: 10 }, rest(20)]));
  expect([axes[0]?.max, labels]).toEqual([undefined, []]);
  expect(model.notes).toEqual([{ code: "other_categories", facts: { count: 20_757, total: "20" } }]);
});

test("bars are cut at the right, negative ones at the low end", () => {
  const right = drawn({ ...columns, vizType: "BAR" }, answer([{ x: "1", y0: 31 }, rest(500)]), "bar");
  expect([right.axes, right.labels]).toMatchObject([[{ max: 40 }], ["right 500 →"]]);
  const low = drawn(columns, answer([{ x: "1", y0: -31 }, rest(-500)]));
  expect([low.axes, low.labels]).toMatchObject([[{ min: -40 }], ["bottom ↓ -500"]]);
});

test("a stack is cut where its sum goes beyond, and has its sum written once", () => {
  const rows = [
    { x: "1", series: "a", y0: 10, other: false },
    { x: "1", series: "b", y0: 20, other: false },
    { x: null, series: "a", y0: 25, other: true },
    { x: null, series: "b", y0: 900, other: true },
  ];
  const card: CardConfigurationInput = { ...columns, series: [axis("s")], stacking: "normal" };
  const data = answer(rows, ["x", "series", "y0"]);
  const { axes, labels, model } = drawn(card, data);
  expect([axes, labels]).toMatchObject([[{ max: 30 }], ["top ↑ 925"]]);
  expect(model.notes[0]?.facts).toEqual({ count: 20_757, total: "925" });
  expect(drawn({ ...card, stacking: "percent" }, data).codes).toEqual(["other_categories"]);
});

test("several values say what Other has of each, and only the axis that it goes beyond is cut", () => {
  const card = { ...columns, yaxis: [axis("rows"), { ...axis("share"), displayFormat: "percent" as const }] };
  const data = answer(
    [
      { x: "1", y0: 5, y1: 0.5 },
      { x: null, y0: 90, y1: 0.75, other: true },
    ],
    ["x", "y0", "y1"],
  );
  const { axes, model } = drawn(card, data);
  expect(axes.map(({ max }) => max)).toEqual([5, undefined]);
  expect(model.notes[0]?.facts).toEqual({ count: 20_757, total: "rows 90, share 75%" });
});

test("a goal is on the axis wherever it is, and the summary has it", () => {
  const goal = (value: number, more: CardConfigurationInput = columns) =>
    drawn({ ...more, referenceLine: { value, label: "Goal" } }, answer([{ x: "1", y0: 31 }]));
  expect(goal(20).axes[0]?.max).toBeUndefined();
  expect(goal(55).axes).toMatchObject([{ max: 60 }]);
  expect(goal(-7).axes).toMatchObject([{ min: -8 }]);
  expect(goal(55).series).toMatchObject([{ markLine: { data: [{ yAxis: 55 }] } }]);
  expect(modelSummary(goal(55).model)).toContain("1: 31; Goal: 55");
  // Shares of a whole have no scale in common with a goal.
  const shares = goal(55, { ...columns, stacking: "percent" });
  expect([shares.model.reference, shares.axes[0]?.max]).toEqual([null, 1]);
});

test("a goal beyond a cut axis moves its end, and the rest stays cut", () => {
  const data = answer([{ x: "1", y0: 31 }, rest(115_321)]);
  const { axes, labels } = drawn({ ...columns, referenceLine: { value: 55 } }, data);
  expect([axes, labels]).toMatchObject([[{ max: 60 }], ["top ↑ 115.3K"]]);
});

test("axis titles are written beside the labels; axes of several formats keep the names of their values", () => {
  const titled = { ...columns, axisTitles: { category: "Customers", value: "Rows" } };
  expect(drawn(titled, answer([{ x: "1", y0: 31 }])).axes).toMatchObject([{ name: "Rows", nameLocation: "middle" }]);
  const card = { ...titled, yaxis: [axis("rows"), { ...axis("share"), displayFormat: "percent" as const }] };
  const { axes } = drawn(card, answer([{ x: "1", y0: 5, y1: 0.5 }], ["x", "y0", "y1"]));
  expect(axes).toMatchObject([{ name: "rows" }, { name: "share" }]);
});

test("the end of an axis is a number that readers count in", () => {
  expect([1, 31, 336_123_456, 0.07, 0.31, 999].map(niceAbove)).toEqual([1, 40, 400_000_000, 0.08, 0.4, 1_000]);
});
