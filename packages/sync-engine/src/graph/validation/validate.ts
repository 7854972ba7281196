/** Validation: everything that keeps a graph from being published, and what should be thought about. */
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";
import { graph as words } from "@accord/contracts/messages/en/sync/graph";
import type { GraphCatalogue } from "./catalogue.ts";
import { isBypassed } from "../bypass.ts";
import { disabledMessage } from "../disabled.ts";
import { refusedEdges } from "../edge-rules.ts";
import { edgesInto, edgesOutOf, isCore, isLoopEnd, isLoopStart, isSink, isSource, nodeTitle } from "../elements.ts";
import { loopFaults } from "../loops.ts";
import { nodeProblem, problem, type GraphProblem } from "./problem.ts";
import { coreProblems } from "./validate-core.ts";
import { customActionProblems } from "./validate-custom-actions.ts";
import { functionProblems } from "./validate-functions.ts";
import { placeProblems } from "./validate-places.ts";
import { isLoopReturn, nodeMap, reachableFrom, topologicalOrder, upstreamOf } from "../walk.ts";

/** All problems, errors first, in the order of the graph. The server refuses to publish while there is an error. */
export function validateGraph(graph: Graph, catalogue: GraphCatalogue): GraphProblem[] {
  const found = [
    ...shapeProblems(graph),
    ...edgeProblems(graph),
    ...reachProblems(graph),
    ...labelProblems(graph),
    ...disabledProblems(graph),
    ...placeProblems(graph, catalogue),
    ...functionProblems(graph, catalogue),
    ...customActionProblems(graph, catalogue),
    ...coreProblems(graph, catalogue.coreEntity.fields),
    ...loopProblems(graph),
  ];
  return [...found.filter((item) => item.severity === "error"), ...found.filter((item) => item.severity === "warning")];
}

export const isPublishable = (problems: readonly GraphProblem[]): boolean =>
  problems.every((item) => item.severity !== "error");

function shapeProblems(graph: Graph): GraphProblem[] {
  const found: GraphProblem[] = [];
  const cores = graph.nodes.filter(isCore);
  if (cores.length === 0) found.push(problem("core_missing"));
  for (const extra of cores.slice(1)) found.push(nodeProblem("core_repeated", extra));
  if (!graph.nodes.some(isSource)) found.push(problem("source_missing"));
  if (topologicalOrder(graph) === null) found.push(problem("circle"));
  const core = cores[0];
  if (core?.configuration["authority"] === "RANKED" && !hasItems(core.configuration["ranking"])) {
    found.push(nodeProblem("ranking_missing", core));
  }
  const sources = graph.nodes.filter(isSource);
  const hasAttach = graph.nodes.some((node) => node.apiName === "advancedAttachRecord" && !isBypassed(node));
  if (core && sources.length > 1 && !hasAttach) {
    found.push({ ...nodeProblem("attach_missing", core), severity: "warning" });
  }
  return found;
}

const hasItems = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

function edgeProblems(graph: Graph): GraphProblem[] {
  const nodes = nodeMap(graph);
  const refused = refusedEdges(graph).map((edge) => {
    const node = nodes.get(edge.target) ?? nodes.get(edge.source);
    return problem("edge_refused", {
      nodeId: node?.id ?? null,
      targetId: edge.edgeId,
      facts: { label: node ? nodeTitle(node) : "Edge", reason: words[edge.reason] },
    });
  });
  const loose = graph.edges
    .filter((edge) => edge.targetAnchor === null)
    .map((edge) => {
      const node = nodes.get(edge.destination.nodeId) ?? nodes.get(edge.source.nodeId);
      const facts = { label: node ? nodeTitle(node) : "Edge" };
      return problem("edge_anchor_missing", { nodeId: node?.id ?? null, targetId: edge.id, facts });
    });
  return [...refused, ...loose];
}

function reachProblems(graph: Graph): GraphProblem[] {
  const core = graph.nodes.find(isCore);
  if (!core) return [];
  const toCore = upstreamOf(graph, core.id);
  const fromCore = reachableFrom(graph, [core.id]);
  const fromSources = reachableFrom(
    graph,
    graph.nodes.filter(isSource).map((node) => node.id),
  );
  return graph.nodes.flatMap((node): GraphProblem[] => {
    if (node === core || node.nodeType === "CUSTOM_GROUP") return [];
    if (isSource(node)) return toCore.has(node.id) ? [] : [nodeProblem("source_not_connected", node)];
    if (isSink(node)) return fromCore.has(node.id) ? [] : [nodeProblem("sink_not_connected", node)];
    if (!fromSources.has(node.id) && !fromCore.has(node.id)) return [nodeProblem("node_unreachable", node)];
    const ends = edgesOutOf(graph, node.id).length === 0 && node.nodeType === "FUNCTION";
    return ends ? [{ ...nodeProblem("node_leads_nowhere", node), severity: "warning" as const }] : [];
  });
}

function labelProblems(graph: Graph): GraphProblem[] {
  const seen = new Map<string, GraphNode>();
  return graph.nodes.flatMap((node): GraphProblem[] => {
    const label = node.label.trim().toLowerCase();
    if (label === "") return [nodeProblem("label_missing", node)];
    // Tokens name nodes by label; sources and sinks of one system may share its name.
    if (node.nodeType !== "FUNCTION" && node.nodeType !== "ACTION") return [];
    if (seen.has(label)) return [nodeProblem("label_repeated", node)];
    seen.set(label, node);
    return [];
  });
}

/** Nodes that others rule out. */
export function disabledProblems(graph: Graph): GraphProblem[] {
  return graph.nodes.flatMap((node) => {
    const message = disabledMessage(graph, node);
    return message === null ? [] : [nodeProblem("node_disabled", node, { message })];
  });
}

/** A loop start needs an End loop that returns to it; an End loop needs its start; nothing leads past either. */
export function loopProblems(graph: Graph): GraphProblem[] {
  const nodes = nodeMap(graph);
  const faults = loopFaults(graph).flatMap(({ nodeId, code }) => {
    const node = nodes.get(nodeId);
    return node ? [nodeProblem(code, node)] : [];
  });
  return [...faults, ...unlinkedLoops(graph)];
}

function unlinkedLoops(graph: Graph): GraphProblem[] {
  const nodes = nodeMap(graph);
  const returns = graph.edges.filter((edge) => isLoopReturn(nodes, edge));
  return graph.nodes
    .filter((node) => isLoopStart(node) || isLoopEnd(node))
    .filter((node) => {
      const linked = isLoopStart(node)
        ? returns.some((edge) => edge.destination.nodeId === node.id)
        : returns.some((edge) => edge.source.nodeId === node.id);
      return !linked || edgesInto(graph, node.id).length === 0;
    })
    .map((node) => nodeProblem("loop_unlinked", node));
}
