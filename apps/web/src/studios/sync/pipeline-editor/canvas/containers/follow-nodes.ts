/** While nodes are dragged, the frames of loops follow them; frames of groups stay, so that a node can leave its group. Pure. */
import type { Graph } from "@accord/contracts/sync/graph";
import { nodeHeight, type Point } from "@accord/sync-engine/graph";
import type { NodeChange, NodePositionChange } from "@xyflow/react";
import { type Box, boxOf } from "../boxes.ts";
import type { FlowNode } from "../canvas.model.ts";
import { drawnContainers, framesOf } from "./container-frames.ts";

/** The nodes with the frames of loops around where their nodes are now; frames that fit stay the same objects. */
export function withLoopFrames(graph: Graph, nodes: FlowNode[]): FlowNode[] {
  const { containers } = drawnContainers(graph);
  if (!containers.some(({ kind }) => kind === "loop")) return nodes;
  const [boxes, groups] = [new Map<string, Box>(), new Map<string, Box>()];
  for (const node of nodes) {
    if (node.type === "pipeline") boxes.set(node.id, { ...boxOf(node), height: nodeHeight(node.data.node) });
    if (node.type !== "area") continue;
    if (node.data.group.collapsed) for (const id of node.data.memberIds) boxes.set(id, boxOf(node));
    else groups.set(node.id, boxOf(node));
  }
  const frames = framesOf(containers, (id) => boxes.get(id), groups);
  return nodes.map((node) => {
    const frame = node.type === "loop" ? frames.get(node.id) : undefined;
    if (!frame || isSameBox(boxOf(node), frame)) return node;
    const { x, y, width, height } = frame;
    return { ...node, position: { x, y }, width, height, measured: { width, height } };
  });
}

const isSameBox = (one: Box, other: Box): boolean =>
  one.x === other.x && one.y === other.y && one.width === other.width && one.height === other.height;

/** The changes of places with those of what each area carries among them. */
export function withMembers(
  changes: readonly NodePositionChange[],
  nodes: readonly FlowNode[],
): NodeChange<FlowNode>[] {
  const own = new Set(changes.map(({ id }) => id));
  const drawn = new Map(nodes.map((node) => [node.id, node]));
  const members = changes.flatMap(({ id, position, dragging }) => {
    const area = drawn.get(id);
    if ((area?.type !== "area" && area?.type !== "loop") || !position) return [];
    return area.data.carriedIds.flatMap((carriedId): NodePositionChange[] => {
      const carried = drawn.get(carriedId);
      if (!carried || own.has(carriedId)) return [];
      const to = moved(carried.position, area.position, position);
      return [{ id: carriedId, type: "position", position: to, ...(dragging === undefined ? {} : { dragging }) }];
    });
  });
  return [...changes, ...members];
}

/** Where the nodes of the graph are once these are let go. */
export function placesAfter(graph: Graph, dragged: readonly FlowNode[]): Map<string, Point> {
  const to = new Map<string, Point>();
  for (const area of dragged) {
    if (area.type !== "area" && area.type !== "loop") continue;
    const nodeIds = new Set(area.type === "area" ? area.data.memberIds : area.data.nodeIds);
    const members = graph.nodes.filter(({ id }) => nodeIds.has(id));
    const from = frameIn(
      graph,
      area,
      members.map(({ location }) => location),
    );
    for (const { id, location } of members) to.set(id, moved(location, from, area.position));
  }
  for (const { id, type, position } of dragged) if (type === "pipeline" || type === "note") to.set(id, position);
  return to;
}

function frameIn(graph: Graph, area: FlowNode, members: readonly Point[]): Point {
  const frame = drawnContainers(graph).frames.get(area.id);
  return frame ?? { x: Math.min(...members.map(({ x }) => x)), y: Math.min(...members.map(({ y }) => y)) };
}

const moved = (place: Point, from: Point, to: Point): Point => ({
  x: place.x + to.x - from.x,
  y: place.y + to.y - from.y,
});
