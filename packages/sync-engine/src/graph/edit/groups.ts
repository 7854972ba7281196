/** Groups hold nodes together for the eye; they never change what runs. */
import type { Graph } from "@accord/contracts/sync/graph";
import { isCore, nodeById, nodeTitle } from "../elements.ts";
import { sidesOf } from "../walk.ts";

export const GROUP_REFUSALS = [
  "group_empty",
  "group_in_group",
  "group_has_core",
  "node_in_other_group",
  "source_mismatch",
  "destination_mismatch",
  "multiple_sides",
  "invalid_connections",
] as const;
export type GroupRefusal = (typeof GROUP_REFUSALS)[number];

/** The reason why these nodes can't form a group, or null. `groupId` names the group when it exists already. */
export function whyGroupRefused(graph: Graph, nodeIds: readonly string[], groupId?: string): GroupRefusal | null {
  if (nodeIds.length === 0) return "group_empty";
  const members = nodeIds.map((id) => nodeById(graph, id));
  const inside = new Set(nodeIds);
  if (nodeIds.some((id) => graph.groups.some((group) => group.id === id))) return "group_in_group";
  for (const node of members) {
    if (!node) return "invalid_connections";
    if (node.nodeType === "CUSTOM_GROUP") return "group_in_group";
    if (isCore(node)) return "group_has_core";
    if (node.groupId && node.groupId !== groupId) return "node_in_other_group";
  }
  return whySidesRefused(graph, nodeIds) ?? whyConnectionsRefused(graph, inside);
}

/** The reason why these nodes can't join the group, or null. They leave their own groups, but a whole group can't join. */
export function whyMoveIntoGroupRefused(
  graph: Graph,
  nodeIds: readonly string[],
  groupId: string,
): GroupRefusal | null {
  const moved = new Set(nodeIds);
  if (graph.groups.some(({ id }) => id !== groupId && isWholeGroup(graph, id, moved))) return "group_in_group";
  const nodes = graph.nodes.map((node) => (moved.has(node.id) ? { ...node, groupId: null } : node));
  const members = nodes.filter((node) => node.groupId === groupId || moved.has(node.id)).map(({ id }) => id);
  return whyGroupRefused({ ...graph, nodes }, members, groupId);
}

/** Whether several nodes are grouped and all of them are meant; a group of one goes with its node. */
function isWholeGroup(graph: Graph, groupId: string, nodeIds: ReadonlySet<string>): boolean {
  const members = graph.nodes.filter((node) => node.groupId === groupId);
  return members.length > 1 && members.every(({ id }) => nodeIds.has(id));
}

function whySidesRefused(graph: Graph, nodeIds: readonly string[]): GroupRefusal | null {
  const sides = sidesOf(graph);
  const found = new Set(nodeIds.map((id) => sides.get(id) ?? "unconnected"));
  return found.has("source") && found.has("destination") ? "multiple_sides" : null;
}

/**
 * A collapsed group must look like one node: what enters from outside enters all entry members alike, and what leaves
 * to outside leaves all exit members alike.
 */
function whyConnectionsRefused(graph: Graph, inside: ReadonlySet<string>): GroupRefusal | null {
  const entering = new Map<string, Set<string>>();
  const leaving = new Map<string, Set<string>>();
  for (const edge of graph.edges) {
    const from = inside.has(edge.source.nodeId);
    const to = inside.has(edge.destination.nodeId);
    if (!from && to) put(entering, edge.destination.nodeId, edge.source.nodeId);
    if (from && !to) put(leaving, edge.source.nodeId, edge.destination.nodeId);
  }
  const sources = alike(entering);
  const destinations = alike(leaving);
  if (!sources && !destinations) return "invalid_connections";
  if (!sources) return "source_mismatch";
  return destinations ? null : "destination_mismatch";
}

function put(map: Map<string, Set<string>>, key: string, value: string): void {
  const set = map.get(key);
  if (set) set.add(value);
  else map.set(key, new Set([value]));
}

function alike(sets: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const [first, ...rest] = sets.values();
  return !first || rest.every((set) => set.size === first.size && [...set].every((item) => first.has(item)));
}

/** The words under a group's name: its members' labels. */
export function childNodeSummary(graph: Graph, groupId: string): string {
  return graph.nodes
    .filter((node) => node.groupId === groupId)
    .map(nodeTitle)
    .join(", ");
}
