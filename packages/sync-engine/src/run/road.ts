/** A road through the graph: the nodes between a source and the core, or the core and a destination, run over pages. */
import type { Graph, GraphEdge } from "@accord/contracts/sync/graph";
import { takesEdge } from "../functions/compile.ts";
import type { RunEnv } from "../functions/context.ts";
import type { CompiledNode } from "../functions/define.ts";
import { type FlowRecord, forkRecord } from "../functions/flow.ts";
import { forwardEdges, upstreamOf } from "../graph/walk.ts";
import type { Road } from "./plan.ts";

/**
 * The road from one node to another, depth first along the edges. A node that several edges lead to runs once for each
 * copy that arrives. `compiled` answers null for nodes that records pass through unchanged.
 */
export function makeRoad(
  graph: Graph,
  from: string,
  to: string,
  compiled: (nodeId: string) => CompiledNode | null,
): { road: Road; isPlain: boolean } {
  const all = forwardEdges(graph);
  const leading = upstreamOf(graph, to);
  const out = new Map<string, GraphEdge[]>();
  for (const nodeId of leading) {
    const edges = (all.get(nodeId) ?? []).filter((edge) => leading.has(edge.destination.nodeId));
    out.set(nodeId, edges);
  }
  const first = out.get(from) ?? [];
  if (first.length === 1 && first[0]?.destination.nodeId === to) return { road: (page) => page, isPlain: true };
  const nodes = new Map([...leading].map((nodeId) => [nodeId, compiled(nodeId)]));
  const road: Road = (page, env) => {
    const arrived: FlowRecord[] = [];
    leave({ out, nodes, to, env, arrived }, from, page, "default");
    return arrived;
  };
  return { road, isPlain: false };
}

interface Journey {
  out: ReadonlyMap<string, readonly GraphEdge[]>;
  nodes: ReadonlyMap<string, CompiledNode | null>;
  to: string;
  env: RunEnv;
  arrived: FlowRecord[];
}

function visit(journey: Journey, nodeId: string, page: readonly FlowRecord[]): void {
  if (page.length === 0) return;
  if (nodeId === journey.to) {
    for (const record of page) journey.arrived.push(record);
    return;
  }
  const node = journey.nodes.get(nodeId) ?? null;
  const routes = node ? node(page, journey.env) : "default";
  leave(journey, nodeId, page, routes);
}

/** Sends each record along the edges it takes; copies are made before the first of them goes on. */
function leave(journey: Journey, nodeId: string, page: readonly FlowRecord[], routes: ReturnType<CompiledNode>): void {
  const edges = journey.out.get(nodeId) ?? [];
  const loads: FlowRecord[][] = edges.map(() => []);
  for (let index = 0; index < page.length; index += 1) {
    const record = page[index]!;
    if (record.failure) {
      journey.arrived.push(record);
      continue;
    }
    const route = routes === "default" ? null : (routes[index] ?? null);
    if (routes !== "default" && route === null) continue;
    let copies = 0;
    for (let way = 0; way < edges.length; way += 1) {
      if (route !== null && !takesEdge(route, edges[way]!.edgeType)) continue;
      loads[way]!.push(copies === 0 ? record : forkRecord(record));
      copies += 1;
    }
  }
  for (let way = 0; way < edges.length; way += 1) visit(journey, edges[way]!.destination.nodeId, loads[way]!);
}
