/** Takes what is dragged from the palette: over a connection it is put in there, over a node behind it, else where it is let go. */
import { useReactFlow } from "@xyflow/react";
import { useCallback, type DragEvent } from "react";
import { z } from "zod";
import { NODE_HEIGHT, NODE_WIDTH, type FlowEdge, type FlowNode } from "./canvas.model.ts";
import { useEditorStore } from "../editor-context.tsx";
import { isLocked } from "../editor.model.ts";
import { PALETTE_MIME, type PaletteItem } from "./new-node.ts";
import type { ItemPlace } from "./place-item.ts";
import { nodeUnder } from "./use-connecting.ts";
import { useInsertNode } from "./use-placing.ts";

/** Dragged within the page only, from our own palette. */
const Dragged = z.custom<PaletteItem>((value) => typeof value === "object" && value !== null && "kind" in value);

export function useDropping() {
  const flow = useReactFlow<FlowNode, FlowEdge>();
  const store = useEditorStore();
  const { place } = useInsertNode();
  const onDragOver = useCallback((event: DragEvent) => {
    if (!event.dataTransfer.types.includes(PALETTE_MIME)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
  }, []);
  const onDrop = useCallback(
    (event: DragEvent) => {
      const text = event.dataTransfer.getData(PALETTE_MIME);
      if (!text || isLocked(store.getState())) return;
      event.preventDefault();
      const item = Dragged.safeParse(JSON.parse(text)).data;
      const at = flow.screenToFlowPosition({ x: event.clientX, y: event.clientY });
      if (item) place(item, item.kind === "note" ? { location: at } : placeUnder(event, at));
    },
    [flow, place, store],
  );
  return { onDragOver, onDrop };
}

function placeUnder(event: DragEvent, at: { x: number; y: number }): ItemPlace {
  const afterId = nodeUnder({ x: event.clientX, y: event.clientY });
  if (afterId) return { afterId };
  const location = { x: Math.round(at.x - NODE_WIDTH / 2), y: Math.round(at.y - NODE_HEIGHT / 2) };
  const edgeId = edgeUnder(event);
  return edgeId ? { edgeId, location } : { location };
}

function edgeUnder(event: DragEvent): string | undefined {
  const hit = document
    .elementsFromPoint(event.clientX, event.clientY)
    .find((element) => element.closest(".react-flow__edge"));
  return hit?.closest(".react-flow__edge")?.getAttribute("data-id") ?? undefined;
}
