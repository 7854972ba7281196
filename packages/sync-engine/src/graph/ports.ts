/** Ways out of a node: one port for each branch, named by the type of the edges that leave by it. */
import { EDGE_TYPE_DEFAULT, type Graph, type GraphEdge, type GraphNode } from "@accord/contracts/sync/graph";
import { edgesOutOf, functionName, isPredicate, isSink } from "./elements.ts";

export const TRUE_PORT = "true";
export const FALSE_PORT = "false";
/** Of a Case: the records for which no case held. */
export const OTHERWISE_PORT = "Default";

/** Of a Case: all records, as by the default edge. */
export const ANY_CASE = "Any";

/** Edge types by which edges may leave the node, in the order in which they are shown. */
export function outPorts(node: GraphNode): string[] {
  if (isSink(node)) return [];
  if (isPredicate(node)) return [TRUE_PORT, FALSE_PORT];
  if (functionName(node) === "case") return [...new Set([...caseNames(node), OTHERWISE_PORT, EDGE_TYPE_DEFAULT])];
  return [EDGE_TYPE_DEFAULT];
}

/** Names of a Case's cases, in order; empty for one without a name. */
function namesOfCases(node: GraphNode): string[] {
  const cases = node.configuration["cases"];
  if (!Array.isArray(cases)) return [];
  return cases.map((one: unknown) =>
    typeof one === "object" && one !== null && "name" in one && typeof one.name === "string" ? one.name.trim() : "",
  );
}

const caseNames = (node: GraphNode): string[] => namesOfCases(node).filter((name) => name !== "");

/** Cases of a Case that leads on by others: the records of these go no further. */
export function casesLeadingNowhere(graph: Graph, node: GraphNode): string[] {
  if (functionName(node) !== "case") return [];
  const taken = new Set(edgesOutOf(graph, node.id).map(({ edgeType }) => edgeType));
  if (taken.size === 0 || taken.has(EDGE_TYPE_DEFAULT) || taken.has(ANY_CASE)) return [];
  return [...new Set(caseNames(node))].filter((name) => !taken.has(name));
}

/** New names of a Case's cases by their old ones; a name that two cases have, or had, stands for neither. */
export function renamedCases(before: GraphNode, after: GraphNode): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>();
  if (functionName(before) !== "case") return renamed;
  const [old, now] = [namesOfCases(before), namesOfCases(after)];
  if (old.length !== now.length) return renamed;
  const isOne = (names: readonly string[], name: string): boolean =>
    names.indexOf(name) === names.lastIndexOf(name) && name !== "";
  for (const [index, from] of old.entries()) {
    const to = now[index] ?? "";
    if (from !== to && isOne(old, from) && isOne(now, to) && !old.includes(to)) renamed.set(from, to);
  }
  return renamed;
}

/** The port that an edge leaves by; edges of a branch that is gone stay visible at the first port. */
export function portOf(node: GraphNode, edge: Pick<GraphEdge, "edgeType">): string {
  const ports = outPorts(node);
  return ports.includes(edge.edgeType) ? edge.edgeType : (ports[0] ?? EDGE_TYPE_DEFAULT);
}

/** The edge type for a further edge out of a node: the first branch that nothing leaves by yet. */
export function freePort(graph: Graph, node: GraphNode): string {
  const ports = outPorts(node);
  // Records of every case at once are asked for by name only.
  const branches = ports.length > 1 ? ports.filter((port) => port !== EDGE_TYPE_DEFAULT) : ports;
  const taken = new Set(edgesOutOf(graph, node.id).map((edge) => edge.edgeType));
  return branches.find((port) => !taken.has(port)) ?? branches[0] ?? EDGE_TYPE_DEFAULT;
}
