/** Dragging nodes: they move, and join or leave groups, in one edit once they are let go. */
import type { Graph } from "@accord/contracts/sync/graph";
import { moveNodes, nodeById, nodeHeight, type Point } from "@accord/sync-engine/graph";
import { useReactFlow } from "@xyflow/react";
import { type MouseEvent as ReactMouseEvent, type TouchEvent as ReactTouchEvent, useMemo } from "react";
import { useWords } from "../../../../app/words.ts";
import { toast } from "../../../../shared/toast.tsx";
import { useEditorStore } from "../editor-context.tsx";
import { NODE_WIDTH, type FlowEdge, type FlowNode } from "./canvas.model.ts";
import type { Box } from "./boxes.ts";
import { afterDrop, type GroupDrop, groupDrop, isSameDrop, NO_DROP } from "./groups/group-drop.ts";
import type { Aligner } from "./guides/use-alignment.ts";
import { placesAfter } from "./containers/follow-nodes.ts";

/** The canvas gives some events as the browser's and some as React's. */
type DragEvent = MouseEvent | TouchEvent | ReactMouseEvent | ReactTouchEvent;
type OnDrag = (event: DragEvent, dragged: readonly FlowNode[]) => void;

export interface NodeDrag {
  onNodeDragStart: () => void;
  onNodeDrag: (event: DragEvent, node: FlowNode, dragged: FlowNode[]) => void;
  onNodeDragStop: (event: DragEvent, node: FlowNode, dragged: FlowNode[]) => void;
  onSelectionDragStart: () => void;
  onSelectionDrag: OnDrag;
  onSelectionDragStop: OnDrag;
}

export function useNodeDrag(aligner?: Aligner): NodeDrag {
  const flow = useReactFlow<FlowNode, FlowEdge>();
  const store = useEditorStore();
  const { t } = useWords("sync");
  const { t: rule } = useWords("graph");
  return useMemo(() => {
    const dropAt = (event: DragEvent, dragged: readonly FlowNode[]): GroupDrop => {
      const { graph } = store.getState();
      // What is dragged by its area stays in the groups it is in.
      if (dragged.some(({ type }) => type === "area" || type === "loop")) return NO_DROP;
      const areas = new Map(flow.getNodes().flatMap((node) => (node.type === "area" ? [[node.id, boxOf(node)]] : [])));
      const nodes = new Map(dragged.map((node) => [node.id, boxOf(node)]));
      return groupDrop({ graph, areas, nodes, pointer: flow.screenToFlowPosition(pointerOf(event)) });
    };
    const start = () => store.getState().setDragging(true);
    const drag: OnDrag = (event, dragged) => {
      const drop = dropAt(event, dragged);
      const { groupDrop: before, setGroupDrop } = store.getState();
      if (!isSameDrop(before, drop)) setGroupDrop(drop);
    };
    const say = (graph: Graph, { into, out }: GroupDrop): void => {
      if (into?.refusal) return toast.info(rule(into.refusal));
      const groupId = into?.groupId ?? nodeById(graph, out[0] ?? "")?.groupId;
      const group = graph.groups.find(({ id }) => id === groupId);
      if (group) toast.success(t(into ? "group.added" : "group.removed", { group: group.name }));
    };
    const stop: OnDrag = (event, raw) => {
      const by = aligner?.end() ?? { x: 0, y: 0 };
      const dragged = raw.map((node) => movedBy(node, by));
      const { setDragging, setGroupDrop, edit, graph: before } = store.getState();
      const drop = dropAt(event, dragged);
      setDragging(false);
      setGroupDrop(null);
      const to = placesAfter(before, dragged);
      edit((graph) => afterDrop(hasMoved(graph, to) ? moveNodes(graph, to) : graph, drop));
      say(before, drop);
    };
    return {
      onNodeDragStart: start,
      onNodeDrag: (event, _node, dragged) => drag(event, dragged),
      onNodeDragStop: (event, _node, dragged) => stop(event, dragged),
      onSelectionDragStart: start,
      onSelectionDrag: drag,
      onSelectionDragStop: stop,
    };
  }, [aligner, flow, rule, store, t]);
}

const movedBy = (node: FlowNode, { x, y }: Point): FlowNode => ({
  ...node,
  position: { x: node.position.x + x, y: node.position.y + y },
});

export const hasMoved = ({ nodes, notes }: Pick<Graph, "nodes" | "notes">, to: ReadonlyMap<string, Point>): boolean =>
  [...nodes, ...notes].some(({ id, location }) => {
    const next = to.get(id);
    return next !== undefined && (Math.floor(next.x) !== location.x || Math.floor(next.y) !== location.y);
  });

function boxOf(node: FlowNode): Box {
  const height = node.type === "pipeline" ? nodeHeight(node.data.node) : 0;
  return { ...node.position, width: node.width ?? NODE_WIDTH, height: node.height ?? height };
}

/** Of a finger that was lifted only the last place is known. */
function pointerOf(event: DragEvent): Point {
  const point = "clientX" in event ? event : event.changedTouches[0];
  return { x: point?.clientX ?? 0, y: point?.clientY ?? 0 };
}
