/** Adds a For each with its End loop and the way back: a loop is complete from the start. */
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";
import { addEdge, addNode, removeEdge } from "./edits.ts";

interface LoopEnds {
  start: GraphNode;
  end: GraphNode;
}

/** Where the loop goes: onto an edge, behind a node (by one of its ports), or on its own. */
export interface LoopPlace {
  edgeId?: string | undefined;
  afterId?: string | undefined;
  edgeType?: string | undefined;
}

export function addLoop(graph: Graph, { start, end }: LoopEnds, place: LoopPlace, newId: () => string): Graph {
  const edge = place.edgeId ? graph.edges.find(({ id }) => id === place.edgeId) : undefined;
  const without = edge ? removeEdge(graph, edge.id) : graph;
  const before = edge
    ? { id: edge.source.nodeId, edgeType: edge.edgeType }
    : place.afterId
      ? { id: place.afterId, edgeType: place.edgeType }
      : undefined;
  let next = addNode(addNode(without, start), end);
  const connect = (source: string, target: string, edgeType?: string) => {
    const made = addEdge(next, { id: newId(), source, target, ...(edgeType ? { edgeType } : {}) }, "inserted");
    if (made.ok) next = made.graph;
  };
  if (before) connect(before.id, start.id, before.edgeType);
  connect(start.id, end.id);
  connect(end.id, start.id);
  if (edge) connect(end.id, edge.destination.nodeId);
  return next;
}
