/** Datasets, cards and dashboards through HTTP on real tables. */
import {
  createDataCard,
  dataCardData,
  dataCardDependencies,
  getDataCard,
  listDataCards,
  previewDataCard,
  updateDataCard,
} from "@accord/contracts/insights/cards";
import {
  applyDataCardSettings,
  createDashboard,
  createDashboardDraft,
  dashboardCardData,
  deleteDashboard,
  deleteDashboardDraft,
  getDashboard,
  listDashboards,
  publishDashboard,
  updateDashboard,
  visitDashboard,
} from "@accord/contracts/insights/dashboards";
import {
  createDataset,
  datasetDependencies,
  datasetVariables,
  deleteDataset,
  getDataset,
  listDatasets,
  lookupDatasetFields,
  previewDataset,
  sampleDataSource,
  updateDataset,
} from "@accord/contracts/insights/datasets";
import { beforeAll, expect, test } from "vitest";
import {
  columnCard,
  dealsConfig,
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
const editor = () => t.as("SYNC_MANAGER");
const top = {
  apiName: "top",
  displayName: "Top",
  datatype: "integer",
  updatable: true,
  variableDefaultValue: { datatype: "integer", defaultValue: 2 },
} as const;

test("[INS-065][INS-126] a dataset is created without an id, and changed under it", async () => {
  const config = dealsConfig(await makeDeals(t, t));
  const made = await editor().call(createDataset, {
    body: { displayName: "Deals", name: "roundTrip", description: "d", tags: ["x"], datasetConfig: config },
  });
  expect(made).toMatchObject({ name: "roundTrip", description: "d", tags: ["x"], version: 1 });
  expect(made.datasetConfig.fromDataset).toBe(`${config.sources[0]!.datasetId}::deals`);
  const changed = await editor().call(updateDataset, {
    params: { id: made.id },
    body: { displayName: "New", datasetConfig: config, version: 1 },
  });
  expect(changed).toMatchObject({ id: made.id, displayName: "New", version: 2 });
  const stale = editor().call(updateDataset, {
    params: { id: made.id },
    body: { displayName: "Old", datasetConfig: config, version: 1 },
  });
  await expect(stale).rejects.toMatchObject({ status: 409, body: { code: "stale_version" } });
  const taken = editor().call(createDataset, { body: { displayName: "x", name: "ROUNDTRIP", datasetConfig: config } });
  await expect(taken).rejects.toMatchObject({ body: { code: "name_taken" } });
});

test("[INS-123] datasets are listed with the entities they may stand on; an unknown one is not found", async () => {
  const entityId = await makeDeals(t, t);
  const id = await makeDataset(t, t, {}, entityId);
  const { datasets, entities } = await t.as("VIEWER").call(listDatasets);
  expect(datasets.find((one) => one.id === id)).toMatchObject({ sources: ["Deal"], cards: 0 });
  expect(entities.map((one) => one.id)).toContain(entityId);
  const unknown = t.as("VIEWER").call(getDataset, { params: { id: t.deps.newId<"dataset">() } });
  await expect(unknown).rejects.toMatchObject({ status: 404 });
});

test("[INS-075][INS-125] the fields lookup answers an entity's and a dataset's fields under the alias", async () => {
  const entityId = await makeDeals(t, t);
  const datasetId = await makeDataset(t, t, {}, entityId);
  const entity = await editor().call(lookupDatasetFields, {
    query: { dataSourceId: entityId, dataSourceType: "ENTITY", alias: "d" },
  });
  expect(entity.dataSourceAlias).toBe("d");
  expect(entity.dataSourceFields.find(({ apiName }) => apiName === "amount")).toEqual({
    fieldId: `${entityId}::amount`,
    apiName: "amount",
    displayName: "amount",
    dataType: "decimal",
    datasetId: entityId,
    datasetType: "ENTITY",
    datasourceAlias: "d",
    fieldAlias: "d.amount",
  });
  const dataset = await editor().call(lookupDatasetFields, {
    query: { dataSourceId: datasetId, dataSourceType: "DATASET" },
  });
  expect(dataset.dataSourceFields.map(({ apiName }) => apiName)).toEqual(["status", "amount", "pieces", "day"]);
});

test("[INS-067] a preview gives the rows worked out by hand, and deleted records are left out", async () => {
  const entityId = await makeDeals(t, t);
  const datasetConfig = dealsConfig(entityId, { sort: [{ field: "pieces", ascending: false }], limit: 2 });
  const { rows, sql } = await t.as("VIEWER").call(previewDataset, { body: { datasetConfig } });
  expect(rows).toEqual([
    { status: "lost", amount: null, pieces: 4, day: "2026-03-31" },
    { status: "paid", amount: "5.25", pieces: 3, day: "2026-02-01" },
  ]);
  const table = /"i_\w+"\."r_Deal\w+"/.exec(sql)![0];
  await t.deps.dataPool.query(`UPDATE ${table} SET accord_deleted = true WHERE "status" = 'lost'`);
  const again = await t.as("VIEWER").call(previewDataset, { body: { datasetConfig } });
  expect(again.rows.map((row) => row["pieces"])).toEqual([3, 2]);
});

test("a dataset that can't run is refused with the field and the fix", async () => {
  const datasetConfig = dealsConfig(await makeDeals(t, t), { sort: [{ field: "colour" }] });
  const refused = await editor().send(previewDataset, { body: { datasetConfig } });
  expect(refused).toMatchObject({
    status: 422,
    body: {
      code: "dataset_invalid",
      errors: [{ path: "sort.0", message: "“colour” can't be sorted by: it is not among the selected fields." }],
    },
  });
});

test("[INS-074][INS-124] a variable in the limit changes the preview and is told to whoever asks", async () => {
  const entityId = await makeDeals(t, t);
  const id = await makeDataset(t, t, { variables: [top], limit: "{{top}}" }, entityId);
  const { variables } = await editor().call(datasetVariables, { params: { id } });
  expect(variables).toMatchObject([
    { apiName: "top", datatype: "integer", variableDefaultValue: { defaultValue: 2, defaultValueType: "LITERAL" } },
  ]);
  const { dataset } = await editor().call(getDataset, { params: { id } });
  const rows = async (variablesMap = {}) =>
    (await editor().call(previewDataset, { body: { datasetConfig: dataset.datasetConfig, variablesMap } })).rows.length;
  expect([await rows(), await rows({ top: 3 }), await rows({ top: "1" })]).toEqual([2, 3, 1]);
});

test("[INS-135] a source shows sample records and how many it has", async () => {
  const dataSourceId = await makeDeals(t, t);
  const { count, rows } = await t
    .as("VIEWER")
    .call(sampleDataSource, { query: { dataSourceId, dataSourceType: "ENTITY" } });
  expect(count).toBe(4);
  expect(rows).toHaveLength(4);
});

test("[INS-136] a dataset in use is not deleted, and what uses it is told", async () => {
  const id = await makeDataset(t, t);
  const cardId = await makeCard(t, t, id);
  const { dependencies } = await editor().call(datasetDependencies, { params: { id } });
  expect(dependencies).toEqual([{ kind: "dataCard", id: cardId, displayName: "Amounts" }]);
  const refused = await editor().send(deleteDataset, { params: { id } });
  expect(refused).toMatchObject({ status: 409, body: { code: "in_use", details: { uses: [{ id: cardId }] } } });
});

test("[INS-127] a preview of a card answers the rows of its aggregate", async () => {
  const datasetId = await makeDataset(t, t);
  const contents = { configuration: columnCard(datasetId) };
  const reply = await t.as("VIEWER").call(previewDataCard, { body: { datacard: { contents }, dataset: {} } });
  expect(reply.contents.data.rows).toEqual([
    { x: "paid", y0: "25.25", other: false },
    { x: "open", y0: "10.50", other: false },
    { x: "lost", y0: null, other: false },
  ]);
  const incomplete = { configuration: columnCard(datasetId, { yaxis: [] }) };
  const refused = await editor().send(previewDataCard, { body: { datacard: { contents: incomplete }, dataset: {} } });
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: "yaxis.0", message: "Choose a column." }] } });
});

test("a column chart of many categories keeps the largest and adds up the rest", async () => {
  const rows = Array.from({ length: 60 }, (_, at) => [
    `c${String(at).padStart(2, "0")}`,
    String(at + 1),
    1,
    "2026-01-01",
  ]);
  const datasetId = await makeDataset(t, t, {}, await makeDeals(t, t, rows));
  const { contents } = await editor().call(previewDataCard, {
    body: { datacard: { contents: { configuration: columnCard(datasetId) } }, dataset: {} },
  });
  expect(contents.data.rows).toHaveLength(50);
  expect(contents.data.rows[0]).toMatchObject({ x: "c59", y0: "60" });
  // 1 + 2 + … + 11
  expect(contents.data.rows.at(-1)).toEqual({ x: null, y0: "66", other: true });
  expect(contents.data.reduction).toEqual({
    isLimited: false,
    totalRows: null,
    otherCategories: 11,
    otherSeries: 0,
    omittedSeries: 0,
  });
});

test("[INS-051][INS-052][INS-128] a card is kept as it was saved, with its settable items", async () => {
  const datasetId = await makeDataset(t, t, { variables: [top], limit: "{{top}}" });
  const configuration = columnCard(datasetId, { vizLabel: "Top {{top}}", stacking: "percent", colorTheme: "ocean" });
  const made = await editor().call(createDataCard, {
    body: { displayName: "A", name: "cardRoundTrip", contents: { configuration } },
  });
  expect(await editor().call(getDataCard, { params: { id: made.id } })).toEqual(made);
  expect(made).toMatchObject({
    vizType: "COLUMN",
    contents: { configuration },
    configurationMeta: [{ name: "top", displayName: "Top", datatype: "integer" }],
  });
  const changed = await editor().call(updateDataCard, {
    params: { id: made.id },
    body: { displayName: "B", contents: { configuration }, version: 1 },
  });
  expect(changed).toMatchObject({ id: made.id, displayName: "B" });
  const { dataCards } = await editor().call(listDataCards);
  expect(dataCards.find(({ id }) => id === made.id)).toMatchObject({ datasetId, datasetName: "Deals", dashboards: [] });
});

test("[INS-054][INS-063] a label's tokens are filled in with the values the card runs with", async () => {
  const datasetId = await makeDataset(t, t, { variables: [top], limit: "{{top}}" });
  const id = await makeCard(t, t, datasetId, { vizLabel: "Top {{top}}" });
  const label = async (variablesMap: Record<string, number>) =>
    (await t.as("VIEWER").call(dataCardData, { params: { id }, body: { variablesMap } })).data.label;
  expect([await label({}), await label({ top: 1200 })]).toEqual(["Top 2", "Top 1,200"]);
});

test("a card answers from what is stored now, and says how fresh that is", async () => {
  const entityId = await makeDeals(t, t, [["open", "1", 1, "2026-01-01"]]);
  const id = await makeCard(t, t, await makeDataset(t, t, {}, entityId));
  const ask = (refresh = false) => t.as("VIEWER").call(dataCardData, { params: { id }, body: { refresh } });
  const first = (await ask()).data;
  expect(first.dataAsOf).not.toBeNull();
  // The database tells of writes a moment later: until then a newer answer is right as well.
  let kept = first.asOf;
  await expect
    .poll(async () => {
      const before = kept;
      t.clock.advance(1_000);
      kept = (await ask()).data.asOf;
      return kept === before;
    })
    .toBe(true);
  expect((await ask(true)).data.asOf > kept).toBe(true);
});

test("[INS-048][INS-078][INS-079] a draft equals what is published, and changes it only when it is published", async () => {
  const [one, two] = [await makeCard(t, t), await makeCard(t, t)];
  const id = await makePublished(t, t, [one]);
  const draft = await editor().call(createDashboardDraft, { params: { id }, body: {} });
  const { dashboard: published } = await editor().call(getDashboard, { params: { id } });
  expect(published).toMatchObject({ draftStatus: "APPROVED", draft: draft.id, parentId: null });
  expect(draft).toMatchObject({ draftStatus: "NEW", parentId: id, dataCards: published.dataCards });
  const moved = [...draft.dataCards, { id: two, layout: { i: two, x: 4, y: 0, w: 8, h: 3 } }];
  await editor().call(updateDashboard, {
    params: { id: draft.id as typeof id },
    body: { displayName: "Sales", dataCards: moved, version: draft.version },
  });
  const cards = async () =>
    (await t.as("VIEWER").call(getDashboard, { params: { id } })).dashboard.dataCards.map((card) => card.id);
  expect(await cards()).toEqual([one]);
  const result = await editor().call(publishDashboard, { params: { id }, body: {} });
  expect(result).toMatchObject({ id, draftStatus: "APPROVED", draft: null });
  expect(await cards()).toEqual([one, two]);
});

test("a second draft is never made: the one there is is answered", async () => {
  const id = await makePublished(t, t);
  const [first, second] = await Promise.all(
    [1, 2].map(() => editor().call(createDashboardDraft, { params: { id }, body: {} })),
  );
  expect(second!.id).toBe(first!.id);
});

test("[INS-079] a published dashboard's cards can't be changed behind its draft", async () => {
  const id = await makePublished(t, t);
  const refused = editor().call(updateDashboard, {
    params: { id },
    body: { displayName: "Sales", dataCards: [], version: 2 },
  });
  await expect(refused).rejects.toMatchObject({ status: 409, body: { code: "invalid_state" } });
});

test("[INS-081][INS-082][INS-083] deleting tells where to go: the studio, the published dashboard, or the draft", async () => {
  const never = await makeDashboard(t, t);
  expect(await editor().call(deleteDashboardDraft, { params: { id: never } })).toEqual({ parentId: null, reverted: 0 });
  const id = await makePublished(t, t);
  await editor().call(createDashboardDraft, { params: { id }, body: {} });
  expect(await editor().call(deleteDashboardDraft, { params: { id } })).toEqual({ parentId: id, reverted: 0 });
  const draft = await editor().call(createDashboardDraft, { params: { id }, body: {} });
  expect(await editor().call(deleteDashboard, { params: { id } })).toEqual({ draft: draft.id });
  const { dashboard } = await editor().call(getDashboard, { params: { id: draft.id as typeof id } });
  expect(dashboard).toMatchObject({ parentId: null, draftStatus: "NEW" });
  expect(await editor().call(deleteDashboard, { params: { id: await makePublished(t, t) } })).toEqual({ draft: null });
});

test("[INS-089][INS-131] a card already on the dashboard is refused", async () => {
  const card = await makeCard(t, t);
  const id = await makeDashboard(t, t, [card]);
  const place = (x: number) => ({ id: card, layout: { i: card, x, y: 0, w: 4, h: 2 } });
  const twice = { displayName: "Sales", dataCards: [place(0), place(4)], version: 1 };
  await expect(editor().call(updateDashboard, { params: { id }, body: twice })).rejects.toMatchObject({
    body: { code: "data_card_on_dashboard" },
  });
  const once = await editor().call(updateDashboard, { params: { id }, body: { ...twice, dataCards: [place(0)] } });
  expect(once.dataCards).toHaveLength(1);
});

test("[INS-049] a dashboard's name stays what it was", async () => {
  const id = await makeDashboard(t, t);
  const refused = await editor().send(updateDashboard, {
    params: { id },
    body: { displayName: "x", name: "other", dataCards: [], version: 1 },
  });
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: "name" }] } });
});

test("[INS-090] a dashboard needs a display name, and a name without spaces and special characters", async () => {
  for (const name of ["", "a b", "a!"]) {
    const refused = await editor().send(createDashboard, { body: { displayName: "Sales", name } });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: "name" }] } });
  }
  expect(await editor().send(createDashboard, { body: { displayName: " ", name: "fine" } })).toMatchObject({
    status: 400,
    body: { errors: [{ path: "displayName" }] },
  });
});

test("[INS-040][INS-129] a card's settings hold on this dashboard alone", async () => {
  const datasetId = await makeDataset(t, t, { variables: [top], limit: "{{top}}" });
  const card = await makeCard(t, t, datasetId, {
    vizType: "TABLE",
    columns: [{ column: "status", name: "status", displayFormat: "text" }],
  });
  const [here, there] = [await makeDashboard(t, t, [card]), await makeDashboard(t, t, [card])];
  await editor().call(applyDataCardSettings, {
    body: { dashboardId: here, dataCardId: card, configuration: { top: 1 } },
  });
  const rows = async (dashboardId: typeof here) =>
    (await editor().call(dashboardCardData, { params: { id: dashboardId, cardId: card }, body: {} })).data.rows.length;
  expect([await rows(here), await rows(there)]).toEqual([1, 2]);
  const empty = await editor().send(applyDataCardSettings, {
    body: { dashboardId: here, dataCardId: card, configuration: { top: "" } },
  });
  expect(empty).toMatchObject({ status: 400, body: { errors: [{ path: "configuration.top" }] } });
});

test("[INS-136] the last visited dashboard is remembered, for each person", async () => {
  const [a, b] = [await makePublished(t, t), await makePublished(t, t)];
  const visitor = t.as(["READ_DASHBOARD"]);
  await visitor.call(visitDashboard, { params: { id: a }, body: {} });
  await visitor.call(visitDashboard, { params: { id: b }, body: {} });
  expect((await visitor.call(listDashboards)).lastVisited).toBe(b);
  expect((await t.as("DASHBOARD_LIGHT_VIEWER").call(listDashboards)).lastVisited).toBeNull();
});

test("[INS-138] without a category all dashboards are listed, each with its draft as one", async () => {
  const id = await makePublished(t, t);
  await editor().call(createDashboardDraft, { params: { id }, body: {} });
  const plain = await editor().call(listDashboards);
  expect(await editor().call(listDashboards, { query: { category: "all" } })).toEqual(plain);
  expect(plain.dashboards.filter((one) => one.displayName === "Sales" && one.id === id)).toHaveLength(1);
});

test("[INS-112][INS-113][INS-114][INS-115] without the permission the call is refused", async () => {
  const id = await makeDashboard(t, t);
  const viewer = t.as("VIEWER");
  for (const refused of [
    viewer.send(createDashboard, { body: { displayName: "x", name: "x" } }),
    viewer.send(updateDashboard, { params: { id }, body: { displayName: "x", dataCards: [], version: 1 } }),
    viewer.send(publishDashboard, { params: { id }, body: {} }),
    viewer.send(deleteDashboardDraft, { params: { id } }),
  ])
    expect((await refused).status).toBe(403);
});

test("the drafts that show a card, and the published dashboards with a copy of it, are named", async () => {
  const card = await makeCard(t, t);
  const [draft, published] = [await makeDashboard(t, t, [card]), await makePublished(t, t, [card])];
  expect(await editor().call(dataCardDependencies, { params: { id: card } })).toEqual({
    dependencies: [{ kind: "dashboard", id: draft, displayName: "Sales" }],
    publishedOn: [{ id: published, displayName: "Sales", shares: 0 }],
    alerts: 0,
  });
});
