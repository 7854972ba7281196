/** Nodes that other nodes of the graph rule out: which they are, and why. */
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";

/** A setting by its key; where there is none, what the node itself says under it (`apiName`, `label`). */
const valueOf = (node: GraphNode, key: string): unknown =>
  key in node.configuration ? node.configuration[key] : Object.entries(node).find(([name]) => name === key)?.[1];

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** What a node that is ruled out says; null of a node that may stand beside all others. The first criterion that is met decides. */
export function disabledMessage(graph: Graph, node: GraphNode): string | null {
  const met = node.disabledCriteria?.find(({ nodeType, key, value }) =>
    graph.nodes.some(
      (other) => other.id !== node.id && other.nodeType === nodeType && isSame(valueOf(other, key), value),
    ),
  );
  return met?.message ?? null;
}
