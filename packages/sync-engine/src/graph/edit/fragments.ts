/** Fragments: what of a selection is saved under a name, and how it is inserted. As copying and pasting, but for loops. */
import type { Graph, GraphNode, GraphNote } from "@accord/contracts/sync/graph";
import type { FragmentContent } from "@accord/contracts/sync/fragments";
import { nodeTitle } from "../elements.ts";
import type { Point } from "../layout/layout.ts";
import {
  copySelection,
  pastableNodes,
  paste,
  PASTE_OFFSET,
  type CopyRefusal,
  type PipelineScope,
} from "./clipboard.ts";
import { moveNodes } from "./edits.ts";

/** What a fragment of a selection holds: its functions and actions without loops, the edges among them, their groups and notes. */
export function fragmentOf(
  graph: Graph,
  selected: ReadonlySet<string>,
): { ok: true; content: FragmentContent } | { ok: false; reason: CopyRefusal } {
  const copied = copySelection(graph, selected, { instanceId: "", scope: "entity" });
  if (!copied.ok) return copied;
  const copyNodes = pastableNodes(copied.clipboard);
  if (copyNodes.length === 0) return { ok: false, reason: "invalid_selection" };
  const ids = new Set(copyNodes.map(({ id }) => id));
  const filled = new Set(copyNodes.map(({ groupId }) => groupId));
  const content = {
    copyNodes,
    copyEdges: copied.clipboard.copyEdges.filter(({ source, target }) => ids.has(source) && ids.has(target)),
    copyGroups: copied.clipboard.copyGroups.filter(({ id }) => filled.has(id)),
    copyNotes: copied.clipboard.copyNotes,
  };
  return { ok: true, content };
}

/** The first node that a fragment can't hold, or the first edge without a node at both ends; undefined: none. */
export function fragmentFault({
  copyNodes,
  copyEdges,
}: FragmentContent): { node: string } | { edge: string } | undefined {
  const allowed = new Set(
    pastableNodes({ copyNodes: copyNodes.filter(({ nodeType }) => nodeType === "FUNCTION" || nodeType === "ACTION") }),
  );
  const node = copyNodes.find((each) => !allowed.has(each));
  if (node) return { node: nodeTitle(node) };
  const ids = new Set(copyNodes.map(({ id }) => id));
  const edge = copyEdges.find(({ source, target }) => !ids.has(source) || !ids.has(target));
  return edge && { edge: edge.id };
}

export interface InsertedFragment {
  graph: Graph;
  /** Of the copies. */
  nodeIds: string[];
  noteIds: string[];
}

/** The graph with a copy under new ids and unique labels, its upper left corner here, whatever stands there. */
export function insertFragment(
  graph: Graph,
  { context, content }: { context: PipelineScope; content: FragmentContent },
  location: Point,
  newId: () => string,
): InsertedFragment {
  const here = { instanceId: "", scope: context };
  const by = distanceTo(content.copyNodes, location);
  const copyNodes = content.copyNodes.map((node) => shifted(node, by));
  const copyNotes = content.copyNotes.map((note) => shifted(note, by));
  const made = paste(graph, { ...here, ...content, copyNodes, copyNotes }, here, newId);
  if (!made.ok) return { graph, nodeIds: [], noteIds: [] };
  return {
    graph: keepShape(made.graph, copyNodes, made.pasted),
    nodeIds: made.pasted,
    noteIds: made.pastedNotes,
  };
}

/** Pasting moves what lies on another node: a fragment keeps its shape and moves as a whole. */
function keepShape(graph: Graph, copied: readonly GraphNode[], pasted: readonly string[]): Graph {
  const places = copied.map(({ location: { x, y } }) => ({ x: x + PASTE_OFFSET, y: y + PASTE_OFFSET }));
  return moveNodes(graph, new Map(pasted.flatMap((id, index) => (places[index] ? [[id, places[index]]] : []))));
}

/** How far nodes are moved so that their upper left corner is pasted there. */
function distanceTo(nodes: readonly GraphNode[], { x, y }: Point): Point {
  const [left, top] = [Math.min(...nodes.map((n) => n.location.x)), Math.min(...nodes.map((n) => n.location.y))];
  return { x: x - left - PASTE_OFFSET, y: y - top - PASTE_OFFSET };
}

const shifted = <Item extends GraphNode | GraphNote>(item: Item, by: Point): Item => ({
  ...item,
  location: { x: item.location.x + by.x, y: item.location.y + by.y },
});
