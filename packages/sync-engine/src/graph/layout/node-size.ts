/** How large nodes are drawn: layout, editor and canvas must agree. Pixels of the canvas at full size. */
import type { GraphNode } from "@accord/contracts/sync/graph";
import { isLoopEnd, isLoopStart } from "../elements.ts";
import { outPorts } from "../ports.ts";

export const NODE_SIZE = { width: 196, height: 52, portRow: 24, portsEnd: 6 } as const;

/** Whether each way out has a row with its name: branches, and the ends of loops. */
export const hasPortRows = (node: GraphNode): boolean =>
  outPorts(node).length > 1 || isLoopStart(node) || isLoopEnd(node);

export function nodeHeight(node: GraphNode): number {
  const ports = outPorts(node).length;
  return hasPortRows(node) ? NODE_SIZE.height + ports * NODE_SIZE.portRow + NODE_SIZE.portsEnd : NODE_SIZE.height;
}

/** Height of a way out below the node's upper edge. */
export function portTop(node: GraphNode, index: number): number {
  return hasPortRows(node)
    ? NODE_SIZE.height + index * NODE_SIZE.portRow + NODE_SIZE.portRow / 2
    : NODE_SIZE.height / 2;
}
