/** Which pipelines use a custom action, so that one in use is not deleted. */
import type { Id } from "@accord/contracts";
import type { Graph } from "@accord/contracts/sync/graph";
import type { PipelineDependencies } from "./needs.ts";

/** Names of the pipelines of an instance that use a custom action. */
export async function usesOfAction(
  graphsInUse: (at: Id<"instance">) => Promise<{ entityId: string; graph: Graph }[]>,
  needs: Pick<PipelineDependencies, "schema">,
  at: Id<"instance">,
  actionId: string,
): Promise<string[]> {
  const graphs = await graphsInUse(at);
  const using = new Set<string>(
    graphs
      .filter(({ graph }) => graph.nodes.some(({ configuration }) => configuration["actionId"] === actionId))
      .map(({ entityId }) => entityId),
  );
  const entities = await needs.schema.listEntities(at, "draft");
  return entities.filter(({ id }) => using.has(id)).map(({ displayName }) => displayName);
}
