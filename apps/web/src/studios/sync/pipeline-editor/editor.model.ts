/** State of the open editor: the graph being edited, its history, the selection and what is shown beside it. Pure. */
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";
import type { OpenedGraph, PipelineProblem } from "@accord/contracts/sync/pipelines";
import { createStore } from "zustand/vanilla";

const HISTORY_LIMIT = 100;

export type SidePanel = "none" | "configure" | "problems" | "versions";

export interface EditorState {
  opened: OpenedGraph;
  graph: Graph;
  /** Graph as last saved: unsaved work is `graph !== saved`. */
  saved: Graph;
  revision: number;
  past: readonly Graph[];
  future: readonly Graph[];
  /** Ids of selected nodes. */
  selected: readonly string[];
  selectedEdge: string | null;
  panel: SidePanel;
  /** Problems of the last validation; null before the first. */
  problems: readonly PipelineProblem[] | null;
  /** The version that what is shown is compared with. */
  compared: Graph | null;
}

export interface EditorActions {
  /** Runs an edit as one undo step. An edit that answers the same graph is no step. */
  edit(change: (graph: Graph) => Graph): void;
  /** Unsaved work of an earlier visit, begun at that revision; undo leads to what is saved. */
  takeUp(graph: Graph, revision: number): void;
  undo(): void;
  redo(): void;
  select(nodeIds: readonly string[]): void;
  selectEdge(edgeId: string | null): void;
  show(panel: SidePanel): void;
  setProblems(problems: readonly PipelineProblem[] | null): void;
  compareWith(graph: Graph | null): void;
  /** The server has stored `graph`; edits made meanwhile stay unsaved. */
  markSaved(opened: OpenedGraph, sent: Graph): void;
  /** Replaces everything by what the server has (after a conflict, restore or publish). */
  load(opened: OpenedGraph): void;
}

export type EditorStore = ReturnType<typeof createEditorStore>;

export const isDirty = (state: EditorState): boolean => state.graph !== state.saved;
export const nodeOf = (state: EditorState, id: string): GraphNode | undefined =>
  state.graph.nodes.find((node) => node.id === id);

/** Problem count by node, for the badges on the canvas. */
export function problemsByNode(problems: readonly PipelineProblem[] | null): Map<string, number> {
  const counts = new Map<string, number>();
  for (const problem of problems ?? []) {
    if (problem.nodeId && problem.severity === "error")
      counts.set(problem.nodeId, (counts.get(problem.nodeId) ?? 0) + 1);
  }
  return counts;
}

const fresh = (opened: OpenedGraph): EditorState => ({
  opened,
  graph: opened.graph,
  saved: opened.graph,
  revision: opened.revision,
  past: [],
  future: [],
  selected: [],
  selectedEdge: null,
  panel: "none",
  problems: null,
  compared: null,
});

/** Selection never names what is no longer there. */
function keepExisting(state: EditorState, graph: Graph): Pick<EditorState, "selected" | "selectedEdge" | "panel"> {
  const ids = new Set(graph.nodes.map((node) => node.id));
  const selected = state.selected.filter((id) => ids.has(id));
  const selectedEdge = graph.edges.some((edge) => edge.id === state.selectedEdge) ? state.selectedEdge : null;
  const panel = state.panel === "configure" && selected.length !== 1 ? "none" : state.panel;
  return { selected, selectedEdge, panel };
}

export function createEditorStore(opened: OpenedGraph, panel: SidePanel = "none") {
  return createStore<EditorState & EditorActions>((set) => ({
    ...fresh(opened),
    panel,
    edit: (change) =>
      set((state) => {
        const graph = change(state.graph);
        if (graph === state.graph) return state;
        const past = [...state.past, state.graph].slice(-HISTORY_LIMIT);
        return { graph, past, future: [], problems: null, ...keepExisting(state, graph) };
      }),
    takeUp: (graph, revision) =>
      set((state) => ({ graph, revision, past: [state.graph], future: [], ...keepExisting(state, graph) })),
    undo: () =>
      set((state) => {
        const graph = state.past.at(-1);
        if (!graph) return state;
        return {
          graph,
          past: state.past.slice(0, -1),
          future: [state.graph, ...state.future],
          ...keepExisting(state, graph),
        };
      }),
    redo: () =>
      set((state) => {
        const [graph, ...future] = state.future;
        if (!graph) return state;
        return { graph, past: [...state.past, state.graph], future, ...keepExisting(state, graph) };
      }),
    select: (selected) =>
      set((state) => ({
        selected,
        selectedEdge: null,
        panel: state.panel === "configure" && selected.length !== 1 ? "none" : state.panel,
      })),
    selectEdge: (selectedEdge) => set({ selectedEdge, selected: [] }),
    show: (panel) => set({ panel }),
    setProblems: (problems) => set({ problems }),
    compareWith: (compared) => set({ compared }),
    markSaved: (saved, sent) =>
      set((state) => {
        // The server may have tidied ids and positions; take its graph when nothing changed meanwhile.
        const untouched = state.graph === sent;
        return {
          opened: saved,
          revision: saved.revision,
          graph: untouched ? saved.graph : state.graph,
          saved: saved.graph,
        };
      }),
    load: (next) => set(fresh(next)),
  }));
}
