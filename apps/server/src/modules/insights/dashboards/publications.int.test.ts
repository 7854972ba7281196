/** Published means a copy: what changes in cards and datasets shows on a published dashboard once it is published again. */
import type { Id } from "@accord/contracts";
import { deleteDataCard } from "@accord/contracts/insights/cards";
import type { CardConfigurationInput } from "@accord/contracts/insights/cards";
import {
  createDashboardDraft,
  dashboardCardData,
  deleteDashboard,
  getDashboard,
  listDashboards,
  publishDashboard,
  updateDashboard,
} from "@accord/contracts/insights/dashboards";
import type { DatasetConfigInput } from "@accord/contracts/insights/dataset-config";
import { datasetDependencies, deleteDataset } from "@accord/contracts/insights/datasets";
import {
  encodeEmail,
  getSharedCardData,
  getSharedDashboard,
  openSharedDashboard,
} from "@accord/contracts/insights/sharing";
import { deleteEntity } from "@accord/contracts/data/core-schema";
import { beforeAll, expect, test } from "vitest";
import { makeCaller } from "../../../../test-kit/caller.ts";
import {
  changeCard,
  changeDataset,
  columnCard,
  dealsConfig,
  makeCard,
  makeDataset,
  makeDeals,
  makePublished,
  makeShare,
} from "../../../../test-kit/fixtures/insights.ts";
import { testApp, type Caller, type TestApp } from "../../../../test-kit/index.ts";
import { shareCookieName } from "../../../platform/http/request/session-cookie.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
}, 60_000);
const editor = () => t.as("SYNC_MANAGER");
type DashboardId = Id<"dashboard">;
type CardId = Id<"dataCard">;

const published = async (id: DashboardId, who: Caller = t.as("VIEWER")) => who.call(getDashboard, { params: { id } });
const rows = async (id: DashboardId, cardId: CardId, who: Caller = t.as("DASHBOARD_LIGHT_VIEWER")) =>
  (await who.call(dashboardCardData, { params: { id, cardId }, body: {} })).data.rows;
const publish = (id: string) => editor().call(publishDashboard, { params: { id: id as DashboardId }, body: {} });

const editCard = (id: CardId, datasetId: string, more: Partial<CardConfigurationInput>) =>
  changeCard(t, id, columnCard(datasetId, more), (before) => `${before} now`);
const editDataset = (id: Id<"dataset">, entityId: string, more: DatasetConfigInput) =>
  changeDataset(t, id, "Deals now", dealsConfig(entityId, more));

/** A card on a dataset, published, and a guest who has the dashboard open. */
async function shown() {
  const entityId = await makeDeals(t, t);
  const datasetId = await makeDataset(t, t, {}, entityId);
  const cardId = await makeCard(t, t, datasetId);
  const id = await makePublished(t, t, [cardId]);
  const { share, password } = await makeShare(t, t, id);
  const body = { email: encodeEmail(share.email), dashboardId: id, secret: password ?? "" };
  const cookie =
    (await t.anonymous.send(openSharedDashboard, { body })).cookies.get(shareCookieName(t.deps.config.baseUrl)) ?? "";
  const guest = makeCaller({
    http: t.app.http,
    cookies: { [shareCookieName(t.deps.config.baseUrl)]: cookie },
    token: t.forgery.token(null),
  });
  const guestRows = async () =>
    (await guest.call(getSharedCardData, { params: { dashboardId: id, cardId }, body: {} })).data.rows;
  return { entityId, datasetId, cardId, id, guest, guestRows };
}

const BEFORE = [
  { x: "paid", y0: "25.25", other: false },
  { x: "open", y0: "10.50", other: false },
  { x: "lost", y0: null, other: false },
];

test("a changed card shows nowhere on a published dashboard, to nobody, until it is published again", async () => {
  const { cardId, datasetId, id, guest, guestRows } = await shown();
  await editCard(cardId, datasetId, {
    vizType: "BAR",
    yaxis: [{ column: "pieces", name: "pieces", displayFormat: "number" }],
  });
  for (const who of ["DASHBOARD_LIGHT_VIEWER", "VIEWER", "SYNC_MANAGER"] as const) {
    const { cards } = await published(id, t.as(who));
    expect(cards).toMatchObject([{ displayName: "Amounts", configuration: { vizType: "COLUMN" } }]);
    expect(await rows(id, cardId, t.as(who))).toEqual(BEFORE);
  }
  const open = await guest.call(getSharedDashboard, { params: { dashboardId: id } });
  expect(open.cards).toMatchObject([{ displayName: "Amounts", configuration: { vizType: "COLUMN" } }]);
  expect(await guestRows()).toEqual(BEFORE);
  const { dashboards } = await t.as("VIEWER").call(listDashboards);
  expect(dashboards.find((one) => one.id === id)?.layout).toMatchObject([{ vizType: "COLUMN" }]);

  const draft = await editor().call(createDashboardDraft, { params: { id }, body: {} });
  const { cards } = await published(draft.id as DashboardId);
  expect(cards).toMatchObject([{ displayName: "Amounts now", configuration: { vizType: "BAR" } }]);
  await publish(id);
  expect((await published(id)).cards).toMatchObject([
    { displayName: "Amounts now", configuration: { vizType: "BAR" } },
  ]);
  expect(await guestRows()).not.toEqual(BEFORE);
});

test("a dataset pointed at other records opens them to nobody who only sees the published dashboard", async () => {
  const { cardId, datasetId, id, guestRows } = await shown();
  const secret = await makeDeals(t, t, [["top secret", "999", 1, "2026-01-01"]]);
  await editDataset(datasetId, secret, {});
  expect(await guestRows()).toEqual(BEFORE);
  expect(await rows(id, cardId)).toEqual(BEFORE);
  await publish(id);
  expect(await guestRows()).toMatchObject([{ x: "top secret", y0: "999" }]);
});

test("the datasets below a dataset, its variables and its limit are part of the copy", async () => {
  const entityId = await makeDeals(t, t);
  const limit = (value: number) => ({
    limit: "{{top}}",
    variables: [
      {
        apiName: "top",
        displayName: "Top",
        datatype: "integer" as const,
        updatable: true,
        variableDefaultValue: { datatype: "integer" as const, defaultValue: value },
      },
    ],
  });
  const below = await makeDataset(t, t, limit(3), entityId);
  const above = await makeDataset(t, t, {
    sources: [{ datasetId: below, datasetType: "DATASET", datasourceAlias: "deals" }],
  });
  const cardId = await makeCard(t, t, above, {
    vizType: "TABLE",
    columns: [{ column: "pieces", name: "pieces", displayFormat: "number" }],
  });
  const id = await makePublished(t, t, [cardId]);
  expect(await rows(id, cardId)).toHaveLength(3);
  await editDataset(below, entityId, limit(1));
  expect(await rows(id, cardId)).toHaveLength(3);
  expect((await published(id)).cards[0]?.variables).toMatchObject([{ variableDefaultValue: { defaultValue: 3 } }]);
  expect((await published(id)).unpublishedChanges).toMatchObject([{ kind: "dataset", id: below, change: "updated" }]);
  await publish(id);
  expect(await rows(id, cardId)).toHaveLength(1);
});

test("editors read what publishing again would change, and who shows a copy of what they edit", async () => {
  const { cardId, datasetId, entityId, id } = await shown();
  expect((await published(id)).unpublishedChanges).toEqual([]);
  await editCard(cardId, datasetId, { vizType: "BAR" });
  await editDataset(datasetId, entityId, { limit: 2 });
  expect((await published(id)).unpublishedChanges).toMatchObject([
    { kind: "dataCard", id: cardId, displayName: "Amounts now", change: "updated" },
    { kind: "dataset", id: datasetId, displayName: "Deals now", change: "updated" },
  ]);
  expect((await published(id, t.as("DASHBOARD_LIGHT_VIEWER"))).unpublishedChanges).toEqual([]);
  const uses = await editor().call(datasetDependencies, { params: { id: datasetId } });
  expect(uses.publishedOn).toEqual([{ id, displayName: "Sales", shares: 1 }]);
  await publish(id);
  expect((await published(id)).unpublishedChanges).toEqual([]);
  expect(await editor().send(publishDashboard, { params: { id }, body: {} })).toMatchObject({
    body: { code: "dashboard_has_no_draft" },
  });
});

test("deleting a card that only published dashboards show asks with their names, and leaves them as they are", async () => {
  const { cardId, datasetId, id, guestRows } = await shown();
  const refused = await editor().send(deleteDataCard, { params: { id: cardId } });
  expect(refused).toMatchObject({
    status: 409,
    body: { code: "in_published_dashboards", details: { uses: [{ id, displayName: "Sales", shares: 1 }] } },
  });
  await editor().call(deleteDataCard, { params: { id: cardId }, query: { confirmed: "true" } });
  expect(await editor().send(deleteDataset, { params: { id: datasetId } })).toMatchObject({
    body: { code: "in_published_dashboards", details: { uses: [{ id }] } },
  });
  await editor().call(deleteDataset, { params: { id: datasetId }, query: { confirmed: "true" } });
  expect(await guestRows()).toEqual(BEFORE);
  expect(await rows(id, cardId)).toEqual(BEFORE);
  expect((await published(id)).unpublishedChanges).toMatchObject([{ id: cardId, change: "deleted" }]);

  // Its words still change; its draft, and publishing again, are without the card.
  const { dashboard } = await published(id);
  const { displayName, description, tags, dataCards, variables, version } = dashboard;
  const words = { displayName: `${displayName} 2`, description, tags, dataCards, variables, version };
  await editor().call(updateDashboard, { params: { id }, body: words });
  const draft = await editor().call(createDashboardDraft, { params: { id }, body: {} });
  expect(draft.dataCards).toEqual([]);
  expect(await rows(id, cardId)).toEqual(BEFORE);
  await publish(id);
  expect((await published(id)).cards).toEqual([]);
});

test("a card on a draft is not deleted, confirmed or not", async () => {
  const { cardId, id } = await shown();
  await editor().call(createDashboardDraft, { params: { id }, body: {} });
  for (const confirmed of ["false", "true"])
    expect(await editor().send(deleteDataCard, { params: { id: cardId }, query: { confirmed } })).toMatchObject({
      status: 409,
      body: { code: "in_use" },
    });
});

test("an entity that a copy reads is not deleted, although no dataset reads it any more", async () => {
  const { datasetId, entityId } = await shown();
  await editDataset(datasetId, await makeDeals(t, t), {});
  const refused = await t.as("SUPER_ADMIN").send(deleteEntity, { params: { entityId } });
  expect(refused).toMatchObject({ status: 409, body: { code: "in_use", details: { uses: [{ kind: "dashboard" }] } } });
});

test("a published dashboard takes its copy with it when it is deleted", async () => {
  const { id, cardId } = await shown();
  await editor().call(deleteDashboard, { params: { id } });
  const { rowCount } = await t.deps.appPool.query("SELECT 1 FROM dashboard_publication WHERE dashboard_id = $1", [id]);
  expect(rowCount).toBe(0);
  await editor().call(deleteDataCard, { params: { id: cardId } });
});

test("a guest's answer carries what drawing takes, and no dataset, setting or field of the card's making", async () => {
  const { datasetId, id, guest } = await shown();
  const open = await guest.call(getSharedDashboard, { params: { dashboardId: id } });
  const text = JSON.stringify(open);
  for (const secret of [datasetId, "datasetId", "variablesMap", "formatVersion"]) expect(text).not.toContain(secret);
  expect(Object.keys(open.cards[0]?.layout ?? {}).toSorted()).toEqual(["h", "w", "x", "y"]);
});
