/** Nodes that perform custom actions: what breaks where one is changed or deleted. */
import { type Id, id } from "@accord/contracts";
import { Values } from "@accord/contracts/data/values";
import type { ActionUse } from "@accord/contracts/sync/custom-action-checks";
import type { Graph } from "@accord/contracts/sync/graph";
import type { PipelineDependencies } from "./needs.ts";

type ActionId = Id<"customAction">;

export type NodeOfAction = ActionUse & { actionId: ActionId };

interface GraphInUse {
  entityId: Id<"entity">;
  published: boolean;
  graph: Graph;
}

const actionIds = id("customAction");
const CUSTOM_ACTION = "customAction";

/** Of drafts and of published versions, by pipeline. */
export async function usesOfActions(
  graphsInUse: (instanceId: Id<"instance">) => Promise<GraphInUse[]>,
  needs: Pick<PipelineDependencies, "schema">,
  instanceId: Id<"instance">,
): Promise<NodeOfAction[]> {
  const graphs = await graphsInUse(instanceId);
  const names = new Map<string, string>(
    (await needs.schema.listEntities(instanceId, "draft")).map((entity) => [entity.id, entity.displayName]),
  );
  return graphs
    .flatMap((used) => nodesOf(used, names.get(used.entityId) ?? used.entityId))
    .toSorted((one, other) => one.pipeline.localeCompare(other.pipeline));
}

function nodesOf({ entityId, published, graph }: GraphInUse, pipeline: string): NodeOfAction[] {
  const scope = graph.nodes.some(({ nodeType }) => nodeType === "CORE_ATTRIBUTE") ? "field" : "entity";
  return graph.nodes.flatMap((node): NodeOfAction[] => {
    const actionId = actionIds.safeParse(node.configuration["actionId"]);
    if (node.apiName !== CUSTOM_ACTION || !actionId.success) return [];
    return [
      {
        actionId: actionId.data,
        entityId,
        pipeline,
        graphVersion: published ? "published" : "draft",
        scope,
        nodeId: node.id,
        label: node.label,
        variables: Values.catch({}).parse(node.configuration["variables"] ?? {}),
      },
    ];
  });
}
