/** A draft says what publishing changes, and deleting it brings back what is published. */
import type { Id } from "@accord/contracts";
import {
  type CardConfigurationInput,
  createDataCard,
  getDataCard,
  updateDataCard,
} from "@accord/contracts/insights/cards";
import {
  createDashboardDraft,
  dashboardCardData,
  deleteDashboardDraft,
  getDashboard,
  publishDashboard,
  updateDashboard,
} from "@accord/contracts/insights/dashboards";
import type { DatasetConfigInput } from "@accord/contracts/insights/dataset-config";
import { getDataset } from "@accord/contracts/insights/datasets";
import { beforeAll, expect, test } from "vitest";
import {
  changeCard,
  changeDataset,
  columnCard,
  dealsConfig,
  makeCard,
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
type DashboardId = Id<"dashboard">;
type CardId = Id<"dataCard">;

const open = (id: string) => editor().call(getDashboard, { params: { id: id as DashboardId } });
const draftOf = (id: DashboardId) => editor().call(createDashboardDraft, { params: { id }, body: {} });
const publish = (id: string) => editor().call(publishDashboard, { params: { id: id as DashboardId }, body: {} });
const deleteDraft = (id: DashboardId, keepDefinitions?: "true") =>
  editor().call(deleteDashboardDraft, { params: { id }, query: keepDefinitions ? { keepDefinitions } : {} });
const card = (id: CardId) => editor().call(getDataCard, { params: { id } });
const dataset = async (id: Id<"dataset">) => (await editor().call(getDataset, { params: { id } })).dataset;
const rows = async (id: DashboardId, cardId: CardId) =>
  (await t.as("VIEWER").call(dashboardCardData, { params: { id, cardId }, body: {} })).data.rows;

const editCard = (id: CardId, datasetId: string, more: Partial<CardConfigurationInput> = { vizType: "BAR" }) =>
  changeCard(t, id, columnCard(datasetId, more), () => "Sums");
const editDataset = (id: Id<"dataset">, entityId: string, more: DatasetConfigInput = { limit: 1 }) =>
  changeDataset(t, id, "Few deals", dealsConfig(entityId, more));

async function shown() {
  const entityId = await makeDeals(t, t);
  const datasetId = await makeDataset(t, t, {}, entityId);
  const cardId = await makeCard(t, t, datasetId);
  return { entityId, datasetId, cardId, id: await makePublished(t, t, [cardId]) };
}

test("deleting a draft brings back the cards and datasets as they were published", async () => {
  const { entityId, datasetId, cardId, id } = await shown();
  const before = [await card(cardId), await dataset(datasetId), await rows(id, cardId)] as const;
  const draft = await draftOf(id);
  await editCard(cardId, datasetId);
  await editDataset(datasetId, entityId);
  expect((await open(draft.id)).reverts).toEqual([
    { kind: "dataCard", id: cardId, displayName: "Amounts", neededBy: [] },
    { kind: "dataset", id: datasetId, displayName: "Deals", neededBy: [] },
  ]);
  expect(await deleteDraft(id)).toEqual({ parentId: id, reverted: 2 });
  expect(await card(cardId)).toMatchObject({ displayName: "Amounts", contents: before[0].contents });
  expect(await dataset(datasetId)).toMatchObject({ displayName: "Deals", datasetConfig: before[1].datasetConfig });
  expect(await rows(id, cardId)).toEqual(before[2]);
  expect((await open(id)).unpublishedChanges).toEqual([]);
});

test("changes of cards and datasets are kept when whoever deletes the draft asks for it", async () => {
  const { datasetId, cardId, id } = await shown();
  await draftOf(id);
  await editCard(cardId, datasetId);
  expect(await deleteDraft(id, "true")).toEqual({ parentId: id, reverted: 0 });
  expect(await card(cardId)).toMatchObject({ displayName: "Sums" });
});

test("what another dashboard's draft or later publication shows stays, and is named beforehand", async () => {
  const { entityId, datasetId, cardId, id } = await shown();
  const other = await makePublished(t, t, [cardId]);
  const draft = await draftOf(id);
  await editCard(cardId, datasetId);
  await editDataset(datasetId, entityId);
  await draftOf(other);
  expect((await open(draft.id)).reverts).toMatchObject([{ neededBy: ["Sales"] }, { neededBy: ["Sales"] }]);
  await publish(other);
  expect((await open(draft.id)).reverts).toMatchObject([{ neededBy: ["Sales"] }, { neededBy: ["Sales"] }]);
  expect(await deleteDraft(id)).toEqual({ parentId: id, reverted: 0 });
  expect(await card(cardId)).toMatchObject({ displayName: "Sums" });
  expect((await open(id)).cards).toMatchObject([{ displayName: "Amounts", configuration: { vizType: "COLUMN" } }]);
  expect((await open(other)).cards).toMatchObject([{ displayName: "Sums", configuration: { vizType: "BAR" } }]);
});

test("a dashboard that shows the same card as published keeps it when another one's draft is deleted", async () => {
  const { datasetId, cardId, id } = await shown();
  const other = await makePublished(t, t, [cardId]);
  await draftOf(id);
  await editCard(cardId, datasetId);
  expect((await open(other)).unpublishedChanges).toMatchObject([{ id: cardId, parts: [{}, { part: "vizType" }] }]);
  expect(await deleteDraft(id)).toMatchObject({ reverted: 1 });
  for (const one of [id, other]) {
    expect((await open(one)).cards).toMatchObject([{ displayName: "Amounts" }]);
    expect((await open(one)).unpublishedChanges).toEqual([]);
  }
});

test("a draft says what publishing changes: words, cards, places, settings and datasets", async () => {
  const { entityId, datasetId, cardId, id } = await shown();
  const added = await makeCard(t, t, datasetId);
  const draft = await draftOf(id);
  expect((await open(draft.id)).unpublishedChanges).toEqual([]);
  const at = (one: CardId, x: number) => ({ id: one, layout: { i: one, x, y: 0, w: 4, h: 2 } });
  await editor().call(updateDashboard, {
    params: { id: draft.id as DashboardId },
    body: {
      ...{ displayName: "Turnover", description: "", tags: [], variables: [] },
      dataCards: [{ ...at(cardId, 4), variablesMap: { top: "3" } }, at(added, 0)],
      version: draft.version,
    },
  });
  await editDataset(datasetId, entityId);
  expect((await open(draft.id)).unpublishedChanges).toMatchObject([
    { kind: "dashboard", change: "updated", parts: [{ part: "displayName", before: "Sales", after: "Turnover" }] },
    { kind: "dataCard", id: cardId, change: "updated", parts: [{ part: "position" }, { part: "settings" }] },
    { kind: "dataCard", id: added, change: "added" },
    { kind: "dataset", id: datasetId, parts: [{ part: "displayName" }, { part: "limit", before: "", after: "1" }] },
  ]);
  await publish(id);
  expect((await open(id)).unpublishedChanges).toEqual([]);
});

test("a change that was taken back is no change", async () => {
  const { datasetId, cardId, id } = await shown();
  const { contents } = await card(cardId);
  await editCard(cardId, datasetId);
  const { version } = await card(cardId);
  await editor().call(updateDataCard, { params: { id: cardId }, body: { displayName: "Amounts", contents, version } });
  expect((await open(id)).unpublishedChanges).toEqual([]);
});

test("whoever may not change cards and datasets changes none by deleting a draft", async () => {
  const { datasetId, cardId, id } = await shown();
  const draft = await draftOf(id);
  await editCard(cardId, datasetId);
  const remover = t.as(["READ_DASHBOARD", "READ_INSIGHTS", "DELETE_DASHBOARD"]);
  const { reverts } = await remover.call(getDashboard, { params: { id: draft.id as DashboardId } });
  expect(reverts).toEqual([]);
  expect(await remover.call(deleteDashboardDraft, { params: { id } })).toMatchObject({ reverted: 0 });
  expect(await card(cardId)).toMatchObject({ displayName: "Sums" });
});

test("a new card of a deleted draft stays with the other cards", async () => {
  const { datasetId, id } = await shown();
  await draftOf(id);
  const body = { displayName: "New", name: `new${t.deps.newId()}`, contents: { configuration: columnCard(datasetId) } };
  const { id: made } = await editor().call(createDataCard, { body });
  await deleteDraft(id);
  expect(await card(made)).toMatchObject({ displayName: "New" });
});
