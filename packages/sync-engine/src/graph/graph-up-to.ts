/** The part of a graph that leads to one node, complete enough to be compiled: for a run that ends there. Pure. */
import { EDGE_TYPE_DEFAULT, Graph, type GraphEdge, type GraphNode } from "@accord/contracts/sync/graph";
import { isCore, isLoopStart, isSink, nodeById } from "./elements.ts";
import { loopRegions } from "./loops.ts";
import { outPorts } from "./ports.ts";
import { isLoopReturn, nodeMap, reachableFrom, topologicalOrder, upstreamOf } from "./walk.ts";

export interface PartialGraph {
  /** With the core node, and with nodes that close what the end of the run leaves open. */
  graph: Graph;
  /** Nodes of the whole graph that run. */
  nodeIds: ReadonlySet<string>;
}

interface End {
  /** Where records enter the graph. */
  sourceIds: readonly string[];
  nodeId: string;
  /** Where a value of a field pipeline goes behind the core node, if the run ends before a destination. */
  sinkPlace?: { connectorId: string; entityDefinition: string } | undefined;
}

/** Ids of nodes and edges that are in no graph that is drawn. */
export const CLOSING_ID_PREFIX = "accord-run-end-";

/** Null where no path leads to the node. */
export function graphUpTo(graph: Graph, end: End): PartialGraph | null {
  const core = graph.nodes.find(isCore);
  const last = nodeById(graph, end.nodeId);
  if (!core || !last) return null;
  const isBehindCore = last !== core && reachableFrom(graph, [core.id]).has(last.id);
  const toCore = between(graph, end.sourceIds, core.id);
  const leading = isBehindCore ? between(graph, [core.id], last.id) : between(graph, end.sourceIds, last.id);
  // The core's value of a field goes to destinations, whatever its sources are.
  const isFed = !isBehindCore || core.nodeType === "CORE_ATTRIBUTE" || toCore.has(core.id);
  const isCoreAlone = last === core && core.nodeType === "CORE_ATTRIBUTE";
  if (!isFed || (!leading.has(last.id) && !isCoreAlone)) return null;
  const nodeIds = new Set([...(isBehindCore ? toCore : []), ...leading, last.id]);
  return { graph: closed(graph, { core, last, isBehindCore, nodeIds, sinkPlace: end.sinkPlace }), nodeIds };
}

/** Nodes on the paths to one node, both ends included; none where it is not reached. */
function between(graph: Graph, starts: readonly string[], endId: string): Set<string> {
  const cut = { ...graph, edges: graph.edges.filter(({ source }) => source.nodeId !== endId) };
  const after = reachableFrom(cut, starts);
  if (!after.has(endId)) return new Set();
  return new Set([...upstreamOf(cut, endId)].filter((id) => after.has(id)));
}

interface Parts {
  core: GraphNode;
  last: GraphNode;
  isBehindCore: boolean;
  nodeIds: ReadonlySet<string>;
  sinkPlace: End["sinkPlace"];
}

/** Loops that are left open get an end, and the last node leads on to the core, or to something behind it. */
function closed(graph: Graph, { core, last, isBehindCore, nodeIds, sinkPlace }: Parts): Graph {
  const nodes = graph.nodes.filter(({ id }) => nodeIds.has(id) || id === core.id);
  const byId = nodeMap(graph);
  const edges = graph.edges.filter((edge) => {
    const isInside = nodeIds.has(edge.source.nodeId) && nodeIds.has(edge.destination.nodeId);
    return isInside && (edge.source.nodeId !== last.id || isLoopReturn(byId, edge));
  });
  let tail = last;
  const connect = (to: GraphNode): void => {
    edges.push(edgeTo(tail, to, edges.length));
    if (to !== core) tail = to;
  };
  for (const start of openLoops(graph, nodeIds)) {
    const loopEnd = closing(nodes.length, { nodeType: "FUNCTION", apiName: "endLoop" });
    nodes.push(loopEnd);
    connect(loopEnd);
    edges.push(edgeTo(loopEnd, start, edges.length));
  }
  if (last === core || isSink(last)) return { ...graph, nodes, edges };
  if (!isBehindCore) {
    connect(core);
    return { ...graph, nodes, edges };
  }
  const beyond = sinkPlace
    ? { nodeType: "ATTRIBUTE_SINK", configuration: { ...sinkPlace, attributeDefinition: CLOSING_ID_PREFIX } }
    : { nodeType: "ACTION", apiName: "logMessage", configuration: { text: CLOSING_ID_PREFIX } };
  const target = closing(nodes.length, beyond);
  nodes.push(target);
  connect(target);
  return { ...graph, nodes, edges };
}

/** Starts of loops whose end does not run, the inner ones first. */
function openLoops(graph: Graph, nodeIds: ReadonlySet<string>): GraphNode[] {
  const ends = new Map(loopRegions(graph).map(({ startId, endId }) => [startId, endId]));
  const order = topologicalOrder(graph) ?? graph.nodes;
  const isOpen = (node: GraphNode): boolean =>
    nodeIds.has(node.id) && isLoopStart(node) && !nodeIds.has(ends.get(node.id) ?? "");
  return order.filter(isOpen).toReversed();
}

/** `number` makes it another one than the others. */
function closing(number: number, node: object): GraphNode {
  const id = `${CLOSING_ID_PREFIX}${number}`;
  const [made] = Graph.parse({ nodes: [{ id, label: id, ...node }], edges: [] }).nodes;
  if (!made) throw new Error("a graph keeps its nodes");
  return made;
}

/** By one branch: what a branching node decides is known before its records leave it. */
const edgeTo = (from: GraphNode, to: GraphNode, number: number): GraphEdge => ({
  id: `${CLOSING_ID_PREFIX}${number}`,
  source: { nodeId: from.id },
  destination: { nodeId: to.id },
  sourceAnchor: 2,
  targetAnchor: 0,
  edgeType: outPorts(from)[0] ?? EDGE_TYPE_DEFAULT,
});
