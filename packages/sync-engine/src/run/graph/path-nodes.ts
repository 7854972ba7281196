/** Which nodes of a graph lie on which path: also those that lead nowhere but to an action. */
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";
import { isBypassed } from "../../graph/bypass.ts";
import { isCore, isSink } from "../../graph/elements.ts";
import { reachableFrom, upstreamOf } from "../../graph/walk.ts";

const isActing = (node: GraphNode): boolean => node.nodeType === "ACTION" && !isBypassed(node);

/** Nodes from a source to the core: those that lead there, and side paths that lead to actions. */
export function nodesToCore(graph: Graph, sourceId: string, coreId: string): Set<string> {
  const leading = upstreamOf(graph, coreId);
  const beyond = reachableFrom(graph, [coreId]);
  for (const node of graph.nodes) {
    if (isActing(node) && !beyond.has(node.id)) for (const before of upstreamOf(graph, node.id)) leading.add(before);
  }
  return between(graph, sourceId, coreId, leading);
}

export const nodesToSink = (graph: Graph, coreId: string, sinkId: string): Set<string> =>
  between(graph, coreId, sinkId, upstreamOf(graph, sinkId));

function between(graph: Graph, from: string, to: string, leading: ReadonlySet<string>): Set<string> {
  const after = reachableFrom(graph, [from]);
  return new Set([...leading].filter((id) => after.has(id) && id !== from && id !== to));
}

/** Nodes behind the core that lead to an action from which no destination is reached; empty when there is none. */
export function actionsBehindCore(graph: Graph): Set<string> {
  const core = graph.nodes.find(isCore);
  if (!core) return new Set();
  const after = reachableFrom(graph, [core.id]);
  const toSinks = new Set(graph.nodes.filter(isSink).flatMap(({ id }) => [...upstreamOf(graph, id)]));
  const loose = graph.nodes.filter((node) => isActing(node) && after.has(node.id) && !toSinks.has(node.id));
  const leading = new Set(loose.flatMap(({ id }) => [...upstreamOf(graph, id)]));
  return new Set([...leading].filter((id) => after.has(id) && id !== core.id));
}
