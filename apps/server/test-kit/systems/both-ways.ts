/** A pipeline that keeps an entity of a connector and another one in agreement both ways, made over the API alone. */
import type { Id } from "@accord/contracts";
import { createEntityFromConnector } from "@accord/contracts/data/core-schema";
import { Graph } from "@accord/contracts/sync/graph";
import * as pipelines from "@accord/contracts/sync/pipelines";
import { edge, node } from "../graphs.ts";
import type { TestApp } from "../test-app.ts";

export interface Side {
  connectorId: Id<"connector">;
  entityDefinition: string;
}

interface Pipeline {
  /** The core entity is made from the first one. */
  sides: readonly [Side, Side];
  entity: { apiName: string; displayName: string };
  /** Those of both sides, and of the core entity. */
  fields: readonly string[];
  /** Settings of both sources, and of both destinations. */
  source?: object;
  sink?: object;
}

/** Publishes it; reads each second. Answers the core entity. */
export async function publishBothWays(
  caller: ReturnType<TestApp["as"]>,
  { sides, entity: { apiName, displayName }, fields, source, sink }: Pipeline,
): Promise<Id<"entity">> {
  const [{ connectorId, entityDefinition }] = sides;
  const { id } = await caller.call(createEntityFromConnector, {
    body: { connectorId, entityApiName: entityDefinition, publish: true, apiName, displayName },
  });
  const params = { entityId: id };
  const draft = await caller.call(pipelines.createPipelineDraft, { params, body: {} });
  const core = draft.graph.nodes.find(({ nodeType }) => nodeType === "CORE_ENTITY");
  if (!core) throw new Error("a draft has its core node");
  const fieldMappings = fields.map((field) => ({ connectorField: field, coreField: field }));
  const nodes = sides.flatMap((side, at) => [
    node(`source${at}`, "ENTITY_SOURCE", { ...side, fieldMappings, scheduleSeconds: 1, ...source }),
    node(`sink${at}`, "ENTITY_SINK", { ...side, fieldMappings, ...sink }),
  ]);
  const edges = nodes.map((each) =>
    each.nodeType === "ENTITY_SOURCE" ? edge(each.id, core.id) : edge(core.id, each.id),
  );
  const graph = Graph.parse({ nodes: [core, ...nodes], edges });
  const body = { graph, revision: draft.revision };
  const { revision } = await caller.call(pipelines.savePipelineDraft, { params, body });
  await caller.call(pipelines.publishPipeline, { params, body: { versionName: "First", revision } });
  return id;
}
