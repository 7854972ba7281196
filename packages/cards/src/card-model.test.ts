/** Whatever the answer: chart, tooltips, table, total and summary show its rows, each once, and say what they leave out. */
import type { CardConfiguration, CardData } from "@accord/contracts/insights/cards";
import type { Value } from "@accord/contracts/data/values";
import { describe, expect, test } from "vitest";
import { cardModel, modelSummary, modelTable } from "./card-model.ts";
import type { CartesianModel } from "./cartesian/cartesian.model.ts";
import { cartesianOption, tooltipLine } from "./cartesian/cartesian.option.ts";
import { paletteOf } from "./chart/palette.ts";
import { ENGLISH } from "./chart/words.ts";
import { exactNumber, formatNumber, formatValue, numberOf } from "./format.ts";
import type { FunnelModel } from "./funnel/model.ts";
import { funnelOption } from "./funnel/option.ts";
import type { CardModel } from "./models.ts";
import type { PieModel } from "./pie/model.ts";
import { pieOption, sliceTooltip } from "./pie/option.ts";
import { randomCard } from "./random-answers.fixtures.ts";

const PALETTE = paletteOf("light", "default");
const SIZE = { width: 480, height: 240 };

type Row = CardData["rows"][number];
const isRow = (row: Row): boolean => row["other"] === true;
const count = <Item>(items: readonly Item[], is: (item: Item) => boolean): number => items.filter(is).length;

/** What a reader is to see for a value, written down apart from the code under test. */
function labelOf(row: Row, name: "x" | "series", card: CardConfiguration, data: CardData): string {
  const flag = name === "x" ? "other" : "otherSeries";
  const folded = name === "x" ? data.reduction?.otherCategories : data.reduction?.otherSeries;
  if (row[flag] === true) return folded === undefined ? "Other" : `Other (${folded} more)`;
  const value = row[name] ?? null;
  if (value === null) return "(blank)";
  if (typeof value === "string" && value.trim() === "") return "(empty text)";
  const column = data.columns.find((one) => one.name === name);
  if (!column) return "";
  const axis = name === "x" ? (card.xaxis ?? card.category ?? card.dataField) : (card.series[0] ?? card.subCategory);
  const format = card.vizType === "PIE" || card.vizType === "FUNNEL" ? "text" : (axis?.displayFormat ?? "text");
  return formatValue(value, { ...column, format, grain: axis?.grain });
}

const textOf = (value: Value | undefined, format: "text" | "number" | "currency" | "percent" | undefined): string =>
  formatNumber(exactNumber(value), format ?? "number");

/** `expect` alone is too slow for millions of comparisons: it is asked only to say what differs. */
function same(found: unknown, expected: unknown): void {
  if (found !== expected && JSON.stringify(found) !== JSON.stringify(expected)) expect(found).toEqual(expected);
}

const sorted = (texts: readonly string[]): string[] => texts.toSorted();
const near = (one: number, other: number, size: number): boolean =>
  Math.abs(one - other) <= 1e-9 * Math.max(size, 1e-9);
const codes = (model: CardModel): string[] => model.notes.map(({ code }) => code);

function checkNotes(model: CardModel, data: CardData): void {
  const { reduction } = data;
  const said = codes(model);
  if (reduction?.isLimited)
    expect(said.some((code) => /^(first_row|newest_points|largest_points)/.test(code))).toBe(true);
  const isShown = model.kind !== "funnel" || model.stages.some(({ isRest }) => isRest);
  if (reduction && reduction.otherCategories > 0 && isShown) expect(said).toContain("other_categories");
  if (reduction && reduction.otherSeries > 0) expect(said).toContain("other_series");
  if (reduction && reduction.omittedSeries > 0) expect(said).toContain("omitted_series");
}

function checkTable(model: CardModel, expected: readonly string[]): void {
  same(sorted(modelTable(model).rows.map(({ texts }) => texts.join(" | "))), sorted(expected));
  const summary = modelSummary(model);
  for (const { texts } of modelTable(model).rows.slice(0, 20))
    for (const text of texts) same(summary.includes(text), true);
  if (expected.length > 20) expect(summary).toContain(`and ${expected.length - 20} more`);
}

function checkCartesian(model: CartesianModel, card: CardConfiguration, data: CardData): void {
  const isSplit = data.columns.some(({ name }) => name === "series");
  const isTime = data.columns.some(({ name, dataType }) => name === "x" && dataType.startsWith("date"));
  const drawn = data.rows.filter((row) => !isTime || isRow(row) || typeof row["x"] === "string");
  const ys = data.columns.filter(({ name }) => name.startsWith("y")).map(({ name }) => name);
  const axes = card.yaxis.length > 0 ? card.yaxis : [card.value ?? card.measure];
  const formats = ys.map((_, at) => axes[at]?.displayFormat);

  // No two categories or series have the same key.
  same(new Set(model.categories.map(({ key }) => key)).size, model.categories.length);
  same(new Set(model.series.map(({ key }) => key)).size, model.series.length);

  // Every value of every row is one cell, and no cell is without one.
  const option = cartesianOption(model, {
    kind: "column",
    card: { ...card, stacking: undefined },
    legendPosition: "BOTTOM",
    palette: PALETTE,
    size: SIZE,
  });
  const marks: string[] = [];
  const tooltips: string[] = [];
  const series = option["series"] as { name: string; data: { value: unknown }[] }[];
  model.series.forEach((one, seriesIndex) => {
    same(series[seriesIndex]?.data.length, model.categories.length);
    one.cells.forEach((cell, index) => {
      const point = series[seriesIndex]?.data[index]?.value;
      const value = Array.isArray(point) ? (point[1] as unknown) : point;
      same(value, cell ? cell.value : one.missing);
      if (!cell) return;
      const category = model.categories[index]?.label ?? "";
      const place = isSplit ? `${category} | ${one.label}` : `${category} | ${one.key}`;
      marks.push(`${place} | ${String(cell.value)}`);
      const [line] = tooltipLine(model, seriesIndex, index, "");
      same(line?.name, one.label);
      tooltips.push(`${place} | ${line?.value ?? ""}`);
    });
  });
  const expected = (text: (value: Value | undefined, at: number) => string): string[] =>
    drawn.flatMap((row) =>
      ys.map((y, at) => {
        const place = isSplit ? labelOf(row, "series", card, data) : y;
        return `${labelOf(row, "x", card, data)} | ${place} | ${text(row[y], at)}`;
      }),
    );
  same(sorted(marks), sorted(expected((value) => String(numberOf(value)))));
  same(sorted(tooltips), sorted(expected((value, at) => textOf(value, formats[at]))));
  checkTable(
    model,
    isSplit
      ? expected((value, at) => textOf(value, formats[at]))
      : drawn.map((row) =>
          [labelOf(row, "x", card, data), ...ys.map((y, at) => textOf(row[y], formats[at]))].join(" | "),
        ),
  );
  if (drawn.length < data.rows.length) expect(codes(model)).toContain("blank_dates");
  if (isTime) checkTime(model);
  checkAxes(model);
  checkCuts(model, card.stacking);
}

/** Along an axis of categories dates are evenly spaced; others have their own places in time. */
function checkTime(model: CartesianModel): void {
  const times = model.categories.map(({ time }) => time ?? Number.NaN);
  same(
    times,
    times.toSorted((one, other) => one - other),
  );
  if (model.scale === "time" || times.length < 3) return;
  const steps = times.slice(1).map((time, at) => (time - (times[at] ?? 0)) / 86_400_000);
  expect(Math.max(...steps) / Math.min(...steps)).toBeLessThan(1.2);
}

/** Each format has an axis, and each series is on that of its own. */
function checkAxes(model: CartesianModel): void {
  same(new Set(model.axisFormats).size, model.axisFormats.length);
  for (const { format, axisIndex } of model.series) same(model.axisFormats[axisIndex], format);
}

/** An axis that the rest goes beyond has room for every other value, and the card says that it is cut. */
function checkCuts(model: CartesianModel, stacking: CardConfiguration["stacking"]): void {
  same(
    codes(model).includes("rest_cut"),
    model.cuts.some((cut) => cut !== null),
  );
  const rest = model.categories.findIndex(({ isRest }) => isRest);
  model.cuts.forEach((cut, axis) => {
    if (cut === null) return;
    const own = model.series.filter(({ axisIndex }) => axisIndex === axis);
    model.categories.forEach((_, at) => {
      const values = own.map(({ cells }) => cells[at]?.value ?? 0);
      const high = Math.max(...values, stacking ? values.reduce((sum, value) => sum + Math.max(value, 0), 0) : 0);
      const low = Math.min(...values, stacking ? values.reduce((sum, value) => sum + Math.min(value, 0), 0) : 0);
      if (at === rest)
        same((cut.max !== undefined && high > cut.max) || (cut.min !== undefined && low < cut.min), true);
      else same(high <= (cut.max ?? high) && low >= (cut.min ?? low), true);
    });
  });
}

function checkPie(model: PieModel, card: CardConfiguration, data: CardData): void {
  const format = card.value?.displayFormat;
  const isSplit = model.subCategoryTitle !== null;
  const values = data.rows.map((row) => numberOf(row["y0"]) ?? 0);
  const size = values.reduce((sum, value) => sum + Math.abs(value), 0);
  const option = pieOption(model, { card, legendPosition: "RIGHT", palette: PALETTE, size: SIZE, words: ENGLISH });
  const [ring] = option["series"] as { data: { value: number; name: string }[] }[];
  const drawn = ring?.data ?? [];
  same(new Set(drawn.map(({ name }) => name)).size, drawn.length);
  same(
    drawn.map(({ value }) => value),
    model.slices.map(({ cell }) => cell.value ?? 0),
  );
  const total = drawn.reduce((sum, { value }) => sum + value, 0);
  same(
    near(
      total,
      values.reduce((sum, value) => sum + value, 0),
      size,
    ),
    true,
  );
  if (model.total) same(near(model.total.value ?? 0, total, size), true);
  for (const slice of model.slices) {
    same(sliceTooltip(model, slice.cell, "").value, slice.cell.text);
    const parts = slice.parts.reduce((sum, { cell }) => sum + (cell.value ?? 0), 0);
    if (isSplit) same(near(parts, slice.cell.value ?? 0, size), true);
  }
  const rows = modelTable(model).rows;
  const tabled = rows.reduce((sum, row) => sum + (numberOf(row.values.at(-1)) ?? 0), 0);
  same(near(tabled, total, size), true);
  if (codes(model).includes("small_slices") || card.minimumValue?.applyToSubCategories) return;
  checkTable(
    model,
    data.rows.map((row) =>
      [
        labelOf(row, "x", card, data),
        ...(isSplit ? [labelOf(row, "series", card, data)] : []),
        textOf(row["y0"], format),
      ].join(" | "),
    ),
  );
}

function checkFunnel(model: FunnelModel, card: CardConfiguration, data: CardData): void {
  const option = funnelOption(model, { card, legendPosition: "RIGHT", palette: PALETTE, size: SIZE });
  const [series] = option["series"] as { data: { value: number }[] }[];
  same(
    series?.data.map(({ value }) => value),
    model.stages.map(({ cell }) => cell.value ?? 0),
  );
  const all = data.rows.map(
    (row) => `${labelOf(row, "x", card, data)} | ${textOf(row["y0"], card.measure?.displayFormat)}`,
  );
  const left = [...all];
  for (const { label, cell } of model.stages) {
    const at = left.indexOf(`${label} | ${cell.text}`);
    same(at >= 0, true);
    left.splice(at, 1);
  }
  expect(model.stages.length).toBeLessThanOrEqual(20);
  expect(codes(model).includes("omitted_stages")).toBe(left.length > 0);
  checkTable(
    model,
    model.stages.map(({ label, cell }) => `${label} | ${cell.text}`),
  );
}

function check(card: CardConfiguration, data: CardData): void {
  const model = cardModel(card, data);
  checkNotes(model, data);
  const isNegative = data.rows.some((row) => (numberOf(row["y0"]) ?? 0) < 0);
  switch (model.kind) {
    case "cartesian":
      return checkCartesian(model, card, data);
    case "pie":
      expect(isNegative).toBe(false);
      return checkPie(model, card, data);
    case "funnel":
      return checkFunnel(model, card, data);
    case "metric":
      expect(model.value).toBe(numberOf(data.rows[0]?.["c0"]));
      expect(modelSummary(model)).toContain(textOf(data.rows[0]?.["c0"], card.columns[0]?.displayFormat));
      return;
    case "table":
      checkTable(
        model,
        data.rows.map((row) =>
          data.columns
            .map((column, at) => formatValue(row[column.name], { ...column, format: card.columns[at]?.displayFormat }))
            .join(" | "),
        ),
      );
  }
}

const CASES = 20_000;
/** Of one test: each ends in time on a busy machine. */
const BATCH = 1_000;

describe("chart, tooltip, table, total and summary of a card show the rows of its answer", () => {
  for (let start = 0; start < CASES; start += BATCH)
    test(`cards ${start} to ${start + BATCH - 1}`, () => {
      for (let seed = start; seed < start + BATCH; seed++) {
        const { card, data } = randomCard(seed);
        try {
          check(card, data);
        } catch (error) {
          throw new Error(`card ${seed}, ${card.vizType}, ${data.rows.length} rows`, { cause: error });
        }
      }
    });

  test("the generated cards are of every type, drawn in every way", () => {
    const seen = new Set<string>();
    for (let seed = 0; seed < 2_000; seed++) {
      const { card, data } = randomCard(seed);
      const model = cardModel(card, data);
      const scale = model.kind === "cartesian" ? `${model.scale}${model.axisFormats.length > 1 ? " axes" : ""}` : "";
      seen.add(`${card.vizType} ${model.kind}${scale}`);
      for (const code of codes(model)) seen.add(code);
    }
    expect(count([...seen], (one) => /^(COLUMN|BAR|LINE) cartesian(category|time)( axes)?$/.test(one))).toBe(12);
    for (const one of [
      "PIE pie",
      "PIE cartesiancategory",
      "FUNNEL funnel",
      "FUNNEL cartesiancategory",
      "METRIC metric",
    ])
      expect([...seen]).toContain(one);
    for (const code of [
      "small_slices",
      "rest_cut",
      "omitted_stages",
      "blank_dates",
      "negative_slices",
      "negative_stages",
    ])
      expect([...seen]).toContain(code);
  });
});
