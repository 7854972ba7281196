/** What the Dashboard Light Viewer sees: published dashboards with their cards' data, and nothing that they are made of. */
import { ENDPOINTS } from "@accord/contracts/endpoints";
import { dataCardData, getDataCard, listDataCards, previewDataCard } from "@accord/contracts/insights/cards";
import {
  createDashboardDraft,
  dashboardCardData,
  getDashboard,
  listDashboards,
  visitDashboard,
} from "@accord/contracts/insights/dashboards";
import { getDataset, listDatasets, lookupDatasetFields } from "@accord/contracts/insights/datasets";
import type { Id } from "@accord/contracts";
import { beforeAll, expect, test } from "vitest";
import {
  columnCard,
  makeCard,
  makeDashboard,
  makeDataset,
  makeDeals,
  makePublished,
} from "../../../../test-kit/fixtures/insights.ts";
import { testApp, type TestApp } from "../../../../test-kit/index.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
}, 60_000);
const light = () => t.as("DASHBOARD_LIGHT_VIEWER");
const editor = () => t.as("SYNC_MANAGER");

test("[PLT-093] the light viewer's list holds published dashboards only, in every category, without their drafts", async () => {
  const draft = await makeDashboard(t, t);
  const published = await makePublished(t, t);
  await editor().call(createDashboardDraft, { params: { id: published }, body: {} });
  for (const category of ["all", "published", "draft", "shared", "example"] as const) {
    const { dashboards } = await light().call(listDashboards, { query: { category } });
    expect(dashboards.map(({ id }) => id)).not.toContain(draft);
    for (const one of dashboards) expect(one).toMatchObject({ draftStatus: "APPROVED", draft: null });
  }
  const { dashboards } = await light().call(listDashboards);
  expect(dashboards.map(({ id }) => id)).toContain(published);
  expect((await t.as("VIEWER").call(listDashboards)).dashboards.map(({ id }) => id)).toContain(draft);
});

test("[PLT-093] a draft does not exist for the light viewer: not to open, not to visit, not its cards' data", async () => {
  const card = await makeCard(t, t);
  const never = await makeDashboard(t, t, [card]);
  const published = await makePublished(t, t, [card]);
  const draft = await editor().call(createDashboardDraft, { params: { id: published }, body: {} });
  for (const id of [never, draft.id as Id<"dashboard">]) {
    for (const refused of [
      await light().send(getDashboard, { params: { id } }),
      await light().send(visitDashboard, { params: { id }, body: {} }),
      await light().send(dashboardCardData, { params: { id, cardId: card }, body: {} }),
    ])
      expect(refused).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect((await t.as("VIEWER").send(getDashboard, { params: { id } })).status).toBe(200);
  }
});

test("[PLT-093] of a published dashboard the light viewer gets what drawing it takes, and no way to what is behind it", async () => {
  const datasetId = await makeDataset(t, t);
  const card = await makeCard(t, t, datasetId, { variablesMap: { region: "north" } });
  const elsewhere = await makeCard(t, t, datasetId);
  const id = await makePublished(t, t, [card]);
  const opened = await light().call(getDashboard, { params: { id } });
  expect(opened.cards).toMatchObject([{ id: card, displayName: "Amounts", configuration: { vizType: "COLUMN" } }]);
  expect(JSON.stringify(opened)).not.toContain(datasetId);
  expect(JSON.stringify(opened)).not.toContain("north");
  const { data } = await light().call(dashboardCardData, { params: { id, cardId: card }, body: {} });
  expect(data.rows[0]).toMatchObject({ x: "paid", y0: "25.25" });
  const other = await light().send(dashboardCardData, { params: { id, cardId: elsewhere }, body: {} });
  expect(other.status).toBe(404);
});

test("[PLT-093] the light viewer changes updatable variables and no others, as guests do", async () => {
  const variable = (apiName: string, updatable: boolean, defaultValue: number) => ({
    apiName,
    displayName: apiName,
    datatype: "integer" as const,
    updatable,
    variableDefaultValue: { datatype: "integer" as const, defaultValue },
  });
  const condition = {
    type: "condition" as const,
    left: { kind: "field" as const, field: "pieces" },
    operator: "greaterOrEqual" as const,
    right: [{ kind: "variable" as const, apiName: "least" }],
  };
  const variables = [variable("top", true, 2), variable("least", false, 2)];
  const datasetId = await makeDataset(t, t, { variables, limit: "{{top}}", filter: condition }, await makeDeals(t, t));
  const card = await makeCard(t, t, datasetId, {
    vizType: "TABLE",
    columns: [{ column: "pieces", name: "pieces", displayFormat: "number" }],
  });
  const id = await makePublished(t, t, [card]);
  const rows = async (who: "DASHBOARD_LIGHT_VIEWER" | "VIEWER", variablesMap: Record<string, number>) =>
    (await t.as(who).call(dashboardCardData, { params: { id, cardId: card }, body: { variablesMap } })).data.rows
      .length;
  expect(await rows("DASHBOARD_LIGHT_VIEWER", {})).toBe(2);
  expect(await rows("DASHBOARD_LIGHT_VIEWER", { top: 4, least: 1 })).toBe(3);
  expect(await rows("VIEWER", { top: 4, least: 1 })).toBe(4);
  const { cards } = await light().call(getDashboard, { params: { id } });
  expect(cards[0]?.variables.map(({ apiName }) => apiName)).toEqual(["top"]);
});

test("[PLT-093] cards, datasets and the fields behind them are refused to the light viewer", async () => {
  const entityId = await makeDeals(t, t);
  const datasetId = await makeDataset(t, t, {}, entityId);
  const card = await makeCard(t, t, datasetId);
  await makePublished(t, t, [card]);
  const contents = { configuration: columnCard(datasetId) };
  const fields = { dataSourceId: entityId, dataSourceType: "ENTITY" };
  for (const answer of [
    await light().send(listDataCards),
    await light().send(getDataCard, { params: { id: card } }),
    await light().send(dataCardData, { params: { id: card }, body: {} }),
    await light().send(previewDataCard, { body: { datacard: { contents }, dataset: {} } }),
    await light().send(listDatasets),
    await light().send(getDataset, { params: { id: datasetId } }),
    await light().send(lookupDatasetFields, { query: fields }),
  ])
    expect(answer).toMatchObject({ status: 403, body: { code: "forbidden" } });
});

test("[PLT-093] everything of insights but dashboards demands a permission that the light viewer lacks", () => {
  const open = ENDPOINTS.filter(
    ({ path, access }) => /^\/(data(sets|cards)|dashboards)\b/.test(path) && access === "READ_DASHBOARD",
  );
  expect(open.map(({ name }) => name).toSorted()).toEqual([
    "dashboardCardData",
    "getDashboard",
    "listDashboards",
    "visitDashboard",
  ]);
});
