/** Placing something from the palette by click: on the selected connection, behind the selected node, or on its own. */
import { addEdge, addNode, addNodeAfter, insertOnEdge, isSink, isSource } from "@accord/sync-engine/graph";
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";
import { useCallback } from "react";
import { useEditorStore, useReadOnly } from "./editor-context.tsx";
import { newElementId, nodeFrom, placeFor, type PaletteItem } from "./new-node.ts";

export function usePlacing(): { place: (item: PaletteItem) => void; readOnly: boolean } {
  const store = useEditorStore();
  const readOnly = useReadOnly();
  const place = useCallback(
    (item: PaletteItem) => {
      const { graph, selected, selectedEdge, edit, select, show } = store.getState();
      const after = selected.length === 1 ? graph.nodes.find((node) => node.id === selected[0]) : undefined;
      const placed = placeIn(graph, item, { after, edgeId: selectedEdge });
      edit(() => placed.graph);
      select([placed.node.id]);
      show("configure");
    },
    [store],
  );
  return { place, readOnly };
}

/** The graph with the item's node in it, connected the way its kind suggests. */
export function placeIn(
  graph: Graph,
  item: PaletteItem,
  at: { after?: GraphNode | undefined; edgeId: string | null },
): { graph: Graph; node: GraphNode } {
  const sameKind = graph.nodes.filter((node) => (item.kind === "source" ? isSource(node) : isSink(node))).length;
  const node = nodeFrom(item, placeFor(item, item.kind === "source" ? undefined : at.after, sameKind));
  if (item.kind === "source" || item.kind === "sink") return { graph: connectPlace(addNode(graph, node), node), node };
  if (at.edgeId) {
    const inserted = insertOnEdge(graph, at.edgeId, node, newElementId);
    if (inserted.ok) return { graph: inserted.graph, node };
  }
  if (at.after) {
    const added = addNodeAfter(graph, at.after.id, node, newElementId);
    if (added.ok) return { graph: added.graph, node };
  }
  return { graph: addNode(graph, node), node };
}

/** A new source leads into the core entity and the core entity into a new destination: what nearly everybody wants. */
function connectPlace(graph: Graph, node: GraphNode): Graph {
  const core = graph.nodes.find((candidate) => candidate.nodeType === "CORE_ENTITY");
  if (!core) return graph;
  const ends = isSource(node) ? { source: node.id, target: core.id } : { source: core.id, target: node.id };
  const made = addEdge(graph, { id: newElementId(), ...ends }, "inserted");
  return made.ok ? made.graph : graph;
}
