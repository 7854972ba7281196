/** Every number of a card leads to its records: as many as the number says, and the same ones as SQL written by hand. */
import { getEntity } from "@accord/contracts/data/core-schema";
import { countRecords, searchRecords } from "@accord/contracts/data/records";
import { type CardConfigurationInput, previewDataCard } from "@accord/contracts/insights/cards";
import { dashboardCardData } from "@accord/contracts/insights/dashboards";
import type { DatasetConfigInput } from "@accord/contracts/insights/dataset-config";
import type { Id } from "@accord/contracts";
import {
  type CardMark,
  dashboardMarkRecords,
  type MarkRecords,
  previewMarkRecords,
} from "@accord/contracts/insights/mark-records";
import type { Value } from "@accord/contracts/data/values";
import { beforeAll, expect, test } from "vitest";
import { instanceSchema } from "../../../platform/db/db.ts";
import { columnCard, makeCard, makeDataset, makeDeals, makePublished } from "../../../../test-kit/fixtures/insights.ts";
import { testApp, type TestApp } from "../../../../test-kit/index.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
}, 60_000);
const viewer = () => t.as("VIEWER");

const column = (name: string, more = {}) => ({ column: name, name, displayFormat: "text" as const, ...more });
const COUNT = { column: "*", name: "*", displayFormat: "number" as const };

/** status, amount, pieces, day: names that differ in a capital letter alone, and blanks. */
const ROWS = [
  ["open", "10.50", 1, "2026-01-05"],
  ["open", "1.00", 2, "2026-01-31"],
  ["Open", "20.00", 2, "2026-02-01"],
  ["paid (all)", "5.25", 3, "2026-03-31"],
  ["paid (all)", "7.00", null, "2026-04-01"],
  [null, null, 4, "2026-03-31"],
  ["lost", "3.00", 4, null],
] as const;

interface Deals {
  entityId: Id<"entity">;
  datasetId: Id<"dataset">;
}
async function deals(more: DatasetConfigInput = {}, rows: readonly (readonly unknown[])[] = ROWS): Promise<Deals> {
  const entityId = await makeDeals(t, t, rows);
  return { entityId, datasetId: await makeDataset(t, t, more, entityId) };
}

const recordsOf = async ({ datasetId }: Deals, card: Partial<CardConfigurationInput>, mark: CardMark) =>
  viewer().call(previewMarkRecords, {
    body: { datacard: { contents: { configuration: columnCard(datasetId, card) } }, dataset: {}, mark },
  });

const rowsOf = async ({ datasetId }: Deals, card: Partial<CardConfigurationInput>) =>
  (
    await viewer().call(previewDataCard, {
      body: { datacard: { contents: { configuration: columnCard(datasetId, card) } }, dataset: {} },
    })
  ).contents.data.rows;

const mark = (groups: Record<string, Value>, value = "y0"): CardMark => ({
  groups: Object.entries(groups).map(([name, one]) => ({ column: name, values: [one], isOthers: false })),
  value,
});

/** What data studio counts and lists for the filter of the mark: `pieces` of each record, in order. */
async function listed(found: MarkRecords): Promise<{ count: number; pieces: Value[] }> {
  if (found.kind !== "records") throw new Error(`no records: ${found.reason}`);
  const body = found.predicate === null ? "" : JSON.stringify(found.predicate);
  const params = { entityId: found.entityId };
  const { count } = await viewer().call(countRecords, { params, query: {}, body });
  const page = await viewer().call(searchRecords, { params, query: { sort: "accord_id" }, body });
  expect(found.count).toBe(count);
  return { count, pieces: page.records.map(({ values }) => values["pieces"] ?? null) };
}

test("each mark of a chart that counts leads to as many records as it says", async () => {
  const at = await deals();
  const cards: Partial<CardConfigurationInput>[] = [
    { xaxis: column("status"), yaxis: [COUNT] },
    { vizType: "LINE", xaxis: column("day", { grain: "month" }), yaxis: [COUNT] },
    { vizType: "LINE", xaxis: column("day", { grain: "quarter" }), yaxis: [COUNT], series: [column("status")] },
    { xaxis: column("pieces"), yaxis: [COUNT], series: [column("day", { grain: "week" })] },
    { vizType: "PIE", category: column("status"), subCategory: column("pieces"), value: COUNT },
    { vizType: "FUNNEL", dataField: column("status"), measure: COUNT },
    { xaxis: column("status"), yaxis: [{ ...COUNT, column: "pieces", name: "pieces", aggregate: "count" }] },
  ];
  for (const card of cards)
    for (const { y0, x, ...rest } of await rowsOf(at, card)) {
      const groups = { x: x ?? null, ...("series" in rest ? { series: rest["series"] ?? null } : {}) };
      expect({ card, groups, y0: (await listed(await recordsOf(at, card, mark(groups)))).count }).toEqual({
        card,
        groups,
        y0,
      });
    }
});

test("a mark leads to the records that SQL written by hand finds", async () => {
  const at = await deals();
  const { apiName } = await viewer().call(getEntity, { params: { entityId: at.entityId }, query: {} });
  const byHand = async (condition: string) => {
    const { rows } = await t.deps.dataPool.query<{ pieces: string | null }>(
      `SELECT pieces FROM "${instanceSchema(t.instanceId)}"."r_${apiName}" WHERE NOT accord_deleted AND ${condition} ORDER BY accord_id`,
    );
    return rows.map(({ pieces }) => (pieces === null ? null : Number(pieces)));
  };
  const count = { yaxis: [COUNT] };
  const monthly = { ...count, xaxis: column("day", { grain: "month" }), series: [column("status")] };
  expect((await listed(await recordsOf(at, count, mark({ x: "open" })))).pieces).toEqual(
    await byHand("status = 'open'"),
  );
  expect((await listed(await recordsOf(at, count, mark({ x: null })))).pieces).toEqual(await byHand("status IS NULL"));
  expect((await listed(await recordsOf(at, monthly, mark({ x: "2026-03-01", series: "paid (all)" })))).pieces).toEqual(
    await byHand("status = 'paid (all)' AND day >= '2026-03-01' AND day < '2026-04-01'"),
  );
  const metric = {
    vizType: "METRIC" as const,
    columns: [{ ...COUNT, column: "amount", name: "amount", aggregate: "count" as const }],
  };
  expect((await listed(await recordsOf(at, metric, mark({}, "c0")))).pieces).toEqual(
    await byHand("amount IS NOT NULL"),
  );
});

test("a filter that distinguishes capital letters is used only where it is needed", async () => {
  const found = async (x: string) => {
    const answer = await recordsOf(await deals(), { yaxis: [COUNT] }, mark({ x }));
    return answer.kind === "records" && answer.predicate?.type === "group" ? answer.predicate.children : [];
  };
  expect(await found("open")).toMatchObject([{ operator: "matchesRegex", right: [{ value: "^open$" }] }]);
  expect(await found("lost")).toMatchObject([{ operator: "equals", right: [{ value: "lost" }] }]);
});

test("a blank and an empty text, which no filter distinguishes, have no list of records, and the reason is said", async () => {
  const at = await deals({}, [...ROWS, ["", "1.00", 9, null]]);
  expect(await recordsOf(at, { yaxis: [COUNT] }, mark({ x: null }))).toEqual({
    kind: "none",
    reason: "similar_values",
    name: "",
  });
  expect(await recordsOf(at, { yaxis: [COUNT] }, mark({ x: "lost" }))).toMatchObject({ kind: "records", count: 1 });
});

test("a column that data studio can't filter by is named as the reason", async () => {
  const created = { alias: "created", displayName: "Created", apiName: "accord_created_at", dataType: "datetime" };
  const at = await deals({ selectedFields: [{ ...created, dataType: "datetime", datasourceAlias: "deals" }] });
  const card = { vizType: "LINE" as const, xaxis: column("created", { grain: "day" }), yaxis: [COUNT] };
  const [row] = await rowsOf(at, card);
  expect(await recordsOf(at, card, mark({ x: row?.["x"] ?? null }))).toEqual({
    kind: "none",
    reason: "system_field",
    name: "Created",
  });
});

test("“Other” leads to the records of all categories that are not shown", async () => {
  const many = Array.from({ length: 60 }, (_, index) => [`s${String(index).padStart(2, "0")}`, "1", index, null]);
  const at = await deals({}, [...many, ...many.slice(0, 30), [null, "1", 99, null]]);
  const rows = await rowsOf(at, { yaxis: [COUNT] });
  const shown = rows.filter(({ other }) => other !== true).map(({ x }) => x ?? null);
  const other = { groups: [{ column: "x", values: shown, isOthers: true }], value: "y0" };
  const { count } = await listed(await recordsOf(at, { yaxis: [COUNT] }, other));
  expect(count).toBe(rows.find((row) => row["other"] === true)?.["y0"]);
});

test("a mark that names a column the card does not have is refused by its name", async () => {
  const { datasetId } = await deals();
  const body = { datacard: { contents: { configuration: columnCard(datasetId) } }, dataset: {}, mark: mark({ c7: 1 }) };
  expect(await viewer().send(previewMarkRecords, { body })).toMatchObject({
    status: 400,
    body: { errors: [{ path: "mark" }] },
  });
});

test("on a dashboard the values chosen for its variables are part of the filter", async () => {
  const at = await deals({
    variables: [{ apiName: "least", displayName: "least", datatype: "integer", updatable: true }],
    filter: {
      type: "condition",
      left: { kind: "field", field: "pieces" },
      operator: "greaterOrEqual",
      right: [{ kind: "variable", apiName: "least" }],
    },
  });
  const cardId = await makeCard(t, t, at.datasetId, { yaxis: [COUNT], xaxis: column("day", { grain: "quarter" }) });
  const params = { id: await makePublished(t, t, [cardId]), cardId };
  for (const variablesMap of [{}, { least: 2 }, { least: 4 }]) {
    const { data } = await viewer().call(dashboardCardData, { params, body: { variablesMap } });
    for (const { x, y0 } of data.rows) {
      const body = { variablesMap, mark: mark({ x: x ?? null }) };
      const found = await viewer().call(dashboardMarkRecords, { params, body });
      expect({ variablesMap, x, count: (await listed(found)).count }).toEqual({ variablesMap, x, count: y0 });
    }
  }
});

test("people who may not read records get no filter of them", async () => {
  const cardId = await makeCard(t, t);
  const params = { id: await makePublished(t, t, [cardId]), cardId };
  const body = { mark: mark({ x: "open" }) };
  expect(await t.as("DASHBOARD_LIGHT_VIEWER").send(dashboardMarkRecords, { params, body })).toMatchObject({
    status: 403,
  });
});
