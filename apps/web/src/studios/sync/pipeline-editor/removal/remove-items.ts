/** Removes nodes and edges wherever that is asked for; the keyboard goes on at what is beside them. */
import type { Graph } from "@accord/contracts/sync/graph";
import {
  isCore,
  isLoopReturn,
  nodeById,
  nodeTitle,
  removeAndReconnect,
  removeEdge,
  removeNotes,
  type Removed,
} from "@accord/sync-engine/graph";
import { words } from "../../../../app/words.ts";
import { toast } from "../../../../shared/toast.tsx";
import { newElementId } from "../canvas/new-node.ts";
import { focusWhatShows } from "../canvas/focus-node.ts";
import type { EditorStore } from "../editor.model.ts";

/** What led to the nodes that go, else what came after them, else the core. */
function nodeBeside(graph: Graph, gone: ReadonlySet<string>): string | undefined {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const edges = graph.edges.filter((edge) => !isLoopReturn(nodes, edge));
  const before = edges.find(({ source, destination }) => gone.has(destination.nodeId) && !gone.has(source.nodeId));
  const after = edges.find(({ source, destination }) => gone.has(source.nodeId) && !gone.has(destination.nodeId));
  const core = graph.nodes.find((node) => isCore(node) && !gone.has(node.id));
  return before?.source.nodeId ?? after?.destination.nodeId ?? core?.id;
}

function goOnAt(graph: Graph, nodeId: string | undefined): void {
  const node = nodeId === undefined ? undefined : nodeById(graph, nodeId);
  if (!node) return;
  const group = graph.groups.find(({ id, collapsed }) => id === node.groupId && collapsed);
  focusWhatShows(node.id, group?.id);
}

/** Removes nodes and notes as one step, with what led to the nodes connected to what came after them; and says so. */
export function removeNodesOf(store: EditorStore, ids: ReadonlySet<string>): void {
  const { graph, edit } = store.getState();
  const beside = nodeBeside(graph, ids);
  let reconnected: Removed["reconnected"] = [];
  edit((current) => {
    const removed = removeAndReconnect(current, ids, newElementId);
    ({ reconnected } = removed);
    return removeNotes(removed.graph, ids);
  });
  const { graph: left } = store.getState();
  // What is locked stays as it is.
  if (left === graph) return;
  goOnAt(left, beside);
  if (reconnected.length > 0) toast.info(reconnectedWords(left, reconnected));
}

function reconnectedWords(graph: Graph, reconnected: Removed["reconnected"]): string {
  const [first] = reconnected;
  const title = (id: string | undefined): string => {
    const node = id === undefined ? undefined : nodeById(graph, id);
    return node ? nodeTitle(node) : "";
  };
  if (reconnected.length > 1) return words.t("sync:removal.reconnectedMany", { count: reconnected.length });
  return words.t("sync:removal.reconnected", { from: title(first?.from), to: title(first?.to) });
}

export function removeEdgeOf(store: EditorStore, edgeId: string): void {
  const { graph, edit } = store.getState();
  const edge = graph.edges.find(({ id }) => id === edgeId);
  edit((current) => removeEdge(current, edgeId));
  const { graph: left } = store.getState();
  if (left !== graph) goOnAt(left, edge?.source.nodeId);
}
