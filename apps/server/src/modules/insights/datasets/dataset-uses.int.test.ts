/** Lists of datasets and cards say who made each, which dashboards use it, and how fresh its data is. */
import type { Id } from "@accord/contracts";
import { listDataCards } from "@accord/contracts/insights/cards";
import { createDashboardDraft, updateDashboard } from "@accord/contracts/insights/dashboards";
import { listDatasetUses } from "@accord/contracts/insights/dataset-uses";
import { getDataset, listDatasets, updateDataset } from "@accord/contracts/insights/datasets";
import { beforeAll, expect, test } from "vitest";
import {
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
const usesOf = async (id: string) =>
  (await editor().call(listDatasetUses)).datasets.find((one) => one.id === id) ?? null;
const cardInList = async (id: string) =>
  (await editor().call(listDataCards)).dataCards.find((one) => one.id === id) ?? null;

test("a dashboard with a draft counts once, and its published copy counts after the draft left it out", async () => {
  const below = await makeDataset(t, t);
  const source = { datasetId: below, datasetType: "DATASET" as const, datasourceAlias: "deals" };
  const above = await makeDataset(t, t, { sources: [source] });
  const cardId = await makeCard(t, t, above);
  expect(await usesOf(below)).toMatchObject({ dashboards: [] });
  const id = await makePublished(t, t, [cardId]);
  const draft = await editor().call(createDashboardDraft, { params: { id }, body: {} });
  for (const one of [below, above]) expect(await usesOf(one)).toMatchObject({ dashboards: ["Sales"] });
  expect(await cardInList(cardId)).toMatchObject({ dashboards: ["Sales"] });
  const body = { displayName: "Sales", dataCards: [], version: draft.version };
  await editor().call(updateDashboard, { params: { id: draft.id as Id<"dashboard"> }, body });
  expect(await usesOf(below)).toMatchObject({ dashboards: ["Sales"] });
  await makeDashboard(t, t, [cardId]);
  expect(await usesOf(below)).toMatchObject({ dashboards: ["Sales", "Sales"] });
});

test("a dataset says when its records last changed, through the datasets below; without records it says nothing", async () => {
  const entityId = await makeDeals(t, t);
  const below = await makeDataset(t, t, {}, entityId);
  const source = { datasetId: below, datasetType: "DATASET" as const, datasourceAlias: "deals" };
  const above = await makeDataset(t, t, { sources: [source] });
  const { dataAsOf } = (await usesOf(below)) ?? {};
  expect(dataAsOf).toEqual(expect.any(String));
  expect(await usesOf(above)).toMatchObject({ dataAsOf });
  const empty = await makeDataset(t, t, {}, await makeDeals(t, t, []));
  expect(await usesOf(empty)).toMatchObject({ dataAsOf: null });
});

test("who made a dataset stays when somebody else changes it", async () => {
  const id = await makeDataset(t, t);
  await t.deps.appPool.query("UPDATE dataset SET created_by = 'Ada', updated_by = 'Ada' WHERE id = $1", [id]);
  const { dataset } = await editor().call(getDataset, { params: { id } });
  const body = { displayName: "Deals", datasetConfig: dataset.datasetConfig, version: dataset.version };
  await editor().call(updateDataset, { params: { id }, body });
  const after = (await editor().call(listDatasets)).datasets.find((one) => one.id === id);
  expect(after).toMatchObject({ createdBy: "Ada", updatedBy: "Test Person" });
  expect(await cardInList(await makeCard(t, t, id))).toMatchObject({ createdBy: "Test Person" });
});
