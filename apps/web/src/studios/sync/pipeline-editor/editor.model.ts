/** State of the open editor: the graph being edited, its history, the selection and what is shown beside it. Pure. */
import type { Id } from "@accord/contracts";
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";
import { adoptGraph } from "@accord/sync-engine/graph";
import type { OpenedGraph, PipelineProblem } from "@accord/contracts/sync/pipelines";
import { createStore } from "zustand/vanilla";
import type { GroupDrop } from "./canvas/groups/group-drop.ts";
import type { ItemPlace } from "./canvas/place-item.ts";
import { type FormValues, type InvalidInputs, keepUntouched } from "./inputs/invalid-inputs.ts";
import { shownProblems, type Found, type Validated } from "./problems/shown-problems.ts";
import type { OpenTestForm } from "./tests/test-form.model.ts";

const HISTORY_LIMIT = 100;

export type SidePanel = "none" | "configure" | "edge" | "problems" | "errors" | "versions" | "tests" | "try";

export interface EditorState {
  opened: OpenedGraph;
  graph: Graph;
  /** Graph as last saved: unsaved work is `graph !== saved`. */
  saved: Graph;
  revision: number;
  past: readonly Graph[];
  future: readonly Graph[];
  /** Ids of selected nodes and notes. */
  selected: readonly string[];
  selectedEdge: string | null;
  panel: SidePanel;
  /** Problems of what is on screen; null before anything was found. */
  problems: readonly PipelineProblem[] | null;
  validated: Validated | null;
  found: Found | null;
  /** The version that what is shown is compared with. */
  compared: Graph | null;
  /** What the latest edit was about: further edits of the same belong to the same undo step. */
  step: string | null;
  /** Counts changes of the graph that came from elsewhere than a form: forms begin anew with it. */
  replaced: number;
  /** Inputs as typed that the graph can't hold yet, by node and form. */
  invalidInputs: InvalidInputs;
  quickAdd: QuickAddPlace | null;
  /** The node whose label, or the note whose text, is being edited in the graph. */
  renaming: string | null;
  isDragging: boolean;
  /** Places for the nodes are being looked for. */
  isTidying: boolean;
  /** What letting go of the dragged nodes would change about groups. */
  groupDrop: GroupDrop | null;
  /** A test of the pipeline runs: what it tests stays as it is. */
  isTesting: boolean;
  /** The newest run of saved tests that was started here; it outlives the panel that started it. */
  testRunId: Id<"pipelineTestRun"> | undefined;
  /** What was typed into the form of a test and is not saved; it outlives the panel it was typed in. */
  testForm: OpenTestForm | null;
  /** The node just added, until it is seen. */
  added: string | null;
  /** What a dialog asks before it is done to what is selected. */
  question: Question | null;
}

export type Question = { kind: "remove" | "duplicate" | "group" } | { kind: "ungroup"; groupId: string };

/** Where the palette was asked for: on screen, and what is to happen with what is picked. */
export interface QuickAddPlace {
  screen: { x: number; y: number };
  where: ItemPlace;
}

export interface EditorActions {
  /**
   * Runs an edit as one undo step. An edit that answers the same graph is no step; one with the name of the step before
   * joins it, so that typing a word is one step. A locked graph takes no edits, and no undo or redo.
   */
  edit(change: (graph: Graph) => Graph, step?: string): void;
  /** The next edit begins a new step, whatever its name. */
  endStep(): void;
  /** Keeps a form's values that the graph can't hold yet, until `null`. */
  keepInvalid(key: string, values: FormValues | null): void;
  /** Unsaved work of an earlier visit, begun with the graph `base` of that revision; undo leads to `base`. */
  takeUp(graph: Graph, base: Graph, revision: number): void;
  undo(): void;
  redo(): void;
  select(nodeIds: readonly string[]): void;
  selectEdge(edgeId: string | null): void;
  show(panel: SidePanel): void;
  openQuickAdd(place: QuickAddPlace | null): void;
  rename(nodeId: string | null): void;
  ask(question: Question | null): void;
  setDragging(isDragging: boolean): void;
  setTidying(isTidying: boolean): void;
  setGroupDrop(groupDrop: GroupDrop | null): void;
  setTesting(isTesting: boolean): void;
  keepTestForm(testForm: OpenTestForm | null): void;
  /** The run of saved tests that was started here. */
  setTestRun(runId: Id<"pipelineTestRun">): void;
  markAdded(nodeId: string | null): void;
  /** What the server found in `graph`. */
  setValidated(validated: Validated): void;
  /** What the shared rules found in the graph on screen. */
  setFound(found: Found): void;
  compareWith(graph: Graph | null): void;
  /** The server has stored `graph`; edits made meanwhile stay unsaved. */
  markSaved(opened: OpenedGraph, sent: Graph): void;
  /** Work goes on over another saved draft, which the next save replaces; history stays. */
  rebase(opened: OpenedGraph): void;
  /** Replaces everything by what the server has (after a conflict, restore or publish). */
  load(opened: OpenedGraph): void;
}

export type EditorStore = ReturnType<typeof createEditorStore>;

export const isDirty = (state: Pick<EditorState, "graph" | "saved">): boolean => state.graph !== state.saved;
/** Whether nothing may change what is on screen: a version that is only looked at, or a draft while a test runs. */
export const isLocked = ({ opened, isTesting }: Pick<EditorState, "opened" | "isTesting">): boolean =>
  opened.readOnly || isTesting;
export const nodeOf = (state: EditorState, id: string): GraphNode | undefined =>
  state.graph.nodes.find((node) => node.id === id);

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
  validated: null,
  found: null,
  compared: null,
  step: null,
  replaced: 0,
  invalidInputs: {},
  quickAdd: null,
  renaming: null,
  isDragging: false,
  isTidying: false,
  groupDrop: null,
  isTesting: false,
  testRunId: undefined,
  testForm: null,
  added: null,
  question: null,
});

/** Panels about what is selected go with it; a note has no form. */
const panelFor = (panel: SidePanel, selected: readonly string[], { notes }: Graph): SidePanel =>
  panel === "edge" || (panel === "configure" && (selected.length !== 1 || notes.some(({ id }) => id === selected[0])))
    ? "none"
    : panel;

/** Selection never names what is no longer there. */
function keepExisting(state: EditorState, graph: Graph): Pick<EditorState, "selected" | "selectedEdge" | "panel"> {
  const ids = new Set([...graph.nodes, ...graph.notes].map(({ id }) => id));
  const selected = state.selected.filter((id) => ids.has(id));
  const selectedEdge = graph.edges.some((edge) => edge.id === state.selectedEdge) ? state.selectedEdge : null;
  return { selected, selectedEdge, panel: panelFor(state.panel, selected, graph) };
}

/** The state with another graph of its history on screen. */
const stepTo = (state: EditorState, graph: Graph): Partial<EditorState> => ({
  graph,
  ...keepProblems(state, { graph }),
  step: null,
  replaced: state.replaced + 1,
  invalidInputs: keepUntouched(state.invalidInputs, state.graph, graph),
  ...keepExisting(state, graph),
});

function withEdit(state: EditorState, graph: Graph, step: string | null): Partial<EditorState> {
  const joins = step !== null && step === state.step && state.past.length > 0;
  const past = joins ? state.past : [...state.past, state.graph].slice(-HISTORY_LIMIT);
  return { graph, past, future: [], step, ...keepProblems(state, { graph }), ...keepExisting(state, graph) };
}

type Finding = Pick<EditorState, "graph" | "validated" | "found">;

/** The problems shown with a part of what they are made from changed. */
const keepProblems = (state: Finding, change: Partial<Finding>): Partial<EditorState> => {
  const { graph, validated, found } = { ...state, ...change };
  return { ...change, problems: shownProblems(graph, validated, found) };
};

/**
 * What of an answer stays true for as long as it is open. The server calls a draft read-only while a test of it runs as
 * well: that ends, and is followed by `isTesting`.
 */
const lasting = (opened: OpenedGraph, mayWrite: boolean): OpenedGraph =>
  mayWrite && opened.graphVersion === "draft"
    ? { ...opened, readOnly: false, readOnlyReason: null }
    : { ...opened, readOnly: opened.readOnly || !mayWrite };

interface StoreOptions {
  panel?: SidePanel | undefined;
  mayWrite?: boolean;
}

export function createEditorStore(first: OpenedGraph, { panel = "none", mayWrite = true }: StoreOptions = {}) {
  const own = (opened: OpenedGraph): OpenedGraph => lasting(opened, mayWrite);
  return createStore<EditorState & EditorActions>((set) => ({
    ...fresh(own(first)),
    panel,
    // Nothing else makes a draft read-only for somebody who may write.
    isTesting: first.readOnly && !own(first).readOnly,
    edit: (change, step) =>
      set((state) => {
        if (isLocked(state)) return state;
        const graph = change(state.graph);
        return graph === state.graph ? state : withEdit(state, graph, step ?? null);
      }),
    endStep: () => set((state) => (state.step === null ? state : { step: null })),
    keepInvalid: (key, values) =>
      set((state) => {
        if (values === null && !(key in state.invalidInputs)) return state;
        const { [key]: _, ...others } = state.invalidInputs;
        return { invalidInputs: values === null ? others : { ...others, [key]: values } };
      }),
    takeUp: (graph, base, revision) =>
      set((state) => ({ ...stepTo(state, graph), saved: base, revision, past: [base], future: [] })),
    undo: () =>
      set((state) => {
        const graph = state.past.at(-1);
        if (!graph || isLocked(state)) return state;
        return { ...stepTo(state, graph), past: state.past.slice(0, -1), future: [state.graph, ...state.future] };
      }),
    redo: () =>
      set((state) => {
        const [graph, ...future] = state.future;
        if (!graph || isLocked(state)) return state;
        return { ...stepTo(state, graph), past: [...state.past, state.graph], future };
      }),
    select: (selected) =>
      set((state) =>
        isSameList(state.selected, selected) && state.selectedEdge === null
          ? state
          : {
              selected,
              selectedEdge: null,
              step: null,
              panel: panelFor(state.panel, selected, state.graph),
            },
      ),
    selectEdge: (selectedEdge) =>
      set((state) => ({
        selectedEdge,
        selected: state.selected.length === 0 ? state.selected : [],
        panel: state.panel === "configure" ? "none" : state.panel,
      })),
    show: (panel) => set({ panel }),
    openQuickAdd: (quickAdd) => set({ quickAdd }),
    rename: (renaming) => set({ renaming }),
    ask: (question) => set((state) => (question && isLocked(state) ? state : { question })),
    setDragging: (isDragging) => set({ isDragging }),
    setTidying: (isTidying) => set({ isTidying }),
    setGroupDrop: (groupDrop) => set({ groupDrop }),
    setTesting: (isTesting) => set({ isTesting }),
    keepTestForm: (testForm) => set({ testForm }),
    setTestRun: (testRunId) => set({ testRunId }),
    markAdded: (added) => set({ added }),
    setValidated: (validated) => set((state) => keepProblems(state, { validated })),
    setFound: (found) => set((state) => keepProblems(state, { found })),
    compareWith: (compared) => set({ compared }),
    markSaved: (opened, sent) =>
      set((state) => {
        // The server may have changed ids and positions; its graph is taken over where nothing was edited meanwhile.
        const saved = adoptGraph(sent, opened.graph);
        const graph = state.graph === sent ? saved : state.graph;
        return { opened: own(opened), revision: opened.revision, graph, saved };
      }),
    rebase: (opened) => set({ opened: own(opened), revision: opened.revision, saved: opened.graph }),
    load: (next) =>
      set(({ replaced, isTesting, testRunId, testForm }) => ({
        ...fresh(own(next)),
        replaced: replaced + 1,
        isTesting,
        testRunId,
        testForm,
      })),
  }));
}

const isSameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((id, index) => id === b[index]);
