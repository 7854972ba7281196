/** Removing nodes from a path: what led to them leads on to what came after them. */
import type { Graph, GraphEdge } from "@accord/contracts/sync/graph";
import { isLoopReturn, nodeMap } from "../walk.ts";
import { addEdge, removeNodes } from "./edits.ts";

export interface Removed {
  graph: Graph;
  /** Ids of the nodes that are connected now and were not before. */
  reconnected: { from: string; to: string }[];
}

/**
 * The graph without these nodes. Nodes that are connected and go together, with one way in and one way out, are bridged
 * where the rules allow that edge: it leaves by the way by which records came to them. Nodes that were connected past
 * them stay as they are.
 */
export function removeAndReconnect(graph: Graph, ids: ReadonlySet<string>, newId: () => string): Removed {
  const nodes = nodeMap(graph);
  const edges = graph.edges.filter((edge) => !isLoopReturn(nodes, edge));
  let left = removeNodes(graph, ids);
  const reconnected: Removed["reconnected"] = [];
  for (const part of connectedParts(edges, ids)) {
    const [into, ...otherInto] = edges.filter(({ source, destination }) => crosses(part, destination, source));
    const [out, ...otherOut] = edges.filter(({ source, destination }) => crosses(part, source, destination));
    if (!into || !out || otherInto.length + otherOut.length > 0) continue;
    const [from, to] = [into.source.nodeId, out.destination.nodeId];
    const made = addEdge(left, { id: newId(), source: from, target: to, edgeType: into.edgeType }, "inserted");
    if (!made.ok) continue;
    left = made.graph;
    reconnected.push({ from, to });
  }
  return { graph: left, reconnected };
}

type End = GraphEdge["source"];

const crosses = (part: ReadonlySet<string>, inside: End, outside: End): boolean =>
  part.has(inside.nodeId) && !part.has(outside.nodeId);

/** The nodes that go, by what is connected among them. */
function connectedParts(edges: readonly GraphEdge[], ids: ReadonlySet<string>): Set<string>[] {
  const beside = new Map<string, string[]>();
  for (const { source, destination } of edges) {
    if (!ids.has(source.nodeId) || !ids.has(destination.nodeId)) continue;
    beside.set(source.nodeId, [...(beside.get(source.nodeId) ?? []), destination.nodeId]);
    beside.set(destination.nodeId, [...(beside.get(destination.nodeId) ?? []), source.nodeId]);
  }
  const seen = new Set<string>();
  return [...ids].flatMap((id) => {
    if (seen.has(id)) return [];
    const part = new Set<string>();
    const open = [id];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (part.has(next)) continue;
      part.add(next);
      seen.add(next);
      open.push(...(beside.get(next) ?? []));
    }
    return [part];
  });
}
