/** Placing something from the palette: on the selected connection, behind the selected node, or where somebody asked for it. */
import type { GraphNode } from "@accord/contracts/sync/graph";
import { useCallback } from "react";
import { useEditorStore, useLocked } from "../editor-context.tsx";
import type { PaletteItem } from "./new-node.ts";
import { placeItem, type ItemPlace } from "./place-item.ts";

export function useInsertNode(): { place: (item: PaletteItem, where?: ItemPlace) => GraphNode; readOnly: boolean } {
  const store = useEditorStore();
  const readOnly = useLocked();
  const place = useCallback(
    (item: PaletteItem, where?: ItemPlace) => {
      const { graph, selected, selectedEdge, edit, select, show, markAdded } = store.getState();
      const chosen = selected.length === 1 ? selected[0] : undefined;
      const placed = placeItem(graph, item, where ?? { afterId: chosen, edgeId: selectedEdge ?? undefined });
      edit(() => placed.graph);
      select(placed.nodeIds);
      if (placed.nodeIds.length === 1) show("configure");
      markAdded(placed.node.id);
      return placed.node;
    },
    [store],
  );
  return { place, readOnly };
}
