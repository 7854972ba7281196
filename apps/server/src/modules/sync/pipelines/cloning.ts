/** Cloning: a new core entity with the same fields, and a draft that is a copy of a pipeline. */
import type { Id } from "@accord/contracts";
import type { CoreEntity, CoreFieldInput } from "@accord/contracts/data/entities";
import { fill } from "@accord/contracts/messages/fill";
import { pipelines as words } from "@accord/contracts/messages/en/sync/pipelines";
import type { Graph } from "@accord/contracts/sync/graph";
import { isCore, uniqueName } from "@accord/sync-engine/graph";
import type { Caller } from "../../../platform/ctx.ts";
import type { PipelineCore } from "./pipeline-core.ts";

type EntityId = Id<"entity">;

/** Answers the new entity. Its names are the wanted one, or the old ones with “copy”, and when that is taken a number. */
export async function clonePipeline(
  core: PipelineCore,
  ctx: Caller,
  entityId: EntityId,
  { version, name }: { version: "draft" | "published"; name?: string | undefined },
): Promise<{ entityId: EntityId; name: string }> {
  const at = ctx.instanceId;
  const origin = await core.entityOf(at, entityId);
  const { graph } = await core.opened(ctx, entityId, version);
  const entities = await core.needs.schema.listEntities(at, "draft");
  const names = (key: "displayName" | "apiName") => entities.map((entity) => entity[key]);
  const displayName = uniqueName(name ?? fill(words.copyOf, { name: origin.displayName }), names("displayName"));
  const apiName = freeApiName(`${origin.apiName}_copy`, names("apiName"));
  const { description, tags, nameField, fields } = origin;
  const copy = await core.needs.schema.createEntity(
    { instanceId: at, by: `${ctx.actor.firstName} ${ctx.actor.lastName}` },
    { apiName, displayName, description, tags, nameField, fields: fields.map(asInput), publish: true },
  );
  await core.changeDraft(ctx, copy.id, async () => renamed(graph, origin, copy));
  return { entityId: copy.id, name: displayName };
}

/** The name with the smallest number behind it that makes it one of its own, whatever the case. */
function freeApiName(wanted: string, taken: readonly string[]): string {
  const used = new Set(taken.map((name) => name.toLowerCase()));
  let apiName = wanted;
  for (let number = 1; used.has(apiName.toLowerCase()); number++) apiName = `${wanted}_${number}`;
  return apiName;
}

function renamed(graph: Graph, origin: CoreEntity, copy: CoreEntity): Graph {
  const { apiName, displayName } = copy;
  const nodes = graph.nodes.map((node) =>
    isCore(node) && node.label === origin.displayName
      ? { ...node, apiName, name: displayName, label: displayName, displayName }
      : node,
  );
  return { ...graph, nodes };
}

/** A field as a new entity takes it: without its id and without what the server alone decides. */
function asInput(field: CoreEntity["fields"][number]): Omit<CoreFieldInput, "id"> {
  const { id: _id, status: _status, isSystem: _system, isIdField: _isId, ...rest } = field;
  const { isWatermarkField: _watermark, isCreatedAtField: _created, isUpdatedAtField: _updated, ...input } = rest;
  return input;
}
