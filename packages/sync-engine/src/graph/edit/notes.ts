/** Notes on the canvas: text for whoever reads the graph. They stand behind nodes; nothing that runs reads them. */
import type { Graph, GraphNode, GraphNote } from "@accord/contracts/sync/graph";
import { nodeHeight, NODE_SIZE } from "../layout/node-size.ts";
import { wholePoint, type Point } from "../layout/layout.ts";

export const noteById = (graph: Graph, id: string): GraphNote | undefined => graph.notes.find((note) => note.id === id);

export const addNote = (graph: Graph, note: GraphNote): Graph => ({ ...graph, notes: [...graph.notes, note] });

/** Changes one note; a change that says what it says already answers the same graph. */
export function changeNote(graph: Graph, id: string, change: Partial<Omit<GraphNote, "id">>): Graph {
  const note = noteById(graph, id);
  const isSame = note && JSON.stringify({ ...note, ...change }) === JSON.stringify(note);
  if (!note || isSame) return graph;
  return { ...graph, notes: graph.notes.map((other) => (other === note ? { ...note, ...change } : other)) };
}

export const removeNotes = (graph: Graph, ids: ReadonlySet<string>): Graph =>
  graph.notes.some(({ id }) => ids.has(id)) ? { ...graph, notes: graph.notes.filter(({ id }) => !ids.has(id)) } : graph;

/** Nodes whose middle lies on the note. */
export const nodesOn = (graph: Graph, { location, width, height }: GraphNote): GraphNode[] =>
  graph.nodes.filter((node) => {
    const x = node.location.x + NODE_SIZE.width / 2 - location.x;
    const y = node.location.y + nodeHeight(node) / 2 - location.y;
    return x >= 0 && x <= width && y >= 0 && y <= height;
  });

export interface Frame extends Point {
  width: number;
  height: number;
}

/** What surrounds these nodes; null for none. */
export function frameAround(nodes: readonly GraphNode[]): Frame | null {
  if (nodes.length === 0) return null;
  const x = Math.min(...nodes.map(({ location }) => location.x));
  const y = Math.min(...nodes.map(({ location }) => location.y));
  return {
    x,
    y,
    width: Math.max(...nodes.map(({ location }) => location.x)) + NODE_SIZE.width - x,
    height: Math.max(...nodes.map((node) => node.location.y + nodeHeight(node))) - y,
  };
}

/**
 * The graph after nodes were moved by a layout, its notes with what they are about: a note around nodes is around the
 * same ones afterwards, any other keeps its distance to the node next to it. What came with the edit stays.
 */
export function carryNotes(before: Graph, after: Graph): Graph {
  if (after.notes.length === 0 || before.nodes === after.nodes) return after;
  const moved = new Map(after.nodes.map((node) => [node.id, node]));
  const old = new Set(before.notes);
  const notes = after.notes.map((note) => {
    if (!old.has(note)) return note;
    const inside = nodesOn(before, note);
    const around = inside.length > 0 ? inside : nearest(before.nodes, note);
    const [from, to] = [frameAround(around), frameAround(around.flatMap(({ id }) => moved.get(id) ?? []))];
    if (!from || !to) return note;
    const grows = inside.length > 0 ? { width: to.width - from.width, height: to.height - from.height } : NO_GROWTH;
    const by = { x: to.x - from.x, y: to.y - from.y };
    if (by.x === 0 && by.y === 0 && grows.width === 0 && grows.height === 0) return note;
    return {
      ...note,
      location: wholePoint({ x: note.location.x + by.x, y: note.location.y + by.y }),
      width: Math.round(note.width + grows.width),
      height: Math.round(note.height + grows.height),
    };
  });
  return { ...after, notes };
}

const NO_GROWTH = { width: 0, height: 0 };

function nearest(nodes: readonly GraphNode[], { location, width, height }: GraphNote): GraphNode[] {
  const middle = { x: location.x + width / 2, y: location.y + height / 2 };
  const distance = (node: GraphNode): number =>
    Math.hypot(node.location.x + NODE_SIZE.width / 2 - middle.x, node.location.y + nodeHeight(node) / 2 - middle.y);
  const [first, ...others] = nodes;
  return first ? [others.reduce((best, node) => (distance(node) < distance(best) ? node : best), first)] : [];
}
