/** What an answer leaves out or adds up is counted in it, and what a card's type leaves open has a default. */
import { type CardConfigurationInput, createDataCard, previewDataCard } from "@accord/contracts/insights/cards";
import { applyDataCardSettings, getDashboard } from "@accord/contracts/insights/dashboards";
import type { VariableValues } from "@accord/contracts/insights/variables";
import { beforeAll, expect, test } from "vitest";
import { columnCard, makeCard, makeDashboard, makeDataset, makeDeals } from "../../../../test-kit/fixtures/insights.ts";
import { testApp, type TestApp } from "../../../../test-kit/index.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
}, 60_000);
const editor = () => t.as("SYNC_MANAGER");

const column = (name: string, more = {}) => ({ column: name, name, displayFormat: "text" as const, ...more });
const value = (name: string, more = {}) => ({ column: name, name, displayFormat: "number" as const, ...more });

/** Deals of 24 statuses, each on two days; status s00 has 1 piece a day, s01 has 2, and so on. */
const manySeries = () =>
  Array.from({ length: 48 }, (_, index) => {
    const status = index % 24;
    const day = index < 24 ? "2026-01-01" : "2026-03-01";
    return [`s${String(status).padStart(2, "0")}`, "1.5", status + 1, day];
  });

async function dataOf(rows: readonly unknown[][], card: Partial<CardConfigurationInput>) {
  const datasetId = await makeDataset(t, t, {}, await makeDeals(t, t, rows));
  const { contents } = await editor().call(previewDataCard, {
    body: { datacard: { contents: { configuration: columnCard(datasetId, card) } }, dataset: {} },
  });
  return contents.data;
}

test("series along dates beyond the twenty that are shown are added up, and counted", async () => {
  const data = await dataOf(manySeries(), {
    vizType: "LINE",
    xaxis: column("day", { grain: "month" }),
    yaxis: [value("pieces", { aggregate: "sum" })],
    series: [column("status")],
  });
  expect(data.rows).toHaveLength(40);
  expect(data.rows.filter(({ otherSeries }) => otherSeries === true)).toEqual([
    // 1 + 2 + 3 + 4 + 5
    { x: "2026-03-01", series: null, y0: 15, otherSeries: true },
    { x: "2026-01-01", series: null, y0: 15, otherSeries: true },
  ]);
  expect(data.reduction).toMatchObject({ isLimited: false, otherSeries: 5, omittedSeries: 0 });
});

test("series of averages, which can't be added up, are left out beyond twenty, and counted", async () => {
  for (const vizType of ["LINE", "COLUMN"] as const) {
    const data = await dataOf(manySeries(), {
      vizType,
      xaxis: vizType === "LINE" ? column("day", { grain: "month" }) : column("day"),
      yaxis: [value("pieces", { aggregate: "avg" })],
      series: [column("status")],
    });
    expect(new Set(data.rows.map(({ series }) => series)).size).toBe(20);
    expect(data.rows.map(({ series }) => series)).not.toContain("s03");
    expect(data.reduction).toMatchObject({ otherSeries: 0, omittedSeries: 4 });
  }
});

test("a table of more rows than it shows knows how many there are", async () => {
  const rows = Array.from({ length: 1_005 }, (_, index) => [`s${index}`, "1", index, "2026-01-01"]);
  const data = await dataOf(rows, { vizType: "TABLE", columns: [column("status")] });
  expect(data.rows).toHaveLength(1_000);
  expect(data.reduction).toMatchObject({ isLimited: true, totalRows: 1_005 });
});

test("a metric that shows a value as it is knows of how many rows it is the first", async () => {
  const rows = [1, 2, 3].map((pieces) => ["open", "1", pieces, "2026-01-01"]);
  const first = await dataOf(rows, { vizType: "METRIC", columns: [value("pieces")] });
  expect(first.reduction).toMatchObject({ isLimited: true, totalRows: 3 });
  const sum = await dataOf(rows, { vizType: "METRIC", columns: [value("pieces", { aggregate: "sum" })] });
  expect(sum).toMatchObject({ rows: [{ c0: 6 }], reduction: null });
});

test("an answer that leaves nothing out says so", async () => {
  const data = await dataOf([["open", "1", 1, "2026-01-01"]], {});
  expect(data).toMatchObject({ rows: [{ x: "open", y0: "1" }], reduction: null });
});

test("[INS-109] a donut and a funnel are saved without a place for their legend", async () => {
  const datasetId = await makeDataset(t, t);
  for (const card of [
    { vizType: "PIE", category: column("status"), value: value("amount") },
    { vizType: "FUNNEL", dataField: column("status"), measure: value("amount") },
  ] as const) {
    const body = {
      displayName: "A",
      name: `default${card.vizType}`,
      contents: { configuration: { datasetId, ...card } },
    };
    expect(await editor().send(createDataCard, { body })).toMatchObject({ status: 200 });
    const refused = { ...body, name: `${body.name}Top` };
    const configuration = { datasetId, ...card, legendPosition: "TOP" as const };
    expect(await editor().send(createDataCard, { body: { ...refused, contents: { configuration } } })).toMatchObject({
      status: 400,
      body: { errors: [{ path: "legendPosition" }] },
    });
  }
});

test("[INS-141] settings that a card doesn't have are refused, and those not named keep their values", async () => {
  const variable = (apiName: string) => ({ apiName, displayName: apiName, datatype: "integer" as const });
  const datasetId = await makeDataset(t, t, { variables: [variable("top"), variable("least")], limit: "{{top}}" });
  const dataCardId = await makeCard(t, t, datasetId);
  const dashboardId = await makeDashboard(t, t, [dataCardId]);
  const apply = (configuration: Record<string, number>) =>
    editor().send(applyDataCardSettings, { body: { dashboardId, dataCardId, configuration } });
  const kept = async () =>
    (await editor().call(getDashboard, { params: { id: dashboardId } })).dashboard.dataCards[0]?.variablesMap;
  expect((await apply({ top: 1 })).status).toBe(200);
  expect(await apply({ bogus: 50 })).toMatchObject({
    status: 400,
    body: { errors: [{ path: "configuration.bogus" }] },
  });
  expect(await kept()).toEqual({ top: 1 });
  expect((await apply({ least: 2 })).status).toBe(200);
  expect(await kept()).toEqual({ top: 1, least: 2 });
});

test("[INS-111] a setting without a value is refused at that setting, and nothing of the settings is kept", async () => {
  const variable = (apiName: string) => ({ apiName, displayName: apiName, datatype: "string" as const });
  const datasetId = await makeDataset(t, t, { variables: [variable("region"), variable("team")] });
  const dataCardId = await makeCard(t, t, datasetId);
  const dashboardId = await makeDashboard(t, t, [dataCardId]);
  const apply = (configuration: VariableValues) =>
    editor().send(applyDataCardSettings, { body: { dashboardId, dataCardId, configuration } });
  for (const blank of ["", null, []])
    expect(await apply({ region: "north", team: blank })).toMatchObject({
      status: 400,
      body: { code: "validation_failed", errors: [{ path: "configuration.team" }] },
    });
  const { dashboard } = await editor().call(getDashboard, { params: { id: dashboardId } });
  expect(dashboard.dataCards[0]?.variablesMap ?? {}).toEqual({});
  expect((await apply({ region: "north", team: "a" })).status).toBe(200);
});
