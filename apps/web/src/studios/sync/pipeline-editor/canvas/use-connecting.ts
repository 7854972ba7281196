/** Drawing connections: onto a handle or anywhere on a node; let go over nothing, the palette opens there. */
import { addEdge, edgeViolation, type Point } from "@accord/sync-engine/graph";
import { useReactFlow, type Connection, type Edge, type OnConnectEnd } from "@xyflow/react";
import { useCallback, useMemo } from "react";
import { useWords } from "../../../../app/words.ts";
import { toast } from "../../../../shared/toast.tsx";
import { NODE_WIDTH } from "./canvas.model.ts";
import { BACK_HANDLE, IN_TOP } from "./handles.ts";
import { useEditorStore } from "../editor-context.tsx";
import { newElementId } from "./new-node.ts";
import type { ItemPlace } from "./place-item.ts";

interface Ends {
  source: string;
  target: string;
  sourceHandle?: string | null | undefined;
}

export const nodeUnder = (point: Point): string | undefined =>
  document
    .elementsFromPoint(point.x, point.y)
    .map((element) => element.closest(".react-flow__node-pipeline"))
    .find((element) => element !== null)
    ?.getAttribute("data-id") ?? undefined;

const pointOf = (event: MouseEvent | TouchEvent): Point => {
  const at = "changedTouches" in event ? event.changedTouches[0] : event;
  return { x: at?.clientX ?? 0, y: at?.clientY ?? 0 };
};

export function useConnecting() {
  const flow = useReactFlow();
  const store = useEditorStore();
  const { t: rule } = useWords("graph");

  const connect = useCallback(
    ({ source, target, sourceHandle }: Ends) => {
      const branch = sourceHandle && sourceHandle !== BACK_HANDLE ? { edgeType: sourceHandle } : {};
      const made = addEdge(store.getState().graph, { id: newElementId(), source, target, ...branch }, "drawn");
      if (made.ok) store.getState().edit(() => made.graph);
      else toast.info(rule(made.reason));
    },
    [rule, store],
  );
  const onConnectEnd: OnConnectEnd = useCallback(
    (event, { fromNode, fromHandle, toHandle, isValid }) => {
      if (!fromNode || !fromHandle || isValid) return;
      const point = pointOf(event);
      const other = toHandle?.nodeId ?? nodeUnder(point);
      const isBackwards = fromHandle.type === "target";
      if (other && other !== fromNode.id) {
        return connect(
          isBackwards
            ? { source: other, target: fromNode.id }
            : { source: fromNode.id, target: other, sourceHandle: fromHandle.id },
        );
      }
      const isOverCanvas = document
        .elementsFromPoint(point.x, point.y)
        .some((each) => each.closest(".react-flow__pane"));
      if (other || !isOverCanvas || fromHandle.id === BACK_HANDLE) return;
      // The new node's way in lies where the line was let go.
      const end = flow.screenToFlowPosition(point);
      const location = { x: end.x, y: end.y - IN_TOP };
      const where: ItemPlace = isBackwards
        ? { beforeId: fromNode.id, location: { x: location.x - NODE_WIDTH, y: location.y } }
        : { afterId: fromNode.id, port: fromHandle.id ?? undefined, location };
      store.getState().openQuickAdd({ screen: point, where });
    },
    [connect, flow, store],
  );
  const isValidConnection = useCallback(
    ({ source, target }: Connection | Edge) =>
      edgeViolation(store.getState().graph, { source, target }, "drawn") === null,
    [store],
  );
  return useMemo(
    () => ({ onConnect: connect, onConnectEnd, isValidConnection }),
    [connect, isValidConnection, onConnectEnd],
  );
}
