/** A column or variable that something uses is removed only after its users were named and confirmed. */
import type { Id } from "@accord/contracts";
import { createDashboardDraft, applyDataCardSettings, dashboardCardData } from "@accord/contracts/insights/dashboards";
import type { DatasetConfigInput } from "@accord/contracts/insights/dataset-config";
import { getDataset, updateDataset } from "@accord/contracts/insights/datasets";
import { beforeAll, expect, test } from "vitest";
import {
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

async function save(id: Id<"dataset">, entityId: string, more: DatasetConfigInput, confirmed?: "true") {
  const { dataset } = await editor().call(getDataset, { params: { id } });
  const datasetConfig = dealsConfig(entityId, more);
  const body = { displayName: "Deals", datasetConfig, version: dataset.version };
  return editor().send(updateDataset, { params: { id }, query: confirmed ? { confirmed } : {}, body });
}

const without = (entityId: string, ...aliases: string[]) =>
  dealsConfig(entityId).selectedFields.filter(({ alias }) => !aliases.includes(alias));
const TOP = { apiName: "top", displayName: "Top", datatype: "integer" as const, updatable: true };

test("removing a column that cards and datasets use names them, and takes it away once confirmed", async () => {
  const entityId = await makeDeals(t, t);
  const id = await makeDataset(t, t, {}, entityId);
  const cardId = await makeCard(t, t, id);
  const board = await makePublished(t, t, [cardId]);
  const above = await makeDataset(t, t, {
    sources: [{ datasetId: id, datasetType: "DATASET", datasourceAlias: "deals" }],
    selectedFields: without(entityId, "status", "pieces", "day"),
  });
  const selectedFields = without(entityId, "amount", "day");
  expect(await save(id, entityId, { selectedFields })).toMatchObject({
    status: 409,
    body: {
      code: "dataset_parts_in_use",
      details: {
        parts: [
          {
            ...{ kind: "column", name: "amount" },
            usedBy: [
              { kind: "dataset", id: above },
              { kind: "dataCard", id: cardId, displayName: "Amounts" },
            ],
          },
        ],
      },
    },
  });
  const { dataset } = await editor().call(getDataset, { params: { id } });
  expect(dataset.datasetConfig.selectedFields).toHaveLength(4);
  expect(await save(id, entityId, { selectedFields }, "true")).toMatchObject({ status: 200 });
  const { data } = await t.as("VIEWER").call(dashboardCardData, { params: { id: board, cardId }, body: {} });
  expect(data.rows).toHaveLength(3);
});

test("a column that nothing uses is removed without a question", async () => {
  const entityId = await makeDeals(t, t);
  const id = await makeDataset(t, t, {}, entityId);
  await makeCard(t, t, id);
  expect(await save(id, entityId, { selectedFields: without(entityId, "day") })).toMatchObject({ status: 200 });
});

test("removing a variable names the cards and the drafts that set it, also through datasets above", async () => {
  const entityId = await makeDeals(t, t);
  const id = await makeDataset(t, t, { variables: [TOP], limit: "{{top}}" }, entityId);
  const above = await makeDataset(t, t, {
    sources: [{ datasetId: id, datasetType: "DATASET", datasourceAlias: "deals" }],
  });
  const labelled = await makeCard(t, t, above, { vizLabel: "Top {{top}}" });
  const silent = await makeCard(t, t, id);
  const board = await makePublished(t, t, [silent]);
  const draft = await editor().call(createDashboardDraft, { params: { id: board }, body: {} });
  const settings = { dashboardId: draft.id as Id<"dashboard">, dataCardId: silent, configuration: { top: 2 } };
  await editor().call(applyDataCardSettings, { body: settings });
  const reply = await save(id, entityId, {});
  expect(reply).toMatchObject({
    status: 409,
    body: {
      details: {
        parts: [
          {
            ...{ kind: "variable", name: "top", displayName: "Top" },
            usedBy: [
              { kind: "dataCard", id: labelled },
              { kind: "dashboard", id: draft.id },
            ],
          },
        ],
      },
    },
  });
  expect(await save(id, entityId, {}, "true")).toMatchObject({ status: 200 });
});
