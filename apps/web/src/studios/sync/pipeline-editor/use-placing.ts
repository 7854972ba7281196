/** Placing something from the palette by click: on the selected connection, behind the selected node, or on its own. */
import {
  addEdge,
  addNode,
  addNodeAfter,
  DEFAULT_LOCATION,
  edgesOutOf,
  insertOnEdge,
  isSink,
  isSource,
  nodeById,
  SPACING,
  type Point,
} from "@accord/sync-engine/graph";
import type { Graph, GraphEdge, GraphNode } from "@accord/contracts/sync/graph";
import { useCallback } from "react";
import { useEditorStore, useReadOnly } from "./editor-context.tsx";
import { NODE_HEIGHT, NODE_WIDTH } from "./canvas.model.ts";
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
    const edge = graph.edges.find((candidate) => candidate.id === at.edgeId);
    const location = edge ? between(graph, edge) : node.location;
    const inserted = insertOnEdge(graph, at.edgeId, { ...node, location }, newElementId);
    if (inserted.ok) return { graph: inserted.graph, node };
  }
  if (at.after) {
    // A step in a row belongs between its neighbours; where ways part, only the person knows which one is meant.
    const [only, ...others] = edgesOutOf(graph, at.after.id);
    if (only && others.length === 0) {
      const inserted = insertOnEdge(graph, only.id, { ...node, location: between(graph, only) }, newElementId);
      if (inserted.ok) return { graph: inserted.graph, node };
    }
    const added = addNodeAfter(graph, at.after.id, node, newElementId);
    if (added.ok) return { graph: added.graph, node };
  }
  return { graph: addNode(graph, node), node };
}

const ROOM = NODE_WIDTH + 2 * SPACING.step;

/** Half-way along a connection; below it where the neighbours stand too close. */
function between(graph: Graph, edge: GraphEdge): Point {
  const from = nodeById(graph, edge.source.nodeId)?.location ?? DEFAULT_LOCATION;
  const to = nodeById(graph, edge.destination.nodeId)?.location ?? DEFAULT_LOCATION;
  const fits = Math.abs(to.x - from.x) - NODE_WIDTH >= ROOM;
  const below = fits ? 0 : SPACING.vertical + NODE_HEIGHT / 2;
  return { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 + below };
}

/** A new source leads into the core entity and the core entity into a new destination: what nearly everybody wants. */
function connectPlace(graph: Graph, node: GraphNode): Graph {
  const core = graph.nodes.find((candidate) => candidate.nodeType === "CORE_ENTITY");
  if (!core) return graph;
  const ends = isSource(node) ? { source: node.id, target: core.id } : { source: core.id, target: node.id };
  const made = addEdge(graph, { id: newElementId(), ...ends }, "inserted");
  return made.ok ? made.graph : graph;
}
