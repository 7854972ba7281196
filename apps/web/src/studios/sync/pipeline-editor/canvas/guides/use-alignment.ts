/** Aligns nodes while they are dragged. Lines are kept apart from the graph: showing them draws nothing else anew. */
import { type NodePositionChange, useStoreApi } from "@xyflow/react";
import { useEffect, useRef, useState } from "react";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { Point } from "@accord/sync-engine/graph";
import { around, type Box, boxOf } from "../boxes.ts";
import type { FlowNode } from "../canvas.model.ts";
import { align, type Alignment, NO_ALIGNMENT } from "./alignment.ts";

/** In px on screen. */
const WITHIN = 6;

export interface Aligner {
  shown: StoreApi<Alignment>;
  /** The changes of places, with what is dragged snapped to what it is near. */
  snap: (changes: NodePositionChange[], drawn: readonly FlowNode[]) => NodePositionChange[];
  /** The end of a drag: by how much what was dragged is snapped. */
  end: () => Point;
}

const isSeen = (box: Box, view: Box): boolean =>
  box.x < view.x + view.width &&
  box.x + box.width > view.x &&
  box.y < view.y + view.height &&
  box.y + box.height > view.y;

/** Cards that can be seen and are not dragged, nor carried by what is. */
function othersOf(drawn: readonly FlowNode[], dragged: ReadonlySet<string>, view: Box): Box[] {
  const carried = new Set(
    drawn.flatMap((node) =>
      dragged.has(node.id) && (node.type === "area" || node.type === "loop") ? node.data.carriedIds : [],
    ),
  );
  return drawn
    .filter(({ id, type }) => (type === "pipeline" || type === "note") && !dragged.has(id) && !carried.has(id))
    .map(boxOf)
    .filter((box) => isSeen(box, view));
}

export function useAligner(): Aligner {
  const flow = useStoreApi();
  const isOff = useIsAltDown();
  const others = useRef<{ of: readonly FlowNode[]; ids: string; boxes: readonly Box[] }>(undefined);
  const [aligner] = useState((): Aligner => {
    const shown = createStore<Alignment>(() => NO_ALIGNMENT);
    const show = (next: Alignment): void => {
      if (shown.getState() !== next) shown.setState(next, true);
    };
    const find = (moving: readonly NodePositionChange[], drawn: readonly FlowNode[]): Alignment => {
      if (isOff.current) return NO_ALIGNMENT;
      const { transform, width, height } = flow.getState();
      const [x, y, zoom] = transform;
      const ids = moving.map(({ id }) => id).join(" ");
      if (others.current?.of !== drawn || others.current.ids !== ids) {
        const view = { x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom };
        const dragged = new Set(moving.map(({ id }) => id));
        others.current = { of: drawn, ids, boxes: othersOf(drawn, dragged, view) };
      }
      const byId = new Map(moving.map(({ id, position }) => [id, position]));
      const boxes = drawn.flatMap((node) => {
        const position = byId.get(node.id);
        return position ? [{ ...boxOf(node), ...position }] : [];
      });
      return boxes.length > 0 ? align(around(boxes), others.current.boxes, WITHIN / zoom) : NO_ALIGNMENT;
    };
    return {
      shown,
      snap: (changes, drawn) => {
        const moving = changes.filter(({ dragging, position }) => dragging === true && position);
        if (moving.length > 0) show(find(moving, drawn));
        const { by } = shown.getState();
        return changes.map((change) =>
          change.position && change.dragging !== undefined
            ? { ...change, position: { x: change.position.x + by.x, y: change.position.y + by.y } }
            : change,
        );
      },
      end: () => {
        const { by } = shown.getState();
        others.current = undefined;
        show(NO_ALIGNMENT);
        return by;
      },
    };
  });
  return aligner;
}

/** Whether Alt is down, as the latest event says: a drag may begin with it. */
function useIsAltDown() {
  const isDown = useRef(false);
  useEffect(() => {
    const note = ({ altKey }: MouseEvent | KeyboardEvent) => void (isDown.current = altKey);
    const events = ["mousedown", "mousemove", "pointermove", "keydown", "keyup"] as const;
    for (const event of events) addEventListener(event, note, true);
    return () => {
      for (const event of events) removeEventListener(event, note, true);
    };
  }, []);
  return isDown;
}
