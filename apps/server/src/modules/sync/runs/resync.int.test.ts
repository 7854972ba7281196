/** A resync as people ask for it over the API: its range, what it read, who may not have one, and what the status tells. */
import * as connectors from "@accord/contracts/connections/connectors";
import type { Id } from "@accord/contracts";
import { createEntityFromConnector } from "@accord/contracts/data/core-schema";
import { listRecords } from "@accord/contracts/data/records";
import { getEntityPipeline } from "@accord/contracts/sync/entity-pipelines";
import { Graph } from "@accord/contracts/sync/graph";
import * as pipelines from "@accord/contracts/sync/pipelines";
import * as runs from "@accord/contracts/sync/monitoring/runs";
import { beforeAll, expect, test } from "vitest";
import { testApp, type TestApp } from "../../../../test-kit/index.ts";
import { expectReconciled } from "../../../../test-kit/reconcile.ts";
import { eventually } from "../../../../test-kit/sync-world/working-world.ts";

const SOURCE = "orders-source";
const DAYS = ["2026-01-01", "2026-01-02", "2026-01-03"].map((day) => `${day}T12:00:00.000Z`);

let t: TestApp;
let params: { entityId: Id<"entity"> };

const manager = () => t.as("SYNC_MANAGER");

beforeAll(async () => {
  t = await testApp({ roles: ["web", "worker"], realTime: true });
  const connectorId = await makeShop();
  params = { entityId: await publishOrders(connectorId) };
});

/** A webhook that got one order on each of three days. */
async function makeShop(): Promise<Id<"connector">> {
  const sample = JSON.stringify({ id: "7", buyer: "Ada" });
  const { id: connectorId } = await manager().call(connectors.createConnector, {
    body: {
      name: "Shop",
      typeId: "webhook",
      authType: "apiSecretKey",
      credentials: { secret: "a secret both sides know" },
      config: { sample, idSelector: "id" },
    },
  });
  await manager().call(connectors.authenticateConnector, { params: { connectorId } });
  await manager().call(connectors.activateConnector, { params: { connectorId } });
  await eventually("an active webhook", async () => {
    const { status } = await manager().call(connectors.getConnector, { params: { connectorId } });
    return status === "ACTIVE" ? status : undefined;
  });
  for (const [index, day] of DAYS.entries()) {
    await t.deps.dataPool.query(
      `INSERT INTO "i_${t.instanceId}".webhook_message (connector_id, message_id, received_at, body, status)
       VALUES ($1, $2, $3, $4, 202)`,
      [connectorId, `post-${index}`, day, JSON.stringify({ id: String(index), buyer: `Buyer ${index}` })],
    );
  }
  return connectorId;
}

async function publishOrders(connectorId: Id<"connector">): Promise<Id<"entity">> {
  const entity = await manager().call(createEntityFromConnector, {
    body: { connectorId, entityApiName: "payload", publish: true, apiName: "Order", displayName: "Order" },
  });
  const at = { entityId: entity.id };
  const draft = await manager().call(pipelines.createPipelineDraft, { params: at, body: {} });
  const core = draft.graph.nodes.find(({ nodeType }) => nodeType === "CORE_ENTITY");
  if (!core) throw new Error("a draft has its core node");
  const fieldMappings = ["webhookRecordId", "buyer"].map((field) => ({ connectorField: field, coreField: field }));
  const configuration = { connectorId, entityDefinition: "payload", fieldMappings };
  const graph = Graph.parse({
    nodes: [core, { id: SOURCE, nodeType: "ENTITY_SOURCE", label: "Orders", name: "Orders", configuration }],
    edges: [{ id: "edge-of-the-orders", source: { nodeId: SOURCE }, destination: { nodeId: core.id } }],
  });
  const { revision } = await manager().call(pipelines.savePipelineDraft, {
    params: at,
    body: { graph, revision: draft.revision },
  });
  const body = { versionName: "First", revision, bringInExisting: false };
  await manager().call(pipelines.publishPipeline, { params: at, body });
  return entity.id;
}

/** The orders that were posted, as the inbox keeps them, against the core. */
async function expectAllOrders(): Promise<void> {
  const { connectorId = "" } = (await status()).sources[0] ?? {};
  const pool = t.deps.dataPool;
  await expectReconciled({
    pool,
    instanceId: t.instanceId,
    pipelineId: params.entityId,
    entity: "Order",
    keyField: "webhookRecordId",
    systems: [
      {
        connectorId,
        fields: { id: "webhookRecordId", buyer: "buyer" },
        isComplete: true,
        async read() {
          const { rows } = await pool.query(`SELECT body FROM "i_${t.instanceId}".webhook_message`);
          return new Map(rows.map(({ body }) => [String(JSON.parse(body).id), JSON.parse(body)]));
        },
      },
    ],
  });
}

const status = () => manager().call(runs.getSyncStatus, { params });

type Wish = Partial<runs.ResyncRequest>;
const wish = (request: Wish) => ({
  params,
  body: { scope: "all" as const, sourceEntityIds: [SOURCE], ...request },
});

/** Runs one to its end; how many records it read from the source. */
async function resync(request: Wish): Promise<number | undefined> {
  const before = await manager().call(runs.listCycles, { params });
  await manager().call(runs.startResync, wish(request));
  return eventually("the resync's cycle", async () => {
    const { cycles } = await manager().call(runs.listCycles, { params });
    const cycle = cycles.find(({ id, kind }) => kind === "resync" && !before.cycles.some((old) => old.id === id));
    const { resync: now } = await status();
    return cycle && now?.status === null ? (cycle.read[SOURCE] ?? 0) : undefined;
  });
}

test("[SYN-106] a resync reads all, what came after a date, or what came between two, and nothing else", async () => {
  expect(await resync({ scope: "between", from: "2026-01-02T00:00:00.000Z", to: "2026-01-02T23:00:00.000Z" })).toBe(1);
  const { records } = await manager().call(listRecords, { params });
  expect(records.map(({ values }) => values["buyer"])).toEqual(["Buyer 1"]);
  expect(await resync({ scope: "after", from: "2026-01-02T00:00:00.000Z" })).toBe(2);
  expect(await resync({ scope: "all" })).toBe(3);
  const all = await manager().call(listRecords, { params });
  expect(all.records).toHaveLength(3);
  await expectAllOrders();
});

test("sources count as read whole once everything was read, and until somebody publishes without what exists", async () => {
  const wholeSources = async (): Promise<string[]> => {
    const { rows } = await t.deps.dataPool.query("SELECT whole_sources FROM sync_pipeline WHERE pipeline_id = $1", [
      params.entityId,
    ]);
    return rows[0]?.whole_sources;
  };
  await t.deps.dataPool.query("UPDATE sync_pipeline SET whole_sources = '{}'");
  await resync({ scope: "after", from: "2026-01-02T00:00:00.000Z" });
  expect(await wholeSources()).toEqual([]);
  await resync({ scope: "all" });
  expect(await wholeSources()).toEqual([SOURCE]);
  const { graph, revision } = await manager().call(pipelines.createPipelineDraft, { params, body: {} });
  expect(graph.nodes).toHaveLength(2);
  const body = { versionName: "Second", revision, bringInExisting: false };
  await manager().call(pipelines.publishPipeline, { params, body });
  expect(await wholeSources()).toEqual([]);
});

test("[SYN-107] [SYN-108] dates that are missing, reversed or in the future, and sources of others, are refused by name", async () => {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  const faults: [Wish, string][] = [
    [{ sourceEntityIds: [] }, "sourceEntityIds"],
    [{ sourceEntityIds: ["somebody-elses"] }, "sourceEntityIds"],
    [{ scope: "after" }, "from"],
    [{ scope: "between", from: DAYS[0] }, "to"],
    [{ scope: "between", from: DAYS[2], to: DAYS[0] }, "to"],
    [{ scope: "after", from: tomorrow }, "from"],
    [{ scope: "between", from: DAYS[0], to: tomorrow }, "to"],
  ];
  for (const [request, path] of faults) {
    const refused = await manager().send(runs.startResync, wish(request));
    expect([refused.status, refused.body]).toMatchObject([400, { errors: [{ path }] }]);
  }
});

test("[SYN-110] a paused pipeline is not resynced and says why, nor is what doesn't run cancelled", async () => {
  await manager().call(runs.pausePipeline, { params, body: {} });
  await eventually("the pause", async () => ((await status()).status === "PAUSED" ? true : undefined));
  const refused = await manager().send(runs.startResync, wish({}));
  expect([refused.status, refused.body]).toMatchObject([
    409,
    { code: "resync_on_paused", message: expect.stringContaining("paused") },
  ]);
  expect((await manager().send(runs.cancelResync, { params, body: {} })).status).toBe(409);
  await manager().call(runs.resumePipeline, { params, body: {} });
  expect(await resync({})).toBe(3);
  await expectAllOrders();
});

test("[SYN-053] the status after a run tells its time and counts, and each place with its kind of connector", async () => {
  await resync({});
  expect(await status()).toMatchObject({
    status: expect.stringMatching(/^(RUNNING|QUEUED)$/),
    errorCount: 0,
    warningCount: 0,
    errorDetails: [],
    lagTimeInSeconds: expect.any(Number),
    lastSyncTime: expect.any(String),
    sources: [{ nodeId: SOURCE, entityName: "payload", connectorType: "webhook", lastReadAt: expect.any(String) }],
    destinations: [],
  });
});

test("[SYN-051] a pipeline is read as one object, draft or published: its graph, its versions, what it is doing and who paused it", async () => {
  await resync({});
  const read = (graphVersion: "draft" | "published") =>
    t.as("VIEWER").call(getEntityPipeline, { params: { ...params, graphVersion } });
  const published = await read("published");
  expect(published).toMatchObject({
    id: params.entityId,
    apiName: "Order",
    targetId: params.entityId,
    draft: false,
    lastSyncedTime: expect.any(String),
    pausedBy: null,
    readOnlyReason: expect.stringContaining("published"),
    syncStatus: expect.stringMatching(/^(RUNNING|QUEUED)$/),
    pipelineStatus: "PUBLISHED",
    warningCount: 0,
    tags: ["Published", expect.stringMatching(/^(Running|Queued)$/)],
  });
  expect(published.nodes.map(({ nodeType }) => nodeType)).toEqual(["CORE_ENTITY", "ENTITY_SOURCE"]);
  expect(published.graph).toMatchObject({
    nodes: published.nodes,
    edges: [{ source: { nodeId: SOURCE } }],
    groups: [],
    draft: null,
    approved: {
      version: expect.any(Number),
      name: expect.any(String),
      updatedBy: { firstName: "Test", lastName: "Person" },
    },
    ready: true,
  });

  const { graph, revision } = await manager().call(pipelines.createPipelineDraft, { params, body: {} });
  const unconnected = { ...graph, edges: [] };
  await manager().call(pipelines.savePipelineDraft, { params, body: { graph: unconnected, revision } });
  await t.as("ORG_ADMIN").call(runs.pausePipeline, { params, body: {} });
  await eventually("a paused pipeline", async () => ((await status()).status === "PAUSED" ? true : undefined));
  expect(await manager().call(getEntityPipeline, { params: { ...params, graphVersion: "new" } })).toMatchObject({
    draft: true,
    pausedBy: "Test Person",
    readOnlyReason: null,
    syncStatus: "PAUSED",
    pipelineStatus: "PUBLISHED_WITH_DRAFT",
    tags: ["Published", "Draft", "Paused"],
    graph: {
      edges: [],
      draft: { version: revision + 1, name: null },
      approved: published.graph.approved,
      ready: false,
    },
  });
  expect((await read("published")).graph.ready).toBe(true);
  expect((await read("draft")).readOnlyReason).toContain("not change");
  await manager().call(pipelines.discardPipelineDraft, { params });
  await manager().call(runs.resumePipeline, { params, body: {} });
  const missing = await t.as("VIEWER").send(getEntityPipeline, { params: { ...params, graphVersion: "draft" } });
  expect(missing.status).toBe(404);
});
