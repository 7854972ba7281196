/** Ways through a graph: order, reachability and which side of the core node something stands on. */
import type { Graph, GraphEdge, GraphNode } from "@accord/contracts/sync/graph";
import { isCore, isLoopEnd, isLoopStart, isSink, isSource } from "./elements.ts";

/** The edge by which End Loop returns to its loop start: the one kind of edge that may close a circle. */
export function isLoopReturn(nodes: ReadonlyMap<string, GraphNode>, edge: GraphEdge): boolean {
  const from = nodes.get(edge.source.nodeId);
  const to = nodes.get(edge.destination.nodeId);
  return from !== undefined && to !== undefined && isLoopEnd(from) && isLoopStart(to);
}

export const nodeMap = (graph: Graph): Map<string, GraphNode> => new Map(graph.nodes.map((node) => [node.id, node]));

/** Targets by source node, without loop returns and without edges that end in nothing. */
export function forwardEdges(graph: Graph): Map<string, GraphEdge[]> {
  const nodes = nodeMap(graph);
  const out = new Map<string, GraphEdge[]>(graph.nodes.map((node) => [node.id, []]));
  for (const edge of graph.edges) {
    if (!nodes.has(edge.destination.nodeId) || isLoopReturn(nodes, edge)) continue;
    out.get(edge.source.nodeId)?.push(edge);
  }
  return out;
}

/** Ids of all nodes that can be reached from these, themselves included. */
export function reachableFrom(graph: Graph, starts: Iterable<string>): Set<string> {
  const next = forwardEdges(graph);
  const seen = new Set<string>();
  const open = [...starts];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id) || !next.has(id)) continue;
    seen.add(id);
    for (const edge of next.get(id) ?? []) open.push(edge.destination.nodeId);
  }
  return seen;
}

/** Ids of all nodes from which this one can be reached, itself included. */
export function upstreamOf(graph: Graph, id: string): Set<string> {
  const before = new Map<string, string[]>();
  for (const [from, edges] of forwardEdges(graph)) {
    for (const edge of edges) {
      const list = before.get(edge.destination.nodeId);
      if (list) list.push(from);
      else before.set(edge.destination.nodeId, [from]);
    }
  }
  const seen = new Set<string>();
  const open = [id];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    open.push(...(before.get(at) ?? []));
  }
  return seen;
}

/**
 * Nodes so that each stands after all that lead to it, ties in the graph's own order; null when edges close a circle
 * other than a loop's return.
 */
export function topologicalOrder(graph: Graph): GraphNode[] | null {
  const next = forwardEdges(graph);
  const waiting = new Map<string, number>(graph.nodes.map((node) => [node.id, 0]));
  for (const edges of next.values()) {
    for (const edge of edges) {
      waiting.set(edge.destination.nodeId, (waiting.get(edge.destination.nodeId) ?? 0) + 1);
    }
  }
  const nodes = nodeMap(graph);
  const ready = graph.nodes.filter((node) => waiting.get(node.id) === 0);
  const order: GraphNode[] = [];
  for (let node = ready.shift(); node; node = ready.shift()) {
    order.push(node);
    for (const edge of next.get(node.id) ?? []) {
      const left = (waiting.get(edge.destination.nodeId) ?? 0) - 1;
      waiting.set(edge.destination.nodeId, left);
      const target = nodes.get(edge.destination.nodeId);
      if (left === 0 && target) ready.push(target);
    }
  }
  return order.length === graph.nodes.length ? order : null;
}

export type Side = "source" | "core" | "destination" | "unconnected";

/** Side of each node: before the core node, the core node, after it, or connected to neither. */
export function sidesOf(graph: Graph): Map<string, Side> {
  const core = graph.nodes.find(isCore);
  const after = core ? reachableFrom(graph, [core.id]) : new Set<string>();
  const before = core ? upstreamOf(graph, core.id) : new Set<string>();
  const fromSources = reachableFrom(
    graph,
    graph.nodes.filter(isSource).map((node) => node.id),
  );
  return new Map(
    graph.nodes.map((node): [string, Side] => {
      if (node === core) return [node.id, "core"];
      if (after.has(node.id) || isSink(node)) return [node.id, "destination"];
      if (before.has(node.id) || isSource(node) || fromSources.has(node.id)) return [node.id, "source"];
      return [node.id, "unconnected"];
    }),
  );
}

export const sideOf = (graph: Graph, id: string): Side => sidesOf(graph).get(id) ?? "unconnected";
