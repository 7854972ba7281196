/**
 * A server that is stopped in the middle of sending and wakes after another one has taken over sends nothing more: no
 * record is created twice in systems that know neither keys nor look-ups.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createEntityFromConnector } from "@accord/contracts/data/core-schema";
import { EntitySchema } from "@accord/contracts/data/schema";
import { Graph } from "@accord/contracts/sync/graph";
import * as pipelines from "@accord/contracts/sync/pipelines";
import { expect, onTestFinished, test } from "vitest";
import { edge, node } from "../../../../test-kit/graphs.ts";
import { testApp, type TestApp } from "../../../../test-kit/index.ts";
import { type ServerProcess, ServerProcesses } from "../../../../test-kit/server-processes.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import { LEASE_MS } from "./lease-guard.store.ts";

const PIPELINES = 3;
/** Created anew before each stop. */
const RECORDS = 2_000;
const STOPS = 2;
const PATIENCE = { timeout: 400_000 };
const MAX_TRIES = 40;

interface Item {
  id: string;
  name: string;
}

/** Systems of one list each: `/source` holds what is to be created in the others. */
class Api {
  readonly lists = new Map<string, Item[]>();
  readonly server: Server;

  constructor() {
    this.server = createServer(async (request, response) => {
      const name = (request.url ?? "").split("/")[1]?.split("?")[0] ?? "";
      const list = this.lists.get(name) ?? [];
      this.lists.set(name, list);
      let text = "";
      for await (const part of request) text += String(part);
      const answer = (json: unknown): void =>
        void response.setHeader("content-type", "application/json").end(JSON.stringify(json));
      if (request.method !== "POST") return answer(list);
      const item: Item = { id: String(list.length + 1), name: String(JSON.parse(text).name) };
      list.push(item);
      // Long enough for a stop to come in the middle of a batch.
      await sleep(10);
      answer(item);
    });
  }

  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  count = (name: string): number => this.lists.get(name)?.length ?? 0;
}

const targets = Array.from({ length: PIPELINES }, (_, index) => `target${index}`);
const fields = [
  { apiName: "id", displayName: "Id" },
  { apiName: "name", displayName: "Name" },
];

async function insertConnector(t: TestApp, api: Api, id: string, entity: string): Promise<void> {
  const create = { method: "POST", path: `/${entity}` };
  const update = { method: "PATCH", path: `/${entity}/{{id}}` };
  const entities = [
    { apiName: entity, displayName: entity, idField: "id", fields, list: { path: `/${entity}` }, create, update },
  ];
  const schema = EntitySchema.parse({
    apiName: entity,
    displayName: entity,
    fields: fields.map((field) => ({
      ...field,
      isIdField: field.apiName === "id",
    })),
  });
  const now = t.deps.clock.now().toISOString();
  await t.deps.appPool.query(
    `INSERT INTO connector (id, instance_id, name, type, config, auth_type, status, schema_status, created_at, created_by, updated_at)
     VALUES ($1, $2, $5, 'http', $4, 'none', 'ACTIVE', 'SUCCESS', $3, 'test', $3)`,
    [id, t.instanceId, now, JSON.stringify({ baseUrl: `http://${api.host}`, entities }), entity],
  );
  await t.deps.appPool.query(
    `INSERT INTO connector_entity (connector_id, instance_id, api_name, definition, status, refreshed_at)
     VALUES ($1, $2, $5, $3, 'ACTIVE', $4)`,
    [id, t.instanceId, JSON.stringify(schema), now, entity],
  );
}

async function publish(t: TestApp, sourceId: string, targetId: string, target: string): Promise<void> {
  const manager = t.as("SYNC_MANAGER");
  const entity = await manager.call(createEntityFromConnector, {
    body: { connectorId: sourceId, entityApiName: "source", publish: true, apiName: target, displayName: target },
  } as never);
  const params = { entityId: entity.id };
  const draft = await manager.call(pipelines.createPipelineDraft, { params, body: {} });
  const core = draft.graph.nodes.find(({ nodeType }) => nodeType === "CORE_ENTITY");
  if (!core) throw new Error("a draft has its core node");
  const fieldMappings = [{ connectorField: "name", coreField: "name" }];
  const place = { connectorId: targetId, entityDefinition: target, fieldMappings, scheduleSeconds: 1 };
  const graph = Graph.parse({
    nodes: [
      core,
      node("from", "ENTITY_SOURCE", { ...place, connectorId: sourceId, entityDefinition: "source" }),
      node("back", "ENTITY_SOURCE", place),
      node("to", "ENTITY_SINK", place),
    ],
    edges: [edge("from", core.id), edge("back", core.id), edge(core.id, "to")],
  });
  const { revision } = await manager.call(pipelines.savePipelineDraft, {
    params,
    body: { graph, revision: draft.revision },
  });
  await manager.call(pipelines.publishPipeline, { params, body: { versionName: "First", revision } });
}

async function until(what: string, isSo: () => boolean, seconds = 100): Promise<void> {
  const end = performance.now() + seconds * 1_000;
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`never came: ${what}`);
    await sleep(100);
  }
}

/** Whether a transaction that goes on holds the lease of a pipeline: others hold one for a moment only. */
async function isLeaseHeld(t: TestApp): Promise<boolean> {
  const held = async (): Promise<Set<string>> => {
    const { rows } = await t.deps.dataPool.query(
      `SELECT pipeline_id FROM sync_pipeline WHERE owner IS NOT NULL AND pipeline_id NOT IN
         (SELECT pipeline_id FROM sync_pipeline FOR UPDATE SKIP LOCKED)`,
    );
    return new Set(rows.map(({ pipeline_id }) => pipeline_id));
  };
  const before = await held();
  if (before.size === 0) return false;
  await sleep(500);
  return [...(await held())].some((id) => before.has(id));
}

/** Ends all leases at once. A transaction that holds one has to end within the time of a lease. */
const endLeases = (t: TestApp) =>
  transaction(t.deps.dataPool, async ({ client }) => {
    await client.query(`SET LOCAL lock_timeout = ${LEASE_MS + 10_000}`);
    await client.query("UPDATE sync_pipeline SET lease_until = now(), due_at = now() WHERE owner IS NOT NULL");
  });

/** Stops a server in the middle of a transaction that holds a lease, or between two. */
async function stopAt(t: TestApp, server: ServerProcess | undefined, isInside: boolean): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    server?.child.kill("SIGSTOP");
    await sleep(500);
    if ((await isLeaseHeld(t)) === isInside) return;
    server?.child.kill("SIGCONT");
    await sleep(30);
  }
  throw new Error(`the server never stopped ${isInside ? "inside of a transaction" : "between transactions"}`);
}

test("[F13] servers that overslept their lease in the middle of sending create nothing twice", PATIENCE, async () => {
  const t = await testApp();
  const api = new Api();
  await new Promise<void>((resolve) => api.server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void api.server.close());
  const sourceId = "b".repeat(24);
  await insertConnector(t, api, sourceId, "source");
  for (const [index, target] of targets.entries()) {
    const targetId = String(index + 1).repeat(24);
    await insertConnector(t, api, targetId, target);
    await publish(t, sourceId, targetId, target);
  }
  const servers = new ServerProcesses({
    appUrl: String(t.deps.appPool.options.connectionString),
    dataUrl: String(t.deps.dataPool.options.connectionString),
    settings: { ACCORD_OUTBOUND_ALLOW: api.host },
  });
  onTestFinished(() => servers.killAll());
  const pair = [servers.start(), servers.start()];
  for (const server of pair) await server.ready;
  const source: Item[] = [];
  api.lists.set("source", source);
  const pipelineRows = async (): Promise<{ owner: string | null }[]> =>
    (await t.deps.dataPool.query("SELECT owner FROM sync_pipeline ORDER BY pipeline_id")).rows;

  let takenOver = 0;
  for (let stop = 0; stop < STOPS; stop += 1) {
    for (let record = 0; record < RECORDS; record += 1) {
      source.push({ id: String(source.length + 1), name: `u${source.length}` });
    }
    const before = source.length - RECORDS;
    await t.deps.dataPool.query("UPDATE sync_pipeline SET due_at = now()");
    await until(`sending before stop ${stop}`, () => targets.every((name) => api.count(name) > before + 30));
    const owners = await pipelineRows();
    const sleeper = pair[stop % 2];
    // In the middle of a transaction it holds its lease until the database ends its session.
    await stopAt(t, sleeper, stop % 2 === 1);
    // The other one need not wait so long; the sleeper knows only its own clock.
    await endLeases(t);
    await sleep(LEASE_MS);
    takenOver += (await pipelineRows()).filter(({ owner }, index) => owner !== owners[index]?.owner).length;
    pair[stop % 2]?.child.kill("SIGCONT");
    await sleep(1_500);
  }
  const namesIn = (target: string): string[] => (api.lists.get(target) ?? []).map(({ name }) => name);
  await until("all records", () => targets.every((target) => new Set(namesIn(target)).size === source.length));

  expect(takenOver, "stops that came in the middle of a cycle").toBeGreaterThan(0);
  for (const target of targets) {
    const names = namesIn(target);
    expect(names.filter((one, index) => names.indexOf(one) !== index)).toEqual([]);
  }
});
