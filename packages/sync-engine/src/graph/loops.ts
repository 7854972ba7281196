/** Loops of a graph: their start, their end and what lies between. */
import type { Graph } from "@accord/contracts/sync/graph";
import { isLoopEnd, isLoopStart } from "./elements.ts";
import { forwardEdges, isLoopReturn, nodeMap, upstreamOf } from "./walk.ts";

export interface LoopRegion {
  startId: string;
  endId: string;
  /** Ids of the nodes reached from the start before End loop; those of loops inside among them. */
  body: ReadonlySet<string>;
}

/** Each loop start with the End loop that returns to it; starts and ends without one are left out. */
export function loopRegions(graph: Graph): LoopRegion[] {
  const nodes = nodeMap(graph);
  const out = forwardEdges(graph);
  const ends = new Map<string, string>();
  for (const edge of graph.edges) {
    if (isLoopReturn(nodes, edge)) ends.set(edge.destination.nodeId, edge.source.nodeId);
  }
  return graph.nodes.filter(isLoopStart).flatMap(({ id }) => {
    const endId = ends.get(id);
    return endId === undefined ? [] : [{ startId: id, endId, body: between(out, id, endId) }];
  });
}

/**
 * Ids of the loop starts that a node stands behind and inside of, the innermost first; its End loop counts as inside. A
 * start that no End loop returns to yet has all nodes behind it inside, up to any End loop.
 */
export function loopsAround(graph: Graph, nodeId: string): string[] {
  const linked = new Map(loopRegions(graph).map((region) => [region.startId, region]));
  const behind = upstreamOf(graph, nodeId);
  const isEnded = graph.nodes.some((node) => isLoopEnd(node) && node.id !== nodeId && behind.has(node.id));
  return graph.nodes
    .filter((node) => {
      if (!isLoopStart(node) || node.id === nodeId || !behind.has(node.id)) return false;
      const region = linked.get(node.id);
      return region ? region.body.has(nodeId) || region.endId === nodeId : !isEnded;
    })
    .map(({ id }) => id)
    .toSorted((one, other) => upstreamOf(graph, other).size - upstreamOf(graph, one).size);
}

function between(out: ReturnType<typeof forwardEdges>, startId: string, endId: string): Set<string> {
  const body = new Set<string>();
  const open = [startId];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const { destination } of out.get(id) ?? []) {
      if (destination.nodeId === endId || body.has(destination.nodeId)) continue;
      body.add(destination.nodeId);
      open.push(destination.nodeId);
    }
  }
  return body;
}

export interface LoopFault {
  nodeId: string;
  code: "loop_left" | "loop_entered" | "loop_shared";
}

/** Ways into and out of loops that are not their start and end. */
export function loopFaults(graph: Graph): LoopFault[] {
  const regions = loopRegions(graph);
  const out = forwardEdges(graph);
  const nodes = nodeMap(graph);
  const faults: LoopFault[] = [];
  const owners = new Map<string, string>();
  for (const { startId, endId, body } of regions) {
    if (owners.has(endId)) faults.push({ nodeId: endId, code: "loop_shared" });
    owners.set(endId, startId);
    for (const id of body) {
      const node = nodes.get(id);
      const isExternal = node && !["FUNCTION", "ACTION"].includes(node.nodeType);
      const isForeignEnd =
        node && isLoopEnd(node) && !regions.some((other) => other.endId === id && body.has(other.startId));
      if (isExternal || isForeignEnd) faults.push({ nodeId: startId, code: "loop_left" });
    }
    for (const [from, edges] of out) {
      if (from === startId || body.has(from)) continue;
      for (const { destination } of edges) {
        const isInside = body.has(destination.nodeId) || destination.nodeId === endId;
        if (isInside) faults.push({ nodeId: destination.nodeId, code: "loop_entered" });
      }
    }
  }
  return faults;
}
