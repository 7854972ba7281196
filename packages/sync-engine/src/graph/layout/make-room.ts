/** Keeps nodes from lying on each other: what follows a new node moves to the right, what is in its way down. */
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";
import { moveNodes } from "../edit/edits.ts";
import { edgesOutOf, nodeById } from "../elements.ts";
import type { Point } from "./layout.ts";
import { nodeHeight, NODE_SIZE } from "./node-size.ts";
import { TIDY } from "./auto-layout.ts";
import { isLoopReturn, nodeMap, reachableFrom } from "../walk.ts";

/** Nodes nearer to each other than this are in each other's way. */
const MARGIN = 16;
const ROW_GAP = TIDY.row - NODE_SIZE.height;

interface Box {
  x: number;
  y: number;
  height: number;
}

const boxOf = (node: GraphNode): Box => ({ ...node.location, height: nodeHeight(node) });

const overlaps = (a: Box, b: Box): boolean =>
  Math.abs(a.x - b.x) < NODE_SIZE.width + MARGIN && a.y < b.y + b.height + MARGIN && b.y < a.y + a.height + MARGIN;

/** The wanted place, or the next one below it where a node of that height lies on nothing. */
export function freeSpot(graph: Graph, wanted: Point, height: number = NODE_SIZE.height): Point {
  const boxes = graph.nodes.map(boxOf);
  let spot = { ...wanted, height };
  for (let hit = boxes.find((box) => overlaps(box, spot)); hit; hit = boxes.find((box) => overlaps(box, spot)))
    spot = { ...spot, y: hit.y + hit.height + ROW_GAP };
  return { x: spot.x, y: spot.y };
}

/** The graph with everything out of the way of these nodes, which stay where they are. */
export function makeRoom(graph: Graph, placedIds: readonly string[]): Graph {
  let next = graph;
  for (const id of placedIds) next = pushFollowers(next, id, new Set(placedIds));
  return pushAside(next, placedIds);
}

/** The graph with these nodes, and notes among them, moved down together until the nodes lie on none of the others. */
export function moveClear(graph: Graph, ids: readonly string[]): Graph {
  const moving = new Set(ids);
  const boxes = graph.nodes.filter((node) => moving.has(node.id)).map(boxOf);
  const others = graph.nodes.filter((node) => !moving.has(node.id)).map(boxOf);
  let down = 0;
  const hits = () =>
    boxes.flatMap((box) =>
      others.filter((other) => overlaps({ ...box, y: box.y + down }, other)).map((other) => ({ box, other })),
    );
  for (let [hit] = hits(); hit; [hit] = hits()) down = hit.other.y + hit.other.height + ROW_GAP - hit.box.y;
  if (down === 0) return graph;
  const moved = [...graph.nodes, ...graph.notes].filter(({ id }) => moving.has(id));
  return moveNodes(graph, new Map(moved.map(({ id, location }) => [id, { x: location.x, y: location.y + down }])));
}

/** Moves what follows a node to the right, all of it by the same distance, until the next node has its column. */
function pushFollowers(graph: Graph, id: string, placed: ReadonlySet<string>): Graph {
  const node = nodeById(graph, id);
  if (!node) return graph;
  const nodes = nodeMap(graph);
  const distances = edgesOutOf(graph, id)
    .filter((edge) => !isLoopReturn(nodes, edge))
    .flatMap((edge) => nodeById(graph, edge.destination.nodeId) ?? [])
    // Who draws from right to left means it.
    .filter((follower) => follower.location.x + NODE_SIZE.width > node.location.x)
    .map((follower) => node.location.x + TIDY.column - follower.location.x);
  const distance = Math.max(0, ...distances);
  if (distance === 0) return graph;
  const followers = reachableFrom(graph, [id]);
  const to = new Map<string, Point>();
  for (const other of graph.nodes) {
    if (other.id === id || !followers.has(other.id)) continue;
    const isEarlierPlaced = placed.has(other.id) && other.location.x <= node.location.x;
    if (!isEarlierPlaced) to.set(other.id, { x: other.location.x + distance, y: other.location.y });
  }
  return moveNodes(graph, to);
}

/** Moves down what these nodes lie on, then what that lies on. */
function pushAside(graph: Graph, placedIds: readonly string[]): Graph {
  const boxes = new Map(graph.nodes.map((node) => [node.id, boxOf(node)]));
  const fixed = new Set(placedIds);
  const moved = new Set<string>();
  // Whatever was moved may lie on something now; the placed ones are asked first, so that they keep their place.
  const open = [...placedIds, ...graph.nodes.map(({ id }) => id).filter((id) => !fixed.has(id))];
  for (let id = open.shift(); id !== undefined; id = open.shift()) {
    const box = boxes.get(id);
    if (!box) continue;
    for (const [otherId, other] of boxes) {
      if (otherId === id || !overlaps(box, other)) continue;
      const [stays, goes]: [Box, string] =
        fixed.has(otherId) || (!fixed.has(id) && isBelow(box, other)) ? [other, id] : [box, otherId];
      if (fixed.has(goes)) continue;
      const present = boxes.get(goes);
      if (!present) continue;
      boxes.set(goes, { ...present, y: stays.y + stays.height + ROW_GAP });
      moved.add(goes);
      open.push(goes);
      if (goes === id) break;
    }
  }
  const to = new Map([...moved].map((id): [string, Point] => [id, boxes.get(id) ?? { x: 0, y: 0 }]));
  return moved.size === 0 ? graph : moveNodes(graph, to);
}

const isBelow = (a: Box, b: Box): boolean => a.y > b.y || (a.y === b.y && a.x > b.x);
