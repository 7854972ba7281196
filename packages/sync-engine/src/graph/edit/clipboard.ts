/** Copy and paste of selections, within one instance and one kind of pipeline. */
import type { Graph, GraphEdge, GraphGroup, GraphNode, GraphNote } from "@accord/contracts/sync/graph";
import { edgeViolation } from "../edge-rules.ts";
import { functionName, isLogic } from "../elements.ts";
import { childNodeSummary } from "./groups.ts";
import { freeLocation } from "../layout/layout.ts";
import { uniqueName, uniqueLabel } from "./naming.ts";
import { renameLabels } from "./rename.ts";

export type PipelineScope = "entity" | "field";

export interface CopiedEdge {
  id: string;
  source: string;
  sourceAnchor: number;
  target: string;
  targetAnchor: number | null;
  edgeType: string;
}

export interface Clipboard {
  instanceId: string;
  scope: PipelineScope;
  copyNodes: GraphNode[];
  copyEdges: CopiedEdge[];
  copyGroups: GraphGroup[];
  copyNotes: GraphNote[];
}

export const PASTE_OFFSET = 40;
const NOT_PASTED: readonly string[] = ["forEach", "endLoop"];
const isCopyable = (node: GraphNode): boolean => node.nodeType === "FUNCTION" || node.nodeType === "ACTION";

/** A selected logic node that has edges both to selected and to unselected nodes would be left in the air. */
export function danglingLogic(graph: Graph, selected: ReadonlySet<string>): GraphNode | undefined {
  return graph.nodes.find((node) => {
    if (!selected.has(node.id) || !isLogic(node)) return false;
    const touching = graph.edges.filter(
      (edge) => edge.source.nodeId === node.id || edge.destination.nodeId === node.id,
    );
    const others = touching.map((edge) =>
      edge.source.nodeId === node.id ? edge.destination.nodeId : edge.source.nodeId,
    );
    return others.length > 0 && !others.every((id) => selected.has(id));
  });
}

export type CopyRefusal = "invalid_selection" | "action_dangling_not_allowed";

/** Why a selection can't be copied, or null. */
export function whyCopyRefused(graph: Graph, selected: ReadonlySet<string>): CopyRefusal | null {
  const hasNote = graph.notes.some(({ id }) => selected.has(id));
  if (!hasNote && !graph.nodes.some((node) => selected.has(node.id) && isCopyable(node))) return "invalid_selection";
  return danglingLogic(graph, selected) ? "action_dangling_not_allowed" : null;
}

/** The clipboard for a selection: functions, actions, the edges among them, the groups they fill, and notes. */
export function copySelection(
  graph: Graph,
  selected: ReadonlySet<string>,
  at: { instanceId: string; scope: PipelineScope },
): { ok: true; clipboard: Clipboard } | { ok: false; reason: CopyRefusal } {
  const reason = whyCopyRefused(graph, selected);
  if (reason) return { ok: false, reason };
  const copyNodes = graph.nodes.filter((node) => selected.has(node.id) && isCopyable(node));
  const ids = new Set(copyNodes.map((node) => node.id));
  const copyEdges = graph.edges
    .filter((edge) => ids.has(edge.source.nodeId) && ids.has(edge.destination.nodeId))
    .map((edge) => ({
      id: edge.id,
      source: edge.source.nodeId,
      sourceAnchor: edge.sourceAnchor,
      target: edge.destination.nodeId,
      targetAnchor: edge.targetAnchor,
      edgeType: edge.edgeType,
    }));
  const groupIds = new Set(copyNodes.map((node) => node.groupId));
  const copyGroups = graph.groups.filter((group) => groupIds.has(group.id));
  const copyNotes = graph.notes.filter(({ id }) => selected.has(id));
  return { ok: true, clipboard: { ...at, copyNodes, copyEdges, copyGroups, copyNotes } };
}

/** The copied nodes that pasting brings back: what may be removed once it was cut. */
export const pastableNodes = ({ copyNodes }: Pick<Clipboard, "copyNodes">): GraphNode[] =>
  copyNodes.filter((node) => !NOT_PASTED.includes(functionName(node)));

export type PasteRefusal =
  | "no_clipboard_data_found"
  | "invalid_paste_scope_instance"
  | "invalid_paste_scope_pipeline_entity"
  | "invalid_paste_scope_pipeline_field";

interface Pasted {
  ok: true;
  graph: Graph;
  /** Ids of the new nodes. */
  pasted: string[];
  /** Ids of the new notes. */
  pastedNotes: string[];
  skipped: number;
}

/** The graph with the clipboard's nodes and notes added under new ids, and the ids of what was pasted. */
export function paste(
  graph: Graph,
  clipboard: Clipboard | null,
  at: { instanceId: string; scope: PipelineScope },
  newId: () => string,
): Pasted | { ok: false; reason: PasteRefusal } {
  if (!clipboard || clipboard.copyNodes.length + clipboard.copyNotes.length === 0)
    return { ok: false, reason: "no_clipboard_data_found" };
  if (clipboard.instanceId !== at.instanceId) return { ok: false, reason: "invalid_paste_scope_instance" };
  if (clipboard.scope !== at.scope) return { ok: false, reason: `invalid_paste_scope_pipeline_${clipboard.scope}` };

  const kept = pastableNodes(clipboard);
  const nodeIds = new Map(kept.map((node) => [node.id, newId()]));
  const groups = pastedGroups(graph, clipboard, kept, newId);
  let next: Graph = { ...graph, groups: [...graph.groups, ...groups.values()] };
  for (const node of kept) next = addPasted(next, node, nodeIds.get(node.id) ?? newId(), groups);
  next = withTokensOfCopies(next, kept, nodeIds);
  for (const copied of clipboard.copyEdges) next = addPastedEdge(next, copied, nodeIds, newId);
  next = {
    ...next,
    groups: next.groups.map((group) => ({ ...group, childNodeSummary: childNodeSummary(next, group.id) })),
  };
  const notes = clipboard.copyNotes.map((note) => pastedNote(note, newId()));
  return {
    ok: true,
    graph: { ...next, notes: [...next.notes, ...notes] },
    pasted: [...nodeIds.values()],
    pastedNotes: notes.map(({ id }) => id),
    skipped: clipboard.copyNodes.length - kept.length,
  };
}

const pastedNote = (note: GraphNote, id: string): GraphNote => ({
  ...note,
  id,
  location: { x: note.location.x + PASTE_OFFSET, y: note.location.y + PASTE_OFFSET },
});

/** Tokens of the copies that name a node which was copied too name its copy. */
function withTokensOfCopies(graph: Graph, copied: readonly GraphNode[], ids: ReadonlyMap<string, string>): Graph {
  const pasted = new Map(graph.nodes.map((node) => [node.id, node]));
  const labels = new Map(copied.map(({ id, label }) => [label, pasted.get(ids.get(id) ?? "")?.label ?? label]));
  const copies = new Set(ids.values());
  const renamed = new Map(
    renameLabels(
      graph.nodes.filter(({ id }) => copies.has(id)),
      labels,
    ).map((node) => [node.id, node]),
  );
  return { ...graph, nodes: graph.nodes.map((node) => renamed.get(node.id) ?? node) };
}

/** New groups by old id, only for groups that have a pasted member. */
function pastedGroups(
  graph: Graph,
  clipboard: Clipboard,
  kept: readonly GraphNode[],
  newId: () => string,
): Map<string, GraphGroup> {
  const filled = new Set(kept.map((node) => node.groupId));
  const names = graph.groups.map((group) => group.name);
  const made = new Map<string, GraphGroup>();
  for (const group of clipboard.copyGroups) {
    if (!filled.has(group.id)) continue;
    const name = uniqueName(group.name, names);
    names.push(name);
    made.set(group.id, { ...group, id: newId(), name, label: name });
  }
  return made;
}

function addPasted(graph: Graph, node: GraphNode, id: string, groups: ReadonlyMap<string, GraphGroup>): Graph {
  const label = uniqueLabel(graph, { id, nodeType: node.nodeType }, node.label);
  const wanted = { x: node.location.x + PASTE_OFFSET, y: node.location.y + PASTE_OFFSET };
  const location = freeLocation(
    graph.nodes.map((other) => other.location),
    wanted,
  );
  const groupId = node.groupId ? (groups.get(node.groupId)?.id ?? null) : null;
  return { ...graph, nodes: [...graph.nodes, { ...node, id, label, location, groupId }] };
}

function addPastedEdge(graph: Graph, copied: CopiedEdge, ids: ReadonlyMap<string, string>, newId: () => string): Graph {
  const source = ids.get(copied.source);
  const target = ids.get(copied.target);
  if (!source || !target) return graph;
  // A pasted edge may enter a predicate: the copied pipeline already allowed it.
  if (edgeViolation(graph, { source, target }, "pasted")) return graph;
  const edge: GraphEdge = {
    id: newId(),
    source: { nodeId: source, anchor: copied.sourceAnchor },
    destination: { nodeId: target, anchor: copied.targetAnchor ?? 0 },
    sourceAnchor: copied.sourceAnchor,
    targetAnchor: copied.targetAnchor,
    edgeType: copied.edgeType,
  };
  return { ...graph, edges: [...graph.edges, edge] };
}
