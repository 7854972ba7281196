/** A dashboard from its first call to its last, and what the axes of a card on it may hold. */
import { type CardConfigurationInput, dataCardData } from "@accord/contracts/insights/cards";
import * as api from "@accord/contracts/insights/dashboards";
import { beforeAll, expect, test } from "vitest";
import { makeCard, makeDataset, makeDeals } from "../../../../test-kit/fixtures/insights.ts";
import { testApp, type TestApp } from "../../../../test-kit/index.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
}, 60_000);
const editor = () => t.as("SYNC_MANAGER");
const listed = async () => (await editor().call(api.listDashboards, { query: {} })).dashboards.map(({ id }) => id);
const read = async (id: string) => (await editor().call(api.getDashboard, { params: { id: id as never } })).dashboard;

test("[INS-047][INS-130] the eight calls take a dashboard through its life, and each reading shows all of it", async () => {
  const card = await makeCard(t, t);
  const made = await editor().call(api.createDashboard, {
    body: { displayName: "Sales", name: "sales", description: "What we sold", tags: ["money"] },
  });
  const whole = {
    id: made.id,
    displayName: "Sales",
    name: "sales",
    description: "What we sold",
    tags: ["money"],
    dataCards: [],
    draftStatus: "NEW",
    draft: null,
    parentId: null,
    seeded: false,
    isExample: false,
  };
  expect(await read(made.id)).toMatchObject(whole);

  const dataCards = [{ id: card, layout: { i: card, x: 4, y: 0, w: 6, h: 3 } }];
  const params = { id: made.id as never };
  const filled = { displayName: "Sales now", description: "Since May", tags: [], dataCards };
  await editor().call(api.updateDashboard, { params, body: { ...filled, version: made.version } });
  expect(await read(made.id)).toMatchObject({ ...whole, ...filled });
  await editor().call(api.publishDashboard, { params, body: {} });
  expect(await read(made.id)).toMatchObject({ ...whole, ...filled, draftStatus: "APPROVED" });

  const draft = await editor().call(api.createDashboardDraft, { params, body: {} });
  expect(await read(draft.id)).toMatchObject({ ...whole, ...filled, id: draft.id, parentId: made.id });
  expect(await read(made.id)).toMatchObject({ draftStatus: "APPROVED", draft: draft.id });
  // A published dashboard stands for its draft in the list.
  expect(await listed()).toEqual([made.id]);
  await editor().call(api.deleteDashboardDraft, { params });
  expect(await read(made.id)).toMatchObject({ draft: null });
  await editor().call(api.deleteDashboard, { params });
  expect(await listed()).toEqual([]);
  expect(await editor().send(api.getDashboard, { params })).toMatchObject({ status: 404 });
});

test("[INS-056] a card has one x-axis and several y-axes, and splits by one series, however many were sent", async () => {
  const datasetId = await makeDataset(t, t, {}, await makeDeals(t, t));
  const drawn = async (more: Partial<CardConfigurationInput>) =>
    (await t.as("VIEWER").call(dataCardData, { params: { id: await makeCard(t, t, datasetId, more) }, body: {} })).data;
  const entry = (column: string, displayFormat: "text" | "number") => ({ column, name: column, displayFormat });
  const [status, day] = [entry("status", "text"), entry("day", "text")];
  const two = await drawn({ yaxis: [entry("amount", "number"), entry("pieces", "number")] });
  expect(two.columns.map(({ name }) => name)).toEqual(["x", "y0", "y1"]);

  const split = await drawn({ xaxis: day, series: [status] });
  expect(split.columns.map(({ name }) => name)).toContain("series");
  expect(split.rows.length).toBeGreaterThan(0);
  const twice = await drawn({ xaxis: day, series: [status, entry("pieces", "number")] });
  expect(twice.columns).toEqual(split.columns);
  expect(twice.rows).toEqual(split.rows);
});
