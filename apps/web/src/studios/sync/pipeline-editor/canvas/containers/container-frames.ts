/** Frames drawn around nodes: of loops, which follow from the edges, and of open groups. What lies inside another nests in it. Pure. */
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";
import { isLoopEnd, isLoopStart, loopRegions, NODE_SIZE, nodeHeight } from "@accord/sync-engine/graph";
import type { Box } from "../boxes.ts";
import { GROUP_HEADER } from "../handles.ts";

interface Around {
  /** Of what is drawn. */
  id: string;
  nodeIds: ReadonlySet<string>;
  /** Those whose nodes are all among these. */
  inner: readonly Container[];
}

export type Container = Around & ({ kind: "group" } | { kind: "loop"; startId: string; endId: string });

/** Of a loop: where its way back runs. */
export type Frame = Box & { backY: number };

/** Between a frame and the nodes inside. */
const PADDING = 20;
/** Between a frame and one inside. */
const NESTED = 8;
/** Above the nodes of a loop, for its label. */
const LOOP_HEADER = 26;
/** Below what is inside a loop runs its way back; then the frame ends. */
const BACK_DEPTH = 22;
const BELOW_BACK = 12;
/** Below the ends of a loop that a group holds in part. */
const WAY_BACK_DEPTH = 18;

export const loopAreaId = (startId: string): string => `loop-of-${startId}`;

const isInside = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size <= other.size && [...one].every((id) => other.has(id));

/** The outer ones first. A loop in a group that is collapsed is not drawn. */
function containersIn(graph: Graph): Container[] {
  const groupOf = new Map(graph.nodes.map((node) => [node.id, node.groupId ?? undefined]));
  const collapsed = new Set(graph.groups.filter((group) => group.collapsed).map(({ id }) => id));
  const loops = loopRegions(graph).flatMap(({ startId, endId, body }) => {
    const nodeIds = new Set([startId, ...body, endId]);
    const group = groupOf.get(startId);
    const isHidden =
      group !== undefined && collapsed.has(group) && [...nodeIds].every((id) => groupOf.get(id) === group);
    return isHidden ? [] : [{ kind: "loop" as const, id: loopAreaId(startId), startId, endId, nodeIds }];
  });
  const members = Map.groupBy(
    graph.nodes.filter((node) => node.groupId),
    (node) => node.groupId,
  );
  const groups = graph.groups
    .filter(({ id }) => !collapsed.has(id))
    .map(({ id }) => ({
      kind: "group" as const,
      id,
      nodeIds: new Set((members.get(id) ?? []).map((node) => node.id)),
    }));
  const all = [...groups, ...loops].sort((a, b) => b.nodeIds.size - a.nodeIds.size);
  const made: Container[] = [];
  for (const each of all.toReversed())
    made.unshift({ ...each, inner: made.filter((other) => isInside(other.nodeIds, each.nodeIds)) });
  return made;
}

/** Frames around what the boxes of nodes and, where they are given, of groups say. */
export function framesOf(
  containers: readonly Container[],
  boxOf: (nodeId: string) => Box | undefined,
  drawn: ReadonlyMap<string, Box> = new Map(),
): Map<string, Frame> {
  const frames = new Map<string, Frame>();
  for (const container of containers.toReversed()) {
    const fixed = container.kind === "group" ? drawn.get(container.id) : undefined;
    const nodes = [...container.nodeIds].flatMap((id) => boxOf(id) ?? []);
    const inner = container.inner.flatMap(({ id }) => frames.get(id) ?? []);
    if (fixed) frames.set(container.id, { ...fixed, backY: fixed.y + fixed.height });
    else if (nodes.length > 0) frames.set(container.id, frameAround(container, nodes, inner));
  }
  return frames;
}

function frameAround({ kind }: Container, nodes: readonly Box[], inner: readonly Box[]): Frame {
  const header = kind === "group" ? GROUP_HEADER : LOOP_HEADER;
  // Labels of loops stand beside those of loops inside; a group's head has the whole width.
  const above = kind === "group" ? GROUP_HEADER : NESTED;
  const left = Math.min(...nodes.map(({ x }) => x - PADDING), ...inner.map(({ x }) => x - NESTED));
  const right = Math.max(
    ...nodes.map(({ x, width }) => x + width + PADDING),
    ...inner.map(({ x, width }) => x + width + NESTED),
  );
  const top = Math.min(...nodes.map(({ y }) => y - header), ...inner.map(({ y }) => y - above));
  const lowest = Math.max(...[...nodes, ...inner].map(({ y, height }) => y + height));
  const backY = lowest + BACK_DEPTH;
  const innerBottom = Math.max(-Infinity, ...inner.map(({ y, height }) => y + height + NESTED));
  const nodesBottom = Math.max(...nodes.map(({ y, height }) => y + height + PADDING));
  const bottom = kind === "loop" ? backY + BELOW_BACK : Math.max(innerBottom, nodesBottom);
  return { x: left, y: top, width: right - left, height: bottom - top, backY };
}

export interface DrawnContainers {
  containers: readonly Container[];
  frames: ReadonlyMap<string, Frame>;
}

const known = new WeakMap<Graph, DrawnContainers>();

/** The containers of a graph with their frames; the same graph finds them as they are. */
export function drawnContainers(graph: Graph): DrawnContainers {
  const before = known.get(graph);
  if (before) return before;
  const containers = containersIn(graph);
  const boxes = nodeBoxes(graph, containers);
  const made = { containers, frames: framesOf(containers, (id) => boxes.get(id)) };
  known.set(graph, made);
  return made;
}

/** A member of a collapsed group is where the group's card is. */
function nodeBoxes(graph: Graph, containers: readonly Container[]): Map<string, Box> {
  const looped = new Set(containers.flatMap((each) => (each.kind === "loop" ? [each.startId, each.endId] : [])));
  const boxes = new Map<string, Box>();
  for (const node of graph.nodes) {
    const depth = !looped.has(node.id) && (isLoopStart(node) || isLoopEnd(node)) ? WAY_BACK_DEPTH : 0;
    boxes.set(node.id, { ...node.location, width: NODE_SIZE.width, height: nodeHeight(node) + depth });
  }
  for (const { id } of graph.groups.filter(({ collapsed }) => collapsed)) {
    const members = graph.nodes.filter(({ groupId }) => groupId === id);
    const card = collapsedCard(members);
    for (const member of members) boxes.set(member.id, card);
  }
  return boxes;
}

/** Where the first of its members begins. */
export const collapsedCard = (members: readonly GraphNode[]): Box => ({
  x: Math.min(...members.map(({ location }) => location.x)),
  y: Math.min(...members.map(({ location }) => location.y)),
  width: NODE_SIZE.width,
  height: NODE_SIZE.height,
});
