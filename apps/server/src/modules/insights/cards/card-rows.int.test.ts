/** A card's own filter, how many it shows and its order: the numbers equal SQL written by hand, and what is cut is said. */
import type { Id } from "@accord/contracts";
import { getEntity } from "@accord/contracts/data/core-schema";
import { type CardConfigurationInput, previewDataCard } from "@accord/contracts/insights/cards";
import { dashboardCardData, getDashboard } from "@accord/contracts/insights/dashboards";
import { previewMarkRecords } from "@accord/contracts/insights/mark-records";
import type { PredicateOperator } from "@accord/contracts/data/predicate";
import type { Value } from "@accord/contracts/data/values";
import { beforeAll, expect, test } from "vitest";
import { columnCard, makeCard, makeDataset, makeDeals, makePublished } from "../../../../test-kit/fixtures/insights.ts";
import { testApp, type TestApp } from "../../../../test-kit/index.ts";
import { instanceSchema } from "../../../platform/db/db.ts";

let t: TestApp;
let datasetId: Id<"dataset">;
let table: string;

const ROWS = Array.from({ length: 40 }, (_, at) => [
  `s${at % 8}`,
  `${at}.25`,
  at % 6,
  `2026-0${(at % 6) + 1}-1${at % 9}`,
]);

beforeAll(async () => {
  t = await testApp();
  const entityId = await makeDeals(t, t, ROWS);
  datasetId = await makeDataset(t, t, {}, entityId);
  const { apiName } = await t.as("VIEWER").call(getEntity, { params: { entityId }, query: {} });
  table = `"${instanceSchema(t.instanceId)}"."r_${apiName}"`;
}, 60_000);

const entry = (column: string, more = {}) => ({ column, name: column, displayFormat: "text" as const, ...more });
const COUNT = { column: "*", name: "*", displayFormat: "number" as const };
const condition = (field: string, operator: PredicateOperator, ...values: Value[]) => ({
  ...{ type: "condition" as const, left: { kind: "field" as const, field }, operator },
  right: values.map((value) => ({ kind: "literal" as const, value })),
});

const send = (card: Partial<CardConfigurationInput>, at = datasetId) =>
  t.as("SYNC_MANAGER").send(previewDataCard, {
    body: { datacard: { contents: { configuration: columnCard(at, card) } }, dataset: {} },
  });
async function dataOf(card: Partial<CardConfigurationInput>, at = datasetId) {
  const { status, body } = await send(card, at);
  expect(status).toBe(200);
  return (body as { contents: { data: Awaited<ReturnType<typeof previewed>> } }).contents.data;
}
const previewed = async () =>
  (
    await t.as("SYNC_MANAGER").call(previewDataCard, {
      body: { datacard: { contents: { configuration: columnCard(datasetId) } }, dataset: {} },
    })
  ).contents.data;
const byHand = async (sql: string): Promise<Record<string, unknown>[]> =>
  (await t.deps.dataPool.query<Record<string, unknown>>(sql.replaceAll("deals", `${table} AS deals`))).rows;

test("a card's filter leaves the rows that SQL written by hand finds, below groups of its dataset and above its limit", async () => {
  const filter = condition("pieces", "greaterOrEqual", 3);
  const { rows } = await dataOf({ yaxis: [COUNT], filter });
  const expected = await byHand("SELECT status, count(*)::int FROM deals WHERE pieces >= 3 GROUP BY 1");
  expect(Object.fromEntries(rows.map(({ x, y0 }) => [x, Number(y0)]))).toEqual(
    Object.fromEntries(expected.map(({ status, count }) => [status, count])),
  );
  const limited = await makeDataset(t, t, { sort: [{ field: "amount", ascending: true }], limit: 10 });
  const total = await dataOf(
    { vizType: "METRIC", columns: [COUNT], filter: condition("amount", "greater", 8) },
    limited,
  );
  expect(Number(total.rows[0]?.["c0"])).toBe(2);
});

test("a filter of a column that is not there is refused at the filter", async () => {
  const { status, body } = await send({ yaxis: [COUNT], filter: condition("gone", "equals", "x") });
  expect(status).toBe(422);
  expect(JSON.stringify(body)).toContain('"filter"');
});

test("the largest categories stay, and the rest is added up and said", async () => {
  const { rows, reduction } = await dataOf({ yaxis: [{ ...COUNT, column: "amount", name: "amount" }], top: 3 });
  const expected = await byHand(
    "SELECT status, sum(amount)::text AS sum FROM deals GROUP BY 1 ORDER BY sum(amount) DESC",
  );
  expect(rows.slice(0, 3).map(({ x, y0 }) => [x, y0])).toEqual(
    expected.slice(0, 3).map(({ status, sum }) => [status, sum]),
  );
  const [rest] = rows.filter(({ other }) => other === true);
  expect(Number(rest?.["y0"])).toBe(expected.slice(3).reduce((sum, one) => sum + Number(one["sum"]), 0));
  expect(reduction).toMatchObject({ otherCategories: 5 });
});

test("of one category more than are asked for as many stay as were asked for, with the one in Other", async () => {
  const { rows, reduction } = await dataOf({ yaxis: [{ ...COUNT, column: "amount", name: "amount" }], top: 7 });
  expect(rows.map(({ other }) => other)).toEqual([...Array.from({ length: 7 }, () => false), true]);
  expect(reduction).toMatchObject({ otherCategories: 1 });
  const all = await dataOf({ yaxis: [{ ...COUNT, column: "amount", name: "amount" }], top: 8 });
  expect(all.rows.map(({ x }) => x)).not.toContain(null);
  expect(all).toMatchObject({ rows: { length: 8 }, reduction: null });
});

test("of averages that are split the categories stay that hold the most, and the others are left out and said", async () => {
  const amount = { column: "amount", name: "amount", displayFormat: "number" as const, aggregate: "avg" as const };
  const card = { series: [entry("pieces")], yaxis: [amount], top: 2 };
  const { rows, reduction } = await dataOf(card);
  const groups = "SELECT status, pieces, avg(amount) AS mean FROM deals GROUP BY 1, 2";
  const largest = await byHand(
    `SELECT status FROM (${groups}) AS cells GROUP BY 1 ORDER BY sum(mean) DESC, status LIMIT 2`,
  );
  const names = largest.map(({ status }) => String(status));
  expect([...new Set(rows.map(({ x }) => x))]).toEqual(names);
  const expected = (await byHand(groups)).filter(({ status }) => names.includes(String(status)));
  const cell = (x: unknown, series: unknown, mean: unknown) => JSON.stringify([x, Number(series), Number(mean)]);
  expect(rows.map(({ x, series, y0 }) => cell(x, series, y0)).toSorted()).toEqual(
    expected.map(({ status, pieces, mean }) => cell(status, pieces, mean)).toSorted(),
  );
  expect(reduction).toMatchObject({ otherCategories: 0, omittedSeries: 0, omittedCategories: 6 });
  expect((await dataOf({ ...card, top: 8 })).reduction).toBeNull();
});

test("along dates the newest points stay, and of a table the first rows in the order that was chosen", async () => {
  const months = await dataOf({ vizType: "LINE", xaxis: entry("day", { grain: "month" }), yaxis: [COUNT], top: 2 });
  expect(months.rows.map(({ x }) => x)).toEqual(["2026-06-01", "2026-05-01"]);
  expect(months.reduction).toMatchObject({ isLimited: true, totalRows: 6 });
  const columns = [entry("amount"), entry("status")];
  const rows = await dataOf({ vizType: "TABLE", columns, top: 3, rowOrder: { column: 0, ascending: false } });
  expect(rows.rows.map(({ c0 }) => c0)).toEqual(["39.25", "38.25", "37.25"]);
  expect(rows.reduction).toMatchObject({ isLimited: true, totalRows: 40 });
});

test("of a chart that is split along dates the largest series stay", async () => {
  const { rows, reduction } = await dataOf({
    ...{ vizType: "LINE", xaxis: entry("day", { grain: "year" }), series: [entry("pieces")], top: 2 },
    yaxis: [{ ...COUNT, column: "amount", name: "amount" }],
  });
  expect(rows).toHaveLength(3);
  expect(reduction).toMatchObject({ otherSeries: 4 });
});

test("the records behind a mark are those that the card's filter leaves", async () => {
  const configuration = columnCard(datasetId, { yaxis: [COUNT], filter: condition("pieces", "less", 2) });
  const found = await t.as("VIEWER").call(previewMarkRecords, {
    body: {
      ...{ datacard: { contents: { configuration } }, dataset: {} },
      mark: { groups: [{ column: "x", values: ["s1"], isOthers: false }], value: "y0" },
    },
  });
  const [counted] = await byHand("SELECT count(*)::int FROM deals WHERE status = 's1' AND pieces < 2");
  expect(found).toMatchObject({ kind: "records", count: counted?.["count"] });
});

test("whoever only looks gets the filtered numbers and not the filter", async () => {
  const filter = condition("pieces", "equals", 5);
  const card = await makeCard(t, t, datasetId, { yaxis: [COUNT], filter });
  const id = await makePublished(t, t, [card]);
  const opened = await t.as("DASHBOARD_LIGHT_VIEWER").call(getDashboard, { params: { id } });
  expect(JSON.stringify(opened)).not.toContain("pieces");
  const { data } = await t
    .as("DASHBOARD_LIGHT_VIEWER")
    .call(dashboardCardData, { params: { id, cardId: card }, body: {} });
  const [counted] = await byHand("SELECT count(*)::int FROM deals WHERE pieces = 5");
  expect(data.rows.reduce((sum, { y0 }) => sum + Number(y0), 0)).toBe(counted?.["count"]);
});
