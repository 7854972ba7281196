/** Finds the node of a graph at which a place is read, or written. */
import type { GraphNode } from "@accord/contracts/sync/graph";

export const nodeOf = (
  nodes: readonly GraphNode[],
  { connectorId, entity }: { connectorId: string; entity: string },
  type: "ENTITY_SOURCE" | "ENTITY_SINK",
): GraphNode | undefined =>
  nodes.find(
    ({ nodeType, configuration }) =>
      nodeType === type && configuration.connectorId === connectorId && configuration.entityDefinition === entity,
  );
