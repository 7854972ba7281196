/** Dragging the area of a group: its members move with it, while it is dragged and once it is let go. Pure. */
import type { Graph } from "@accord/contracts/sync/graph";
import type { Point } from "@accord/sync-engine/graph";
import type { NodeChange, NodePositionChange } from "@xyflow/react";
import { areaFrame, type FlowNode } from "../canvas.model.ts";

/** The changes of places with those of the members of each area among them. */
export function withMembers(
  changes: readonly NodePositionChange[],
  nodes: readonly FlowNode[],
): NodeChange<FlowNode>[] {
  const own = new Set(changes.map(({ id }) => id));
  const drawn = new Map(nodes.map((node) => [node.id, node]));
  const members = changes.flatMap(({ id, position, dragging }) => {
    const area = drawn.get(id);
    if (area?.type !== "area" || !position) return [];
    return area.data.memberIds.flatMap((memberId): NodePositionChange[] => {
      const member = drawn.get(memberId);
      if (!member || own.has(memberId)) return [];
      const to = moved(member.position, area.position, position);
      return [{ id: memberId, type: "position", position: to, ...(dragging === undefined ? {} : { dragging }) }];
    });
  });
  return [...changes, ...members];
}

/** Where the nodes of the graph are once these are let go. */
export function placesAfter(graph: Graph, dragged: readonly FlowNode[]): Map<string, Point> {
  const to = new Map<string, Point>();
  for (const area of dragged) {
    const group = graph.groups.find(({ id }) => area.type === "area" && id === area.id);
    if (!group) continue;
    const members = graph.nodes.filter(({ groupId }) => groupId === group.id);
    const from = areaFrame(members, group).position;
    for (const { id, location } of members) to.set(id, moved(location, from, area.position));
  }
  for (const { id, type, position } of dragged) if (type !== "area") to.set(id, position);
  return to;
}

const moved = (place: Point, from: Point, to: Point): Point => ({
  x: place.x + to.x - from.x,
  y: place.y + to.y - from.y,
});
