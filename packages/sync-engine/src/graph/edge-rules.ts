/** Which edges may exist. Editor and server ask the same function, so both refuse the same edge. */
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";
import {
  isCore,
  isLoopEnd,
  isLoopStart,
  isPredicate,
  isSink,
  isSource,
  LOOP_SIDE_FUNCTIONS,
  functionName,
  nodeById,
} from "./elements.ts";
import { reachableFrom, topologicalOrder } from "./walk.ts";

export const EDGE_VIOLATIONS = [
  "edge_end_missing",
  "edge_onto_itself",
  "edge_exists",
  "edge_into_predicate",
  "edge_into_source",
  "edge_out_of_sink",
  "edge_past_core",
  "loop_end_only_to_start",
  "loop_start_only_to_loop_side",
  "edge_closes_circle",
] as const;
export type EdgeRefusal = (typeof EDGE_VIOLATIONS)[number];

/** How an edge comes about. A predicate's incoming edge is made when the node is inserted, never drawn by hand. */
export type EdgeOrigin = "drawn" | "inserted" | "pasted" | "saved";

interface Ends {
  source: string;
  target: string;
}

/** The reason why this edge may not be added to this graph (which does not hold it yet), or null. */
export function edgeViolation(graph: Graph, ends: Ends, origin: EdgeOrigin): EdgeRefusal | null {
  return whyPairRefused(graph, ends, origin) ?? whyCircleRefused(graph, ends);
}

function whyPairRefused(graph: Graph, ends: Ends, origin: EdgeOrigin): EdgeRefusal | null {
  const source = nodeById(graph, ends.source);
  const target = nodeById(graph, ends.target);
  if (!source || !target) return "edge_end_missing";
  if (source === target) return "edge_onto_itself";
  if (graph.edges.some((edge) => edge.source.nodeId === source.id && edge.destination.nodeId === target.id)) {
    return "edge_exists";
  }
  if (origin === "drawn" && isPredicate(target)) return "edge_into_predicate";
  return whyKindsRefused(source, target);
}

function whyKindsRefused(source: GraphNode, target: GraphNode): EdgeRefusal | null {
  if (isSource(target)) return "edge_into_source";
  if (isSink(source)) return "edge_out_of_sink";
  // A record reaches a destination only through the core node: that is what keeps systems in agreement.
  if (isSource(source) && isSink(target)) return "edge_past_core";
  if (isLoopEnd(source) && !isLoopStart(target) && LOOP_SIDE_FUNCTIONS.includes(functionName(target))) {
    return "loop_end_only_to_start";
  }
  if (isLoopStart(source) && (isCore(target) || isSink(target))) return "loop_start_only_to_loop_side";
  return null;
}

function whyCircleRefused(graph: Graph, ends: Ends): EdgeRefusal | null {
  const source = nodeById(graph, ends.source);
  const target = nodeById(graph, ends.target);
  if (!source || !target || (isLoopEnd(source) && isLoopStart(target))) return null;
  return reachableFrom(graph, [target.id]).has(source.id) ? "edge_closes_circle" : null;
}

export interface RefusedEdge {
  edgeId: string;
  source: string;
  target: string;
  reason: EdgeRefusal;
}

/** Every edge of a graph that the rules refuse, as if it were built edge by edge in its order. */
export function refusedEdges(graph: Graph): RefusedEdge[] {
  const kept: Graph = { ...graph, edges: [] };
  const refused: RefusedEdge[] = [];
  // Without a circle in the whole there is none in any part of it.
  const hasCircle = topologicalOrder(graph) === null;
  for (const edge of graph.edges) {
    const ends = { source: edge.source.nodeId, target: edge.destination.nodeId };
    const reason = whyPairRefused(kept, ends, "saved") ?? (hasCircle ? whyCircleRefused(kept, ends) : null);
    if (reason) refused.push({ edgeId: edge.id, ...ends, reason });
    else kept.edges.push(edge);
  }
  return refused;
}
