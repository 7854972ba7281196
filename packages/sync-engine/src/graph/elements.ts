/** What kinds of nodes there are and what the rules call them. */
import type { Graph, GraphEdge, GraphNode } from "@accord/contracts/sync/graph";

export const LOOP_START_FUNCTIONS: readonly string[] = ["forEach"];
export const LOOP_SIDE_FUNCTIONS: readonly string[] = ["forEach", "endLoop", "loop"];
/** Functions that steer the flow: copying one without its surroundings would leave edges in the air. */
export const LOGIC_FUNCTIONS: readonly string[] = ["predicate", "caseBranch", "forEach", "endLoop"];

/** The name of a function or action node, empty for all other kinds. */
export function functionName(node: GraphNode): string {
  return node.nodeType === "FUNCTION" || node.nodeType === "ACTION" ? node.apiName : "";
}

export const isPredicate = (node: GraphNode): boolean => functionName(node) === "predicate";
export const isLogic = (node: GraphNode): boolean => LOGIC_FUNCTIONS.includes(functionName(node));
export const isLoopStart = (node: GraphNode): boolean =>
  LOOP_START_FUNCTIONS.includes(functionName(node)) || node.configuration.loopStart === true;
export const isCustomAction = (node: GraphNode): boolean => functionName(node) === "customAction";
/** Runs code of a person. */
export const isCode = (node: GraphNode): boolean => functionName(node) === "customCode";
export const isLoopEnd = (node: GraphNode): boolean => functionName(node) === "endLoop";
export const isCore = (node: GraphNode): boolean =>
  node.nodeType === "CORE_ENTITY" || node.nodeType === "CORE_ATTRIBUTE";
export const isSource = (node: GraphNode): boolean =>
  node.nodeType === "ENTITY_SOURCE" || node.nodeType === "ATTRIBUTE_SOURCE";
export const isSink = (node: GraphNode): boolean =>
  node.nodeType === "ENTITY_SINK" || node.nodeType === "ATTRIBUTE_SINK";

export const nodeById = (graph: Graph, id: string): GraphNode | undefined => graph.nodes.find((node) => node.id === id);
export const edgesInto = (graph: Graph, id: string): GraphEdge[] =>
  graph.edges.filter((edge) => edge.destination.nodeId === id);
export const edgesOutOf = (graph: Graph, id: string): GraphEdge[] =>
  graph.edges.filter((edge) => edge.source.nodeId === id);

/** What a person reads: the label, or the name while there is none. */
export const nodeTitle = (node: GraphNode): string => node.label || node.name || node.displayName || node.id;
