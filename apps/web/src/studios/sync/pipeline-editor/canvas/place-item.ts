/** Puts something from the palette into a graph: connected the way its kind and its place suggest, with room around it. */
import {
  addEdge,
  addLoop,
  addNode,
  addNodeAfter,
  carryNotes,
  DEFAULT_LOCATION,
  edgesInto,
  edgesOutOf,
  freePort,
  freeSpot,
  type InsertedFragment,
  insertFragment,
  insertOnEdge,
  isCore,
  isLoopStart,
  isSink,
  isSource,
  isLoopReturn,
  makeRoom,
  moveClear,
  moveNodes,
  nodeById,
  nodeMap,
  nodeHeight,
  outPorts,
  reachableFrom,
  removeEdge,
  TIDY,
  type Point,
} from "@accord/sync-engine/graph";
import type { Graph, GraphEdge, GraphNode } from "@accord/contracts/sync/graph";
import { type FragmentItem, newElementId, nodeFrom, type NodeItem } from "./new-node.ts";

/** Where something goes. Without anything it stands on its own. */
export interface ItemPlace {
  /** Behind this node, by this way out; onto the edge there, if there is one alone. */
  afterId?: string | undefined;
  port?: string | undefined;
  /** In front of this node. */
  beforeId?: string | undefined;
  /** Onto this edge. */
  edgeId?: string | undefined;
  /** Exactly here: the edge behind `afterId` stays as it is, a new one is drawn. */
  location?: Point | undefined;
}

export interface Placed {
  graph: Graph;
  /** The node that was placed, or the first of several. */
  node: GraphNode;
  nodeIds: readonly string[];
}

/** Notes go along with the nodes that make room. */
export function placeItem(graph: Graph, item: NodeItem | FragmentItem, place: ItemPlace): Placed {
  const placed = item.kind === "fragment" ? placeFragment(graph, item, place) : placeNode(graph, item, place);
  return { ...placed, graph: carryNotes(graph, placed.graph) };
}

function placeNode(graph: Graph, item: NodeItem, place: ItemPlace): Placed {
  const node = nodeFrom(item);
  const placed =
    item.kind === "source" || item.kind === "sink"
      ? placeSystem(graph, node, place)
      : "closing" in item && item.closing
        ? placeLoop(graph, node, nodeFrom(item.closing), place)
        : placeStep(graph, node, place);
  return { graph: placed, node: nodeById(placed, node.id) ?? node, nodeIds: [node.id] };
}

/** A copy of the fragment: onto the edge or behind the node where it begins and ends with one node each. */
function placeFragment(graph: Graph, item: FragmentItem, place: ItemPlace): Placed {
  const edge = edgeFor(graph, place);
  const after = place.afterId ? nodeById(graph, place.afterId) : undefined;
  const location =
    place.location ??
    (edge ? spotOn(graph, edge) : after ? spotBehind(graph, after, place.port) : freeSpot(graph, DEFAULT_LOCATION));
  const made = insertFragment(graph, item, location, newElementId);
  const placed = made.nodeIds.flatMap((id) => nodeById(made.graph, id) ?? []);
  const [first] = placed;
  if (!first) throw new Error("a fragment has at least one node");
  const joined = joinFragment(made, { edge, after, port: place.port });
  const spread =
    joined === made.graph ? moveClear(joined, [...made.nodeIds, ...made.noteIds]) : makeRoom(joined, made.nodeIds);
  return { graph: spread, node: first, nodeIds: made.nodeIds };
}

function joinFragment(
  { graph, nodeIds }: InsertedFragment,
  { edge, after, port }: { edge: GraphEdge | undefined; after: GraphNode | undefined; port: string | undefined },
): Graph {
  const [first, ...otherFirst] = nodeIds.filter((id) => edgesInto(graph, id).length === 0);
  const [last, ...otherLast] = nodeIds.filter((id) => edgesOutOf(graph, id).length === 0);
  if (first === undefined || otherFirst.length > 0) return graph;
  if (edge) {
    if (last === undefined || otherLast.length > 0) return graph;
    const way = { id: newElementId(), source: edge.source.nodeId, target: first, edgeType: edge.edgeType };
    const into = addEdge(removeEdge(graph, edge.id), way, "inserted");
    if (!into.ok) return graph;
    const back = { id: newElementId(), source: last, target: edge.destination.nodeId };
    const out = addEdge(into.graph, back, "inserted");
    return out.ok ? out.graph : graph;
  }
  if (!after) return graph;
  const way = { id: newElementId(), source: after.id, target: first, ...(port ? { edgeType: port } : {}) };
  const into = addEdge(graph, way, "inserted");
  return into.ok ? into.graph : graph;
}

/** The edge that a new node is put onto: the one named, or the only one behind the node. */
function edgeFor(graph: Graph, place: ItemPlace): GraphEdge | undefined {
  if (place.edgeId) return graph.edges.find((edge) => edge.id === place.edgeId);
  if (!place.afterId || place.location) return undefined;
  const after = nodeById(graph, place.afterId);
  const hasFreeBranch =
    after &&
    outPorts(after).length > 1 &&
    !edgesOutOf(graph, after.id).some(({ edgeType }) => edgeType === freePort(graph, after));
  if (place.port === undefined && hasFreeBranch) return undefined;
  // Where ways part, only the person knows which one is meant.
  const nodes = nodeMap(graph);
  const [only, ...others] = edgesOutOf(graph, place.afterId)
    .filter((edge) => !isLoopReturn(nodes, edge))
    .filter((edge) => place.port === undefined || edge.edgeType === place.port);
  return others.length === 0 ? only : undefined;
}

function placeStep(graph: Graph, node: GraphNode, place: ItemPlace): Graph {
  const edge = edgeFor(graph, place);
  const inserted = edge ? insertOnEdge(graph, edge.id, node, newElementId) : null;
  if (edge && inserted?.ok) return standing(inserted.graph, node, place.location ?? spotOn(graph, edge));
  const after = place.afterId ? nodeById(graph, place.afterId) : undefined;
  if (after) {
    const added = addNodeAfter(graph, after.id, node, newElementId, place.port);
    if (added.ok) return standing(added.graph, node, place.location ?? spotBehind(graph, after, place.port));
  }
  return connectBefore(standing(addNode(graph, node), node, freeFor(graph, node, place)), node, place.beforeId);
}

/** A loop has its End loop at once, with room for one node between. */
function placeLoop(graph: Graph, start: GraphNode, end: GraphNode, place: ItemPlace): Graph {
  const edge = edgeFor(graph, place);
  const after = place.afterId ? nodeById(graph, place.afterId) : undefined;
  const first =
    place.location ??
    (edge ? spotOn(graph, edge) : after ? spotBehind(graph, after, place.port) : freeFor(graph, start, place));
  const at = edge ? { edgeId: edge.id } : { afterId: place.afterId, edgeType: place.port };
  const looped = addLoop(graph, { start, end }, at, newElementId);
  const last = { x: first.x + 2 * TIDY.column, y: first.y };
  const placed = moveNodes(
    looped,
    new Map([
      [start.id, first],
      [end.id, last],
    ]),
  );
  const shifted = edge
    ? shiftBehind(placed, edge.destination.nodeId, last.x + TIDY.column, [start.id, end.id])
    : placed;
  return makeRoom(shifted, [start.id, end.id]);
}

/** What follows a loop that was put onto its connection goes on to the right of it, and not between its ends. */
function shiftBehind(graph: Graph, nodeId: string, x: number, except: readonly string[]): Graph {
  const by = x - (nodeById(graph, nodeId)?.location.x ?? x);
  if (by <= 0) return graph;
  const behind = [...reachableFrom(graph, [nodeId])].filter((id) => !except.includes(id));
  return moveNodes(
    graph,
    new Map(
      behind.flatMap((id): [string, Point][] => {
        const { location } = nodeById(graph, id) ?? {};
        return location ? [[id, { x: location.x + by, y: location.y }]] : [];
      }),
    ),
  );
}

/** A new source leads into the core entity and the core entity into a new destination: what nearly everybody wants. */
function placeSystem(graph: Graph, node: GraphNode, place: ItemPlace): Graph {
  const core = graph.nodes.find(isCore);
  const added = addNode(graph, node);
  const after = place.afterId ? nodeById(graph, place.afterId) : undefined;
  const isBehindCore = after && core && reachableFrom(graph, [core.id]).has(after.id) && !isSink(after);
  const from = isSource(node) ? node.id : isBehindCore ? after.id : core?.id;
  const to = isSource(node) ? (place.beforeId ?? core?.id) : node.id;
  const edge = place.edgeId ? graph.edges.find(({ id }) => id === place.edgeId) : undefined;
  const start =
    isSink(node) && edge && core && reachableFrom(graph, [core.id]).has(edge.source.nodeId) ? edge.source.nodeId : from;
  const isPortMeant = isSink(node) && start === after?.id;
  const made =
    start && to
      ? addEdge(
          added,
          {
            id: newElementId(),
            source: start,
            target: to,
            ...(isPortMeant && place.port ? { edgeType: place.port } : {}),
          },
          "inserted",
        )
      : null;
  const connected = made?.ok ? made.graph : added;
  const wanted =
    place.location ??
    (isSource(node) ? spotOfSource(graph, core) : spotOfSink(graph, core, nodeById(graph, start ?? "")));
  return moveNodes(connected, new Map([[node.id, freeSpot(graph, wanted)]]));
}

/** Left of everything, beside the other sources. */
function spotOfSource(graph: Graph, core: GraphNode | undefined): Point {
  const [first] = graph.nodes.filter(isSource);
  if (first) return first.location;
  const left = Math.min(...graph.nodes.map((node) => node.location.x), core?.location.x ?? 0);
  return { x: left - 2 * TIDY.column, y: core?.location.y ?? 0 };
}

/** Right of everything, beside the other destinations; level with what leads there. */
function spotOfSink(graph: Graph, core: GraphNode | undefined, from: GraphNode | undefined): Point {
  const sinks = graph.nodes.filter(isSink).map((node) => node.location.x);
  const others = graph.nodes.filter((node) => !isSink(node)).map((node) => node.location.x);
  const right = Math.max(...sinks, ...others.map((x) => x + TIDY.column));
  return { x: Number.isFinite(right) ? right : 0, y: (from ?? core)?.location.y ?? 0 };
}

/** Between two nodes: behind the first, on the level of the branch. */
function spotOn(graph: Graph, edge: GraphEdge): Point {
  const [from, to] = [nodeById(graph, edge.source.nodeId), nodeById(graph, edge.destination.nodeId)];
  if (!from) return to?.location ?? { x: 0, y: 0 };
  const isBranch = edgesOutOf(graph, from.id).length > 1;
  const middle = to ? (from.location.x + to.location.x) / 2 : from.location.x;
  // The body of a loop stands between its ends.
  const x = isLoopStart(from) ? from.location.x + TIDY.column : Math.max(middle, from.location.x + TIDY.column);
  return { x, y: isBranch && to ? to.location.y : from.location.y };
}

/** Behind a node; further branches below one another. A loop's way back leads to nothing behind its end. */
function spotBehind(graph: Graph, after: GraphNode, port: string | undefined): Point {
  const nodes = nodeMap(graph);
  const onwards = edgesOutOf(graph, after.id).filter((edge) => !isLoopReturn(nodes, edge)).length;
  const index = Math.max(0, port ? outPorts(after).indexOf(port) : onwards);
  const below = outPorts(after).length > 1 ? index * TIDY.row : onwards * TIDY.row;
  return { x: after.location.x + TIDY.column, y: after.location.y + below };
}

const freeFor = (graph: Graph, node: GraphNode, place: ItemPlace): Point => {
  const before = place.beforeId ? nodeById(graph, place.beforeId) : undefined;
  const wanted =
    place.location ?? (before ? { x: before.location.x - TIDY.column, y: before.location.y } : node.location);
  return freeSpot(graph, wanted, nodeHeight(node));
};

function connectBefore(graph: Graph, node: GraphNode, beforeId: string | undefined): Graph {
  if (!beforeId) return graph;
  const made = addEdge(graph, { id: newElementId(), source: node.id, target: beforeId }, "inserted");
  return made.ok ? made.graph : graph;
}

/** The graph with the node at its place and everything out of its way. */
const standing = (graph: Graph, node: GraphNode, location: Point): Graph =>
  makeRoom(moveNodes(graph, new Map([[node.id, location]])), [node.id]);
