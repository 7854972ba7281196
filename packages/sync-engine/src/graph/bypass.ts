/** Nodes that somebody switched off: records pass them unchanged, and nothing that they say of themselves is checked. */
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";
import { functionName, isLogic, LOOP_SIDE_FUNCTIONS } from "./elements.ts";
import { outPorts } from "./ports.ts";

/** Where records come in, go out or part ways, passing unchanged would mean nothing. */
export function mayBypass(node: GraphNode): boolean {
  const name = functionName(node);
  return name !== "" && !isLogic(node) && !LOOP_SIDE_FUNCTIONS.includes(name) && outPorts(node).length === 1;
}

export const isBypassed = (node: GraphNode): boolean => node.bypassed === true && mayBypass(node);

/** Switches nodes off, or on again if all of them that may be are off; the others stay as they are. */
export function toggleBypass(graph: Graph, ids: ReadonlySet<string>): Graph {
  const chosen = graph.nodes.filter((node) => ids.has(node.id) && mayBypass(node));
  if (chosen.length === 0) return graph;
  const isOn = !chosen.every(isBypassed);
  const nodes = graph.nodes.map((node) => {
    if (!chosen.includes(node)) return node;
    const { bypassed: _, ...rest } = node;
    return isOn ? { ...rest, bypassed: true } : rest;
  });
  return { ...graph, nodes };
}
