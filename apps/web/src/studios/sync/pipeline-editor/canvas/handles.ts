/** Handles of a node: where edges begin and end, by name and place. */
import type { GraphNode } from "@accord/contracts/sync/graph";
import { isLoopEnd, isLoopStart, isSource, NODE_SIZE, nodeHeight, outPorts, portTop } from "@accord/sync-engine/graph";
import { Position, type NodeHandle } from "@xyflow/react";

/** Handle of every node that edges lead into, and the two by which a loop leads back. */
export const IN_HANDLE = "in";
export const BACK_HANDLE = "back";

/** Room above the members of a group that is open, for its name. */
export const GROUP_HEADER = 30;

const HANDLE_SIZE = 10;

/** Places of a node's handles, so that edges are drawn to nodes that are out of view and were never measured. */
export function handlesOf(node: GraphNode): NodeHandle[] {
  const size = { width: HANDLE_SIZE, height: HANDLE_SIZE };
  const half = HANDLE_SIZE / 2;
  const handles: NodeHandle[] = outPorts(node).map((id, index) => ({
    ...size,
    id,
    type: "source",
    position: Position.Right,
    x: NODE_SIZE.width - half,
    y: portTop(node, index) - half,
  }));
  if (!isSource(node))
    handles.push({ ...size, id: IN_HANDLE, type: "target", position: Position.Left, x: -half, y: IN_TOP - half });
  const back = { ...size, id: BACK_HANDLE, position: Position.Bottom, x: NODE_SIZE.width / 2 - half };
  const bottom = nodeHeight(node) - half;
  if (isLoopEnd(node)) handles.push({ ...back, type: "source", y: bottom });
  if (isLoopStart(node)) handles.push({ ...back, type: "target", y: bottom });
  return handles;
}

/** Height of the handle that edges lead into, below the node's upper edge. */
export const IN_TOP = NODE_SIZE.height / 2;
