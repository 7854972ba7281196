/** Which group nodes join or leave where they are let go, from where the pointer and the nodes are. Pure. */
import type { Graph } from "@accord/contracts/sync/graph";
import { setGroup, whyMoveIntoGroupRefused, type GroupRefusal, type Point } from "@accord/sync-engine/graph";
import type { Box } from "../boxes.ts";

export interface GroupDrop {
  /** The group under the pointer, those of the dragged nodes that are not in it, and why they can't join. */
  into: { groupId: string; nodeIds: readonly string[]; refusal: GroupRefusal | null } | null;
  /** Nodes that leave their groups. */
  out: readonly string[];
}

export const NO_DROP: GroupDrop = { into: null, out: [] };

interface Dragged {
  graph: Graph;
  /** Areas of the groups as they were before the drag, the topmost last. */
  areas: ReadonlyMap<string, Box>;
  /** Where the dragged nodes are. */
  nodes: ReadonlyMap<string, Box>;
  pointer: Point;
}

/**
 * The pointer says which group is joined. A node leaves its group once it lies outside the area altogether, so that a
 * group can be made larger by dragging a member over its edge. A group whose members are all dragged moves as it is.
 */
export function groupDrop({ graph, areas, nodes, pointer }: Dragged): GroupDrop {
  const members = Map.groupBy(
    graph.nodes.filter((node) => node.groupId),
    (node) => node.groupId,
  );
  const isMovedWhole = (groupId: string): boolean => members.get(groupId)?.every(({ id }) => nodes.has(id)) ?? false;
  const dragged = graph.nodes.filter(({ id }) => nodes.has(id));
  const [groupId] = [...areas].findLast(([id, area]) => holds(area, pointer) && !isMovedWhole(id)) ?? [];
  if (groupId !== undefined) {
    const nodeIds = dragged.filter((node) => node.groupId !== groupId).map(({ id }) => id);
    if (nodeIds.length === 0) return NO_DROP;
    return { into: { groupId, nodeIds, refusal: whyMoveIntoGroupRefused(graph, nodeIds, groupId) }, out: [] };
  }
  const out = dragged.flatMap(({ id, groupId: own }) => {
    const [area, box] = [own ? areas.get(own) : undefined, nodes.get(id)];
    return own && area && box && !isMovedWhole(own) && !overlaps(area, box) ? [id] : [];
  });
  return out.length > 0 ? { into: null, out } : NO_DROP;
}

/** The graph after the drop; the same where nothing joins or leaves. */
export function afterDrop(graph: Graph, { into, out }: GroupDrop): Graph {
  const changed =
    into && into.refusal === null
      ? setGroup(graph, into.nodeIds, into.groupId)
      : out.length > 0
        ? setGroup(graph, out, null)
        : null;
  return changed?.ok ? changed.graph : graph;
}

/** What the drop means for one group, while the nodes are dragged. */
export function dropOn(
  { into, out }: GroupDrop,
  groupId: string,
  graph: Graph,
): "join" | "leave" | GroupRefusal | null {
  if (into?.groupId === groupId) return into.refusal ?? "join";
  return graph.nodes.some((node) => node.groupId === groupId && out.includes(node.id)) ? "leave" : null;
}

export const isSameDrop = (one: GroupDrop | null, other: GroupDrop): boolean =>
  one !== null &&
  one.into?.groupId === other.into?.groupId &&
  one.out.length === other.out.length &&
  one.out.every((id, index) => id === other.out[index]);

const holds = ({ x, y, width, height }: Box, point: Point): boolean =>
  point.x >= x && point.x <= x + width && point.y >= y && point.y <= y + height;

const overlaps = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;
