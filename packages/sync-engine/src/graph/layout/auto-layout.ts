/**
 * Tidying up: nodes in columns by their distance from the core node, sources leftmost, destinations rightmost, each
 * level with what it leads to; what would be too wide for a screen is wrapped. The core node stays where it is, and notes
 * go along with the nodes they are about.
 */
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";
import { moveNodes } from "../edit/edits.ts";
import { carryNotes } from "../edit/notes.ts";
import { isCore, isSink, isSource } from "../elements.ts";
import { branchOrder } from "./branch-order.ts";
import { CORE_LOCATION, type Point } from "./layout.ts";
import { loopRegions } from "../loops.ts";
import { nodeHeight, NODE_SIZE } from "./node-size.ts";
import { BAND_GAP, bandStarts, type ColumnExtent } from "./wrap-columns.ts";
import { forwardEdges, reachableFrom, topologicalOrder, upstreamOf } from "../walk.ts";

/** Distances between the left edges of two columns, and between two rows; px of the canvas. */
export const TIDY = { column: 250, row: 92 } as const;
const GAP = TIDY.row - NODE_SIZE.height;

/** A node, or a stand-in that keeps room for a connection on its way through a column. */
interface Item {
  id: string;
  groupId: string;
  /** Equals stand in this order. */
  order: number;
  height: number;
  inner: string[];
}

/** What cutting between two bands costs, in px of height: a connection made longer, a loop or a group torn apart. */
const CUT = { edge: 24, together: 4_000 } as const;

/** The graph with its nodes in columns and rows; a graph whose edges close a circle stays as it is. */
export function tidyGraph(graph: Graph): Graph {
  const order = topologicalOrder(graph);
  if (!order || graph.nodes.length === 0) return graph;
  const joined = new Set(graph.edges.flatMap((edge) => [edge.source.nodeId, edge.destination.nodeId]));
  const loose = order.filter((node) => !joined.has(node.id) && !isCore(node));
  const looseIds = new Set(loose.map((node) => node.id));
  const inOneBand = placesOf(graph, columnsOf(graph, order, "outermost"), looseIds);
  // Wrapped, a source or destination at the far end would be bands away from what it is connected to.
  const { to } = inOneBand.bands === 1 ? inOneBand : placesOf(graph, columnsOf(graph, order, "near"), looseIds);
  placeLoose(loose, to);
  return carryNotes(graph, moveNodes(graph, keepCoreStill(graph, to)));
}

function placesOf(
  graph: Graph,
  column: ReadonlyMap<string, number>,
  loose: ReadonlySet<string>,
): { to: Map<string, Point>; bands: number } {
  const y = rowsOf(itemsByColumn(graph, column, loose));
  const nodes = graph.nodes.filter((node) => !loose.has(node.id));
  const first = Math.min(...nodes.map((node) => column.get(node.id) ?? 0));
  const last = Math.max(...nodes.map((node) => column.get(node.id) ?? 0));
  const columns = Array.from({ length: last - first + 1 }, (): ColumnExtent | null => null);
  const indexOf = (id: string): number => (column.get(id) ?? 0) - first;
  for (const node of nodes) {
    const [index, top] = [indexOf(node.id), y.get(node.id) ?? 0];
    const known = columns[index] ?? { top, bottom: top };
    columns[index] = { top: Math.min(known.top, top), bottom: Math.max(known.bottom, top + nodeHeight(node)) };
  }
  const extents = columns.map((extent) => extent ?? { top: 0, bottom: 0 });
  const costs = cutCosts({ ...graph, nodes }, indexOf, columns.length);
  const starts = bandStarts(extents, costs, {
    column: TIDY.column,
    nodeWidth: NODE_SIZE.width,
  });
  const to = new Map<string, Point>();
  let bottom = 0;
  for (const [band, start] of starts.entries()) {
    const end = starts[band + 1] ?? columns.length;
    const inside = nodes.filter((node) => indexOf(node.id) >= start && indexOf(node.id) < end);
    const down = bottom - Math.min(...inside.map((node) => y.get(node.id) ?? 0));
    for (const node of inside) {
      const top = (y.get(node.id) ?? 0) + down;
      to.set(node.id, { x: (indexOf(node.id) - start) * TIDY.column, y: top });
      bottom = Math.max(bottom, top + nodeHeight(node));
    }
    bottom += BAND_GAP;
  }
  return { to, bands: starts.length };
}

/** What a cut in front of each column costs. */
function cutCosts(graph: Graph, indexOf: (id: string) => number, count: number): number[] {
  const costs = Array.from({ length: count }, () => 0);
  const add = (ids: readonly string[], cost: number) => {
    const at = ids.map(indexOf);
    for (let index = Math.min(...at) + 1; index <= Math.max(...at); index++) costs[index] = (costs[index] ?? 0) + cost;
  };
  for (const edges of forwardEdges(graph).values())
    for (const edge of edges) add([edge.source.nodeId, edge.destination.nodeId], CUT.edge);
  for (const { startId, endId } of loopRegions(graph)) add([startId, endId], CUT.together);
  const members = Map.groupBy(graph.nodes, (node) => node.groupId);
  for (const group of graph.groups)
    add(
      (members.get(group.id) ?? []).map(({ id }) => id),
      CUT.together,
    );
  return costs;
}

/** Column by node: 0 for the core node, negative before it, positive behind it; sources and destinations outermost, or near. */
function columnsOf(graph: Graph, order: readonly GraphNode[], ends: "outermost" | "near"): Map<string, number> {
  const next = forwardEdges(graph);
  const core = graph.nodes.find(isCore);
  const column = new Map<string, number>();
  if (core) column.set(core.id, 0);
  const before = core ? upstreamOf(graph, core.id) : new Set<string>();
  const after = core ? reachableFrom(graph, [core.id]) : new Set<string>();
  for (const node of order.toReversed()) {
    if (node === core || !before.has(node.id)) continue;
    const targets = (next.get(node.id) ?? []).filter((edge) => before.has(edge.destination.nodeId));
    column.set(node.id, Math.min(...targets.map((edge) => (column.get(edge.destination.nodeId) ?? 0) - 1)));
  }
  const first = Math.min(0, ...column.values());
  const into = new Map<string, string[]>();
  for (const [from, edges] of next)
    for (const { destination } of edges) into.set(destination.nodeId, [...(into.get(destination.nodeId) ?? []), from]);
  for (const node of order) {
    if (column.has(node.id)) continue;
    const known = (into.get(node.id) ?? []).flatMap((id) => column.get(id) ?? []);
    column.set(node.id, known.length > 0 ? Math.max(...known) + 1 : after.has(node.id) ? 1 : first);
  }
  if (ends === "near") return column;
  const last = Math.max(1, ...column.values());
  for (const node of graph.nodes) {
    if (isSource(node) && before.has(node.id)) column.set(node.id, first);
    if (isSink(node)) column.set(node.id, last);
  }
  return column;
}

function itemsByColumn(
  graph: Graph,
  column: ReadonlyMap<string, number>,
  loose: ReadonlySet<string>,
): Map<number, Item[]> {
  const columns = new Map<number, Item[]>();
  const order = branchOrder(graph);
  const items = new Map<string, Item>();
  const put = (at: number, item: Item) => {
    items.set(item.id, item);
    columns.set(at, [...(columns.get(at) ?? []), item]);
  };
  for (const node of graph.nodes) {
    if (loose.has(node.id)) continue;
    const item = {
      id: node.id,
      groupId: node.groupId ?? "",
      order: order.get(node.id) ?? 0,
      height: nodeHeight(node),
      inner: [],
    };
    put(column.get(node.id) ?? 0, item);
  }
  for (const edges of forwardEdges(graph).values()) {
    for (const edge of edges) {
      const [from, to] = [edge.source.nodeId, edge.destination.nodeId];
      const [start, end] = [column.get(from) ?? 0, column.get(to) ?? 0];
      // A column takes its rows from its neighbour nearer to the core, so the way is walked towards the outside.
      const outwards = start >= 0;
      let inner = outwards ? from : to;
      const steps = outwards ? range(start + 1, end) : range(end - 1, start, -1);
      for (const at of steps) {
        const id = `${edge.id} ${at}`;
        put(at, { id, groupId: "", order: order.get(edge.id) ?? 0, height: NODE_SIZE.height, inner: [inner] });
        inner = id;
      }
      items.get(outwards ? to : from)?.inner.push(inner);
    }
  }
  return columns;
}

function range(start: number, end: number, step = 1): number[] {
  const list: number[] = [];
  for (let at = start; step > 0 ? at < end : at > end; at += step) list.push(at);
  return list;
}

/** Height of each item, from the core's column outwards. */
function rowsOf(columns: ReadonlyMap<number, readonly Item[]>): Map<string, number> {
  const y = new Map<string, number>();
  const outwards = [...columns.keys()].sort((a, b) => Math.abs(a) - Math.abs(b));
  for (const at of outwards) {
    const items = columns.get(at) ?? [];
    const wanted = new Map(items.map((item) => [item.id, mean(item.inner.flatMap((id) => y.get(id) ?? []))]));
    const byGroup = new Map<string, number[]>();
    for (const { id, groupId } of items)
      if (groupId) byGroup.set(groupId, [...(byGroup.get(groupId) ?? []), wanted.get(id) ?? 0]);
    const rank = (item: Item) => (item.groupId ? mean(byGroup.get(item.groupId) ?? []) : (wanted.get(item.id) ?? 0));
    const sorted = items.toSorted(
      (a, b) =>
        rank(a) - rank(b) ||
        a.groupId.localeCompare(b.groupId) ||
        (wanted.get(a.id) ?? 0) - (wanted.get(b.id) ?? 0) ||
        a.order - b.order,
    );
    const tops = apart(sorted, (item) => wanted.get(item.id) ?? 0);
    sorted.forEach((item, index) => y.set(item.id, tops[index] ?? 0));
  }
  return y;
}

/** The heights nearest to the wanted ones at which nothing lies on anything. */
function apart(items: readonly Item[], wanted: (item: Item) => number): number[] {
  const tops: number[] = [];
  items.forEach((item, index) => {
    const [above, top] = [items[index - 1], tops[index - 1]];
    const least = above === undefined || top === undefined ? Number.NEGATIVE_INFINITY : top + above.height + GAP;
    tops.push(Math.max(wanted(item), least));
  });
  const shift = mean(items.map((item, index) => wanted(item) - (tops[index] ?? 0)));
  return tops.map((top) => top + shift);
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/** What nothing leads to or from stands in a row of its own below everything. */
function placeLoose(loose: readonly GraphNode[], to: Map<string, Point>): void {
  const places = [...to.values()];
  const left = Math.min(0, ...places.map((place) => place.x));
  const below = Math.max(0, ...places.map((place) => place.y)) + 2 * TIDY.row;
  loose.forEach((node, index) => to.set(node.id, { x: left + index * TIDY.column, y: below }));
}

function keepCoreStill(graph: Graph, to: ReadonlyMap<string, Point>): Map<string, Point> {
  const core = graph.nodes.find(isCore);
  const [was, is] = [core?.location ?? CORE_LOCATION, core ? to.get(core.id) : undefined];
  const by = is ? { x: was.x - is.x, y: was.y - is.y } : { x: 0, y: 0 };
  return new Map([...to].map(([id, place]) => [id, { x: place.x + by.x, y: place.y + by.y }]));
}
