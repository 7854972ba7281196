/** The graph itself: drawing, moving, connecting, dropping from the palette; every change is an edit of the store. */
import "@xyflow/react/dist/style.css";
import { EmptyState } from "@accord/ui";
import { Background, BackgroundVariant, ReactFlow, useReactFlow } from "@xyflow/react";
import type { Id } from "@accord/contracts";
import { memo, useEffect, useRef, useState, type KeyboardEvent, type MouseEvent } from "react";
import { useWords } from "../../../../app/words.ts";
import type { FlowEdge, FlowNode } from "./canvas.model.ts";
import { CardWorldProvider } from "../cards/card-world.tsx";
import { useEditor, useEditorStore, useLocked } from "../editor-context.tsx";
import { type EditorStore, isLocked, nodeOf } from "../editor.model.ts";
import { useFieldScope } from "../field-pipeline/field-scope.ts";
import { useShownFlow } from "../flow/flow-context.tsx";
import { useConnecting } from "./use-connecting.ts";
import { useDropping } from "./use-dropping.ts";
import { SaveFragmentDialog, useNewFragment } from "../fragments/save-fragment-dialog.tsx";
import { useFlow } from "../flow/use-flow.ts";
import type { EditorCommands } from "../commands/use-editor-commands.ts";
import { formWidth } from "../node-forms/panel-width.tsx";
import {
  DOUBLE_PRESS_MS,
  useConfiguredInView,
  useFocusedNode,
  useKeptMiddle,
  useNodesInView,
  useWholeInView,
} from "./view/use-view.ts";
import { FindNode } from "../palette/find-node.tsx";
import { FlowNote } from "../flow/flow-note.tsx";
import { GraphMap } from "./graph-map/graph-map.tsx";
import { focusForm } from "../node-forms/focus-form.ts";
import { GraphMenu, type GraphMenuPlace } from "./graph-menu.tsx";
import { NoteCard } from "./notes/note-card.tsx";
import { LoopArea } from "./containers/loop-area.tsx";
import { GuideLines } from "./guides/guide-lines.tsx";
import { useAligner } from "./guides/use-alignment.ts";
import { TidyProgress } from "./tidy/tidy-progress.tsx";
import { GroupArea } from "./groups/group-area.tsx";
import { PipelineEdge } from "./pipeline-edge.tsx";
import { PipelineNode } from "../cards/pipeline-node.tsx";
import { QuickAdd } from "../palette/quick-add.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import { distanceToNode, visibleArea } from "./view/visible-area.ts";
import { ZoomDetail } from "./view/zoom-detail.ts";
import { FIT, MIN_ZOOM, ZoomControls } from "./view/zoom-controls.tsx";
import "./canvas.css";

const NODE_TYPES = { pipeline: PipelineNode, area: GroupArea, loop: LoopArea, note: NoteCard };
const EDGE_TYPES = { pipeline: PipelineEdge };
const GRID: [number, number] = [10, 10];
const SELECT_MORE = ["Meta", "Control"];
const NO_MARK = { hideAttribution: true };
/** The map only helps once the graph no longer fits. */
const MAP_FROM = 18;
/** Below this many nodes drawing all of them costs less than finding out which can be seen. */
const CULLED_FROM = 150;

interface Props {
  entityId: Id<"entity">;
  name: string;
  /** A new object for each wish, so that the same node can be asked for twice. */
  focus: { nodeId: string } | undefined;
  commands: EditorCommands;
  isFinding: boolean;
  onFind: (open: boolean) => void;
  onShowNode: (nodeId: string) => void;
  onShowEverything: () => void;
}

export const Canvas = memo(function Canvas(props: Props) {
  const { t } = useWords("sync");
  const store = useEditorStore();
  const readOnly = useLocked();
  const count = useEditor((state) => state.graph.nodes.length);
  const hasSeveral = useEditor((state) => state.selected.length > 1);
  const isField = useFieldScope() !== null;
  const aligner = useAligner();
  const flow = useFlow(aligner);
  const connecting = useConnecting();
  const dropping = useDropping();
  const newFragment = useNewFragment();
  const [menu, setMenu] = useState<GraphMenuPlace | null>(null);
  const gestures = useGestures(setMenu);
  useFocusedNode(props.focus);
  useNodesInView();
  useConfiguredInView();
  useWholeInView();
  useKeptMiddle();
  return (
    <section
      className="ac-canvas"
      aria-label={t("editor.canvas", { name: props.name })}
      data-read-only={readOnly || undefined}
      data-several-selected={hasSeveral || undefined}
    >
      <CardWorldProvider entityId={props.entityId}>
        <ReactFlow<FlowNode, FlowEdge>
          {...flow}
          {...connecting}
          {...dropping}
          {...gestures}
          nodeTypes={NODE_TYPES}
          edgeTypes={EDGE_TYPES}
          nodesDraggable={!readOnly}
          nodesConnectable={!readOnly}
          connectionRadius={36}
          edgesFocusable
          autoPanOnNodeFocus={false}
          deleteKeyCode={null}
          selectionKeyCode="Shift"
          multiSelectionKeyCode={SELECT_MORE}
          onlyRenderVisibleElements={count >= CULLED_FROM}
          snapToGrid
          snapGrid={GRID}
          minZoom={MIN_ZOOM}
          maxZoom={1.75}
          // A link to a node shows that node, not all of them.
          fitView={props.focus === undefined}
          fitViewOptions={FIT}
          proOptions={NO_MARK}
        >
          <ZoomDetail />
          <Background variant={BackgroundVariant.Dots} gap={20} size={1.4} color="var(--ac-control-border)" />
          {count >= MAP_FROM ? <GraphMap nodes={flow.nodes} /> : null}
          <ZoomControls onShowEverything={props.onShowEverything} onTidy={readOnly ? undefined : props.commands.tidy} />
          <GuideLines shown={aligner.shown} />
          <TidyProgress />
          <FlowNote />
          <SelectionBar commands={props.commands} onSaveFragment={newFragment.begin} />
          {props.isFinding ? <FindNode onShow={props.onShowNode} onClose={() => props.onFind(false)} /> : null}
        </ReactFlow>
      </CardWorldProvider>
      {count <= 1 && !readOnly ? (
        <div className="ac-canvas__empty">
          <EmptyState title={t("editor.emptyTitle")} body={t(isField ? "fieldPipeline.empty" : "editor.empty")} />
        </div>
      ) : null}
      <QuickAdd entityId={props.entityId} />
      <SaveFragmentDialog fragment={newFragment.fragment} onClose={newFragment.close} />
      <GraphMenu
        place={menu}
        commands={props.commands}
        onSaveFragment={newFragment.begin}
        onShowEverything={props.onShowEverything}
        onClose={() => {
          setMenu(null);
          const [id] = store.getState().selected;
          if (id && store.getState().renaming === null)
            document.querySelector<HTMLElement>(`[data-id="${id}"]`)?.focus();
        }}
      />
    </section>
  );
});

/** Whether the form of this node is the one that is open. */
const isConfigured = (store: EditorStore, nodeId: string): boolean => {
  const { panel, selected } = store.getState();
  return panel === "configure" && selected[0] === nodeId;
};

/** Presses and keys on nodes, edges and the empty canvas. */
function useGestures(openMenu: (place: GraphMenuPlace) => void) {
  const store = useEditorStore();
  const flow = useReactFlow();
  const hasFlow = useShownFlow() !== null;
  const runs = useRef(hasFlow);
  useEffect(() => void (runs.current = hasFlow), [hasFlow]);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(waiting.current), []);
  const configure = (nodeId: string) => {
    store.getState().select([nodeId]);
    store.getState().show("configure");
  };
  /**
   * Where the form would take the place of what is pressed, the view moves with it: both wait for the second press that
   * may follow, which renames.
   */
  const configureAt = (nodeId: string) => {
    clearTimeout(waiting.current);
    const node = nodeOf(store.getState(), nodeId);
    if (!node || !distanceToNode(node, flow.getViewport(), visibleArea(formWidth()))) return configure(nodeId);
    store.getState().select([nodeId]);
    waiting.current = setTimeout(() => {
      const { selected, renaming, isDragging } = store.getState();
      if (selected.length === 1 && selected[0] === nodeId && renaming === null && !isDragging) configure(nodeId);
    }, DOUBLE_PRESS_MS);
  };
  const selectNothing = () => {
    store.getState().select([]);
    store.getState().selectEdge(null);
    const { panel } = store.getState();
    if (panel === "configure" || panel === "edge") store.getState().show("none");
  };
  const menuAt = (event: MouseEvent | globalThis.MouseEvent, about: GraphMenuPlace["about"]) => {
    event.preventDefault();
    openMenu({ x: event.clientX, y: event.clientY, about });
  };
  const ofNode = (event: MouseEvent, node: FlowNode) => {
    if (node.type === "area" || node.type === "loop") return menuAt(event, "pane");
    if (node.selectable === false) return;
    if (!store.getState().selected.includes(node.id)) store.getState().select([node.id]);
    menuAt(event, "nodes");
  };
  const [gestures] = useState(() => ({
    onNodeClick: (event: MouseEvent, node: FlowNode) => {
      const isMore = event.shiftKey || event.ctrlKey || event.metaKey;
      if (node.type === "pipeline" && node.selectable !== false && !isMore) configureAt(node.id);
      if (node.type === "area") selectNothing();
    },
    onNodeDoubleClick: (_: MouseEvent, node: FlowNode) => {
      clearTimeout(waiting.current);
      if ((node.type === "pipeline" || node.type === "note") && !isLocked(store.getState()))
        store.getState().rename(node.id);
    },
    onKeyDown: (event: KeyboardEvent) => {
      const isCommand = event.ctrlKey || event.metaKey;
      if (event.key !== "Enter" || isCommand || !(event.target instanceof Element)) return;
      const node = event.target.closest(".react-flow__node-pipeline, .react-flow__node-note");
      const id = node === event.target ? node.getAttribute("data-id") : null;
      if (!id) return;
      // The same key would press a button of the form that is entered, or begin a line in the note.
      event.preventDefault();
      if (!nodeOf(store.getState(), id)) return isLocked(store.getState()) ? undefined : store.getState().rename(id);
      configure(id);
      focusForm(id, () => isConfigured(store, id));
    },
    onEdgeClick: (_: MouseEvent, edge: FlowEdge) => {
      store.getState().selectEdge(edge.id);
      if (runs.current && edge.data?.isWhole) store.getState().show("edge");
    },
    // A form is closed by its own buttons, not by a press beside it.
    onPaneClick: () => {
      if (store.getState().panel !== "configure") selectNothing();
    },
    onNodeContextMenu: ofNode,
    onSelectionContextMenu: (event: MouseEvent) => menuAt(event, "nodes"),
    onEdgeContextMenu: (event: MouseEvent, edge: FlowEdge) => {
      store.getState().selectEdge(edge.id);
      menuAt(event, "edge");
    },
    onPaneContextMenu: (event: MouseEvent | globalThis.MouseEvent) => menuAt(event, "pane"),
  }));
  return gestures;
}
