/** JSON systems of one list each, and pipelines that create in the others what the list `/source` holds. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createEntityFromConnector } from "@accord/contracts/data/core-schema";
import { EntitySchema } from "@accord/contracts/data/schema";
import { Graph } from "@accord/contracts/sync/graph";
import * as pipelines from "@accord/contracts/sync/pipelines";
import { edge, node } from "../graphs.ts";
import type { TestApp } from "../index.ts";

export interface ListItem {
  id: string;
  name: string;
}

/** Systems of one list each, which know neither keys nor look-ups. */
export class ListApi {
  readonly lists = new Map<string, ListItem[]>();
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
      const item: ListItem = { id: String(list.length + 1), name: String(JSON.parse(text).name) };
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

const fields = [
  { apiName: "id", displayName: "Id" },
  { apiName: "name", displayName: "Name" },
];

export async function insertListConnector(t: TestApp, api: ListApi, id: string, entity: string): Promise<void> {
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

export async function publishListPipeline(
  t: TestApp,
  sourceId: string,
  targetId: string,
  target: string,
): Promise<void> {
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
