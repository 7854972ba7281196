/** The graph itself: drawing, moving, connecting, dropping from the palette; every change is an edit of the store. */
import "@xyflow/react/dist/style.css";
import { EmptyState } from "@accord/ui";
import { addEdge, addNode, insertOnEdge, moveNodes, whyEdgeRefused, type Point } from "@accord/sync-engine/graph";
import {
  applyNodeChanges,
  Background,
  BackgroundVariant,
  MiniMap,
  ReactFlow,
  useReactFlow,
  type Connection,
  type NodeChange,
} from "@xyflow/react";
import { useCallback, useEffect, useMemo, useRef, useState, type DragEvent } from "react";
import { useWords } from "../../../../app/words.ts";
import { NODE_HEIGHT, NODE_WIDTH, toFlow, type FlowEdge, type FlowNode } from "../canvas.model.ts";
import { useEditor, useEditorStore, useReadOnly } from "../editor-context.tsx";
import { problemsByNode } from "../editor.model.ts";
import type { SelectionDeeds } from "../use-selection-deeds.ts";
import { newElementId, nodeFrom, PALETTE_MIME, type PaletteItem } from "../new-node.ts";
import { toast } from "../../../../shared/toast.tsx";
import { GroupArea } from "./group-area.tsx";
import { PipelineEdge } from "./pipeline-edge.tsx";
import { PipelineNode } from "./pipeline-node.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import { FIT, ZoomControls } from "./zoom-controls.tsx";
import "./canvas.css";

const NODE_TYPES = { pipeline: PipelineNode, area: GroupArea };
const EDGE_TYPES = { pipeline: PipelineEdge };
/** Minimap only helps once the graph no longer fits. */
const MINIMAP_FROM = 18;

/** `focus` is a new object for each wish, so that the same node can be asked for twice. */
export function Canvas({
  name,
  focus,
  deeds,
}: {
  name: string;
  focus: { nodeId: string } | undefined;
  deeds: SelectionDeeds;
}) {
  const { t } = useWords("sync");
  const { t: rule } = useWords("graph");
  const store = useEditorStore();
  const readOnly = useReadOnly();
  const graph = useEditor((state) => state.graph);
  const selected = useEditor((state) => state.selected);
  const selectedEdge = useEditor((state) => state.selectedEdge);
  const problems = useEditor((state) => state.problems);
  const compared = useEditor((state) => state.compared);
  const flow = useMemo(
    () => toFlow({ graph, selected, selectedEdge, errors: problemsByNode(problems), readOnly, compared }),
    [graph, selected, selectedEdge, problems, readOnly, compared],
  );
  // While a node is dragged only this copy moves; the graph changes once, when it is let go.
  const [moved, setMoved] = useState<{ of: FlowNode[]; nodes: FlowNode[] }>({ of: flow.nodes, nodes: flow.nodes });
  const nodes = moved.of === flow.nodes ? moved.nodes : flow.nodes;

  const onNodesChange = useCallback(
    (changes: NodeChange<FlowNode>[]) => {
      setMoved((current) => ({
        of: flow.nodes,
        nodes: applyNodeChanges(changes, current.of === flow.nodes ? current.nodes : flow.nodes),
      }));
      commitNudges(changes, store.getState().edit);
      const chosen = changes.filter((change) => change.type === "select");
      if (chosen.length > 0) store.getState().select(selectionAfter(store.getState().selected, chosen));
    },
    [flow.nodes, store],
  );
  const onConnect = useCallback(
    ({ source, target }: Connection) => {
      const made = addEdge(store.getState().graph, { id: newElementId(), source, target }, "drawn");
      if (made.ok) store.getState().edit(() => made.graph);
      else toast.info(rule(made.reason));
    },
    [store, rule],
  );

  const configure = (nodeId: string) => {
    store.getState().select([nodeId]);
    store.getState().show("configure");
  };
  useFocus(focus);
  useKeepInView();
  useWholeInView();
  const drop = useDrop();
  return (
    <section className="ac-canvas" aria-label={t("editor.canvas", { name })} data-read-only={readOnly || undefined}>
      <ReactFlow<FlowNode, FlowEdge>
        nodes={nodes}
        edges={flow.edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        onNodesChange={onNodesChange}
        onConnect={onConnect}
        isValidConnection={({ source, target }) =>
          whyEdgeRefused(store.getState().graph, { source, target }, "drawn") === null
        }
        onConnectEnd={(_event, connection) => {
          const ends = { source: connection.fromNode?.id ?? "", target: connection.toNode?.id ?? "" };
          if (connection.isValid !== false || ends.target === "") return;
          const reason = whyEdgeRefused(store.getState().graph, ends, "drawn");
          if (reason) toast.info(rule(reason));
        }}
        onNodeDragStop={(_event, _node, moved) => {
          const to = new Map(moved.map((node) => [node.id, node.position]));
          store.getState().edit((current) => (hasMoved(current.nodes, to) ? moveNodes(current, to) : current));
        }}
        onNodeClick={(event, node) => {
          if (
            node.type === "pipeline" &&
            node.selectable !== false &&
            !event.shiftKey &&
            !event.ctrlKey &&
            !event.metaKey
          )
            configure(node.id);
        }}
        onKeyDown={(event) => {
          const id = (event.target as Element).closest(".react-flow__node-pipeline")?.getAttribute("data-id");
          if (event.key === "Enter" && id) configure(id);
        }}
        onEdgeClick={(_event, edge) => store.getState().selectEdge(edge.id)}
        onPaneClick={() => {
          store.getState().select([]);
          store.getState().selectEdge(null);
          if (store.getState().panel === "configure") store.getState().show("none");
        }}
        {...drop}
        nodesDraggable={!readOnly}
        nodesConnectable={!readOnly}
        edgesFocusable
        deleteKeyCode={null}
        selectionKeyCode="Shift"
        multiSelectionKeyCode={["Meta", "Control"]}
        snapToGrid
        snapGrid={[10, 10]}
        minZoom={0.2}
        maxZoom={1.75}
        fitView
        fitViewOptions={FIT}
        proOptions={{ hideAttribution: true }}
      >
        <Background variant={BackgroundVariant.Dots} gap={20} size={1.4} color="var(--ac-control-border)" />
        {graph.nodes.length >= MINIMAP_FROM ? (
          <MiniMap
            pannable
            zoomable
            nodeColor="var(--ac-control-border)"
            maskColor="var(--ac-scrim)"
            bgColor="var(--ac-raised)"
          />
        ) : null}
        <ZoomControls onTidy={readOnly ? undefined : deeds.tidy} />
        <SelectionBar deeds={deeds} />
      </ReactFlow>
      {graph.nodes.length <= 1 && !readOnly ? (
        <div className="ac-canvas__empty">
          <EmptyState title={t("node.core")} body={t("editor.empty")} />
        </div>
      ) : null}
    </section>
  );
}

/** Arrow keys move selected nodes without a drag: such changes are edits of their own. */
function commitNudges(changes: NodeChange<FlowNode>[], edit: (change: (graph: GraphOf) => GraphOf) => void): void {
  const to = new Map<string, Point>();
  for (const change of changes) {
    if (change.type === "position" && change.dragging === false && change.position) to.set(change.id, change.position);
  }
  if (to.size > 0) edit((graph) => (hasMoved(graph.nodes, to) ? moveNodes(graph, to) : graph));
}

type GraphOf = Parameters<typeof moveNodes>[0];

const hasMoved = (nodes: GraphOf["nodes"], to: ReadonlyMap<string, Point>): boolean =>
  nodes.some((node) => {
    const next = to.get(node.id);
    return next !== undefined && (Math.floor(next.x) !== node.location.x || Math.floor(next.y) !== node.location.y);
  });

function selectionAfter(before: readonly string[], changes: { id: string; selected: boolean }[]): string[] {
  const next = new Set(before);
  for (const change of changes) {
    if (change.selected) next.add(change.id);
    else next.delete(change.id);
  }
  return [...next];
}

function useFocus(focus: { nodeId: string } | undefined): void {
  const flow = useReactFlow();
  useEffect(() => {
    if (!focus) return;
    const node = flow.getNode(focus.nodeId);
    if (node)
      void flow.setCenter(node.position.x + NODE_WIDTH / 2, node.position.y + NODE_HEIGHT / 2, {
        zoom: 1,
        duration: 140,
      });
  }, [flow, focus]);
}

const ROOM_PX = 16;
/** The canvas shrinks when the panel opens; measuring waits for that. */
const PANEL_OPENS_MS = 60;

/** The node being configured never hides behind its own panel. */
function useKeepInView(): void {
  const flow = useReactFlow();
  const nodeId = useEditor((state) => (state.panel === "configure" ? state.selected[0] : undefined));
  useEffect(() => {
    if (!nodeId) return;
    const timer = setTimeout(() => {
      const node = flow.getNode(nodeId);
      const area = document.querySelector(".ac-canvas")?.getBoundingClientRect();
      if (!node || !area) return;
      const from = flow.flowToScreenPosition(node.position);
      const to = flow.flowToScreenPosition({ x: node.position.x + NODE_WIDTH, y: node.position.y + NODE_HEIGHT });
      const inside =
        from.x >= area.left + ROOM_PX && to.x <= area.right - ROOM_PX && from.y >= area.top && to.y <= area.bottom;
      const centre = { x: node.position.x + NODE_WIDTH / 2, y: node.position.y + NODE_HEIGHT / 2 };
      if (!inside) void flow.setCenter(centre.x, centre.y, { zoom: flow.getZoom(), duration: 140 });
    }, PANEL_OPENS_MS);
    return () => clearTimeout(timer);
  }, [flow, nodeId]);
}

/** Versions are compared as a whole: all of the graph is shown beside them. */
function useWholeInView(): void {
  const flow = useReactFlow();
  const comparing = useEditor((state) => state.panel === "versions");
  const first = useRef(true);
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    const timer = setTimeout(() => void flow.fitView({ ...FIT, duration: 140 }), PANEL_OPENS_MS);
    return () => clearTimeout(timer);
  }, [flow, comparing]);
}

/** Takes what is dragged from the palette; let go over a connection it is inserted there. */
function useDrop() {
  const flow = useReactFlow<FlowNode, FlowEdge>();
  const store = useEditorStore();
  const { t: rule } = useWords("graph");
  const onDragOver = useCallback((event: DragEvent) => {
    if (!event.dataTransfer.types.includes(PALETTE_MIME)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
  }, []);
  const onDrop = useCallback(
    (event: DragEvent) => {
      const text = event.dataTransfer.getData(PALETTE_MIME);
      if (!text || store.getState().opened.readOnly) return;
      event.preventDefault();
      const at = flow.screenToFlowPosition({ x: event.clientX, y: event.clientY });
      const node = nodeFrom(JSON.parse(text) as PaletteItem, { x: at.x - NODE_WIDTH / 2, y: at.y - NODE_HEIGHT / 2 });
      const edgeId = edgeUnder(event);
      const { graph, edit, select } = store.getState();
      const inserted = edgeId ? insertOnEdge(graph, edgeId, node, newElementId) : null;
      if (inserted && !inserted.ok) toast.info(rule(inserted.reason));
      edit((current) => (inserted?.ok ? inserted.graph : addNode(current, node)));
      select([node.id]);
    },
    [flow, store, rule],
  );
  return { onDragOver, onDrop };
}

function edgeUnder(event: DragEvent): string | null {
  const hit = document
    .elementsFromPoint(event.clientX, event.clientY)
    .find((element) => element.closest(".react-flow__edge"));
  return hit?.closest(".react-flow__edge")?.getAttribute("data-id") ?? null;
}
