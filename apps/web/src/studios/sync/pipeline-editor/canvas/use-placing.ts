/** Placing something from the palette: on the selected connection, behind the selected node, or where somebody asked for it. */
import { addNote, type Point } from "@accord/sync-engine/graph";
import { useReactFlow } from "@xyflow/react";
import { useCallback } from "react";
import { useEditorStore, useLocked } from "../editor-context.tsx";
import { type EditorStore, isLocked } from "../editor.model.ts";
import type { PaletteItem } from "./new-node.ts";
import { noteAround, noteAt } from "./notes/new-note.ts";
import { placeItem, type ItemPlace } from "./place-item.ts";
import { visibleArea } from "./view/visible-area.ts";

/** Adds a note, around the nodes that are selected where there are several, and begins editing it. */
export function insertNote(store: EditorStore, middle: Point): { id: string } | null {
  const { graph, selected, edit, select, rename } = store.getState();
  if (isLocked(store.getState())) return null;
  const note = noteAround(graph, selected) ?? noteAt(middle);
  edit((before) => addNote(before, note));
  select([note.id]);
  rename(note.id);
  return note;
}

/** The middle of the part of the graph that is seen, or the place of a point on the page. */
export function usePlaceInView(): (point?: Point) => Point {
  const flow = useReactFlow();
  return useCallback(
    (point) => {
      const area = visibleArea() ?? { left: 0, right: innerWidth, top: 0, bottom: innerHeight };
      const middle = { x: (area.left + area.right) / 2, y: (area.top + area.bottom) / 2 };
      return flow.screenToFlowPosition(point ?? middle, { snapToGrid: false });
    },
    [flow],
  );
}

export function useInsertNode(): {
  place: (item: PaletteItem, where?: ItemPlace) => { id: string };
  readOnly: boolean;
} {
  const store = useEditorStore();
  const placeInView = usePlaceInView();
  const readOnly = useLocked();
  const place = useCallback(
    (item: PaletteItem, where?: ItemPlace) => {
      if (item.kind === "note") return insertNote(store, where?.location ?? placeInView()) ?? { id: "" };
      const { graph, selected, selectedEdge, edit, select, show, markAdded } = store.getState();
      const chosen = selected.length === 1 ? selected[0] : undefined;
      const placed = placeItem(graph, item, where ?? { afterId: chosen, edgeId: selectedEdge ?? undefined });
      edit(() => placed.graph);
      select(placed.nodeIds);
      if (placed.nodeIds.length === 1) show("configure");
      markAdded(placed.node.id);
      return placed.node;
    },
    [placeInView, store],
  );
  return { place, readOnly };
}
