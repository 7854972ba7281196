/** Use cases of the fields behind the nodes of a graph. */
import type { Id } from "@accord/contracts";
import type { FieldSchema } from "@accord/contracts/data/schema";
import type { ConnectorField, PicklistField } from "@accord/contracts/sync/node-fields";
import type { GraphVersion } from "@accord/contracts/sync/pipelines";
import { isSink, isSource } from "@accord/sync-engine/graph";
import { openedVersion } from "@accord/sync-engine/lifecycle";
import type { Caller } from "../../../platform/ctx.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { PipelineCore } from "./pipeline-core.ts";
import { findHead } from "./pipelines.store.ts";

interface Wanted {
  graphVersion: GraphVersion;
  dependantType?: "field" | "controlling" | undefined;
  dependantId?: string | undefined;
  sendPicklistGroup: "true" | "false";
}

export async function picklistFields(
  core: PipelineCore,
  ctx: Caller,
  { entityId, nodeId }: { entityId: Id<"entity">; nodeId: string },
  { graphVersion, dependantType, dependantId, sendPicklistGroup }: Wanted,
): Promise<PicklistField[]> {
  const at = ctx.instanceId;
  const entity = await core.entityOf(at, entityId);
  const { graph } = await core.opened(ctx, entityId, openedVersion(graphVersion));
  const node = graph.nodes.find(({ id }) => id === nodeId);
  if (!node) throw new AppError("not_found", { what: "Node" });
  const { connectorId, entityDefinition } = node.configuration;
  const isPlace = (isSource(node) || isSink(node)) && connectorId && entityDefinition;
  const place = isPlace ? await core.needs.connectors.entitySchema(at, connectorId, entityDefinition) : null;
  const fields: readonly FieldSchema[] = isPlace ? (place?.schema.fields ?? []) : entity.fields;
  const pairs = isPlace ? [] : ((await findHead(core.deps.appDb, at, entityId))?.mergeConfig.dependentPicklists ?? []);
  const groupOf = (name: string) => pairs.find(({ dependent }) => dependent === name)?.controlling ?? null;
  const isWanted = ({ apiName }: FieldSchema): boolean =>
    dependantId === undefined ||
    (dependantType === "controlling" ? groupOf(apiName) === dependantId : apiName === dependantId);
  return fields
    .filter((field) => field.status === "ACTIVE" && (field.picklist?.length ?? 0) > 0 && isWanted(field))
    .map(({ apiName, displayName, picklist = [] }) => ({
      apiName,
      displayName,
      values: picklist,
      ...(sendPicklistGroup === "true" && { group: groupOf(apiName) }),
    }));
}

/** What each source offers and each destination takes. A place that has vanished offers nothing. */
export async function connectorFields(
  core: PipelineCore,
  ctx: Caller,
  entityId: Id<"entity">,
  graphVersion: GraphVersion,
): Promise<ConnectorField[]> {
  const at = ctx.instanceId;
  await core.entityOf(at, entityId);
  const { graph } = await core.opened(ctx, entityId, openedVersion(graphVersion));
  const { connectors } = core.needs;
  const found: ConnectorField[] = [];
  for (const node of graph.nodes.filter((one) => isSource(one) || isSink(one))) {
    const { connectorId = "", entityDefinition = "" } = node.configuration;
    const connector = await connectors.getConnector(at, connectorId);
    const place = connector && (await connectors.entitySchema(at, connectorId, entityDefinition));
    if (!place || place.status !== "ACTIVE") continue;
    const type = isSource(node) ? "SOURCE" : "SINK";
    for (const field of place.schema.fields) {
      const isTaken = type === "SOURCE" || field.initializable || field.updateable;
      if (field.status !== "ACTIVE" || !isTaken) continue;
      found.push({
        id: `${node.id}.${field.apiName}`,
        connectorId: connector.id,
        connectorName: connector.name,
        connectorEntity: place.apiName,
        label: field.displayName,
        name: field.apiName,
        type,
        iconPath: connector.icon,
      });
    }
  }
  return found;
}
