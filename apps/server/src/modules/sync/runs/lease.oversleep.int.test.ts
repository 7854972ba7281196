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
import { DatabaseError } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { edge, node } from "../../../../test-kit/graphs.ts";
import { testApp, type TestApp } from "../../../../test-kit/index.ts";
import { ServerProcesses } from "../../../../test-kit/server-processes.ts";
import { LEASE_MS } from "./lease-guard.store.ts";

const PIPELINES = 3;
/** Created anew before each stop. */
const RECORDS = 2_000;
const STOPS = 2;
const PATIENCE = { timeout: 400_000 };
const MOST_TRIES = 20;
const LOCK_NOT_AVAILABLE = "55P03";

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

/** Ends all leases at once; false where a transaction that is open holds one of them. */
async function endLeases(t: TestApp): Promise<boolean> {
  const client = await t.deps.dataPool.connect();
  try {
    await client.query("SET lock_timeout = 1000");
    await client.query("UPDATE sync_pipeline SET lease_until = now(), due_at = now() WHERE owner IS NOT NULL");
    return true;
  } catch (error) {
    if (error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  } finally {
    await client.query("RESET lock_timeout");
    client.release();
  }
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
    sleeper?.child.kill("SIGSTOP");
    await sleep(500);
    // The other one need not wait so long; the sleeper knows only its own clock.
    for (let tries = 0; !(await endLeases(t)); tries += 1) {
      if (tries === MOST_TRIES) throw new Error("the sleeper always stops in the middle of a transaction");
      // It stopped in the middle of a transaction, which holds its lease: a moment later it is between two.
      sleeper?.child.kill("SIGCONT");
      await sleep(30);
      sleeper?.child.kill("SIGSTOP");
    }
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
