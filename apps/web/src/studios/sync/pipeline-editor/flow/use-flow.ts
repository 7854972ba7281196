/** What the canvas draws, from the store, and what moving and selecting there means for the store. */
import { isBypassed, isLoopEnd, isLoopStart, moveNodes, type Point } from "@accord/sync-engine/graph";
import { applyNodeChanges, type NodeChange } from "@xyflow/react";
import { useCallback, useMemo, useState } from "react";
import { useWords } from "../../../../app/words.ts";
import { FlowBuilder, type FlowEdge, type FlowNode } from "../canvas/canvas.model.ts";
import { useEditor, useEditorStore, useLocked } from "../editor-context.tsx";
import type { EditorStore } from "../editor.model.ts";
import { problemsByNode } from "../problems/shown-problems.ts";
import { withLoopFrames, withMembers } from "../canvas/containers/follow-nodes.ts";
import type { Aligner } from "../canvas/guides/use-alignment.ts";
import { hasMoved, type NodeDrag, useNodeDrag } from "../canvas/use-node-drag.ts";
import { usePortNames } from "../canvas/port-names.ts";

export interface FlowProps extends NodeDrag {
  nodes: FlowNode[];
  edges: FlowEdge[];
  onNodesChange: (changes: NodeChange<FlowNode>[]) => void;
}

export function useFlow(aligner?: Aligner): FlowProps {
  const store = useEditorStore();
  const drawn = useDrawn();
  // While a node is dragged only this copy moves; the graph changes once, when it is let go.
  const [moved, setMoved] = useState<{ of: FlowNode[]; nodes: FlowNode[] }>({ of: drawn.nodes, nodes: drawn.nodes });
  const nodes = moved.of === drawn.nodes ? moved.nodes : drawn.nodes;

  const onNodesChange = useCallback(
    (changes: NodeChange<FlowNode>[]) => {
      // Sizes are given, not measured: taking over what was measured would make every node anew.
      const own = changes.filter((change) => change.type === "position");
      const resized = changes.filter((change) => change.type === "dimensions" && change.resizing !== undefined);
      const snapped = aligner ? aligner.snap(own, drawn.nodes) : own;
      if (own.length + resized.length > 0)
        setMoved((current) => {
          const before = current.of === drawn.nodes ? current.nodes : drawn.nodes;
          const nodes = applyNodeChanges([...withMembers(snapped, before), ...resized], before);
          return { of: drawn.nodes, nodes: withLoopFrames(store.getState().graph, nodes) };
        });
      commitNudges(own, store);
      const chosen = changes.filter((change) => change.type === "select");
      if (chosen.length > 0) store.getState().select(selectionAfter(store.getState().selected, chosen));
    },
    [aligner, drawn.nodes, store],
  );
  const drag = useNodeDrag(aligner);
  return { nodes, edges: drawn.edges, onNodesChange, ...drag };
}

function useDrawn() {
  const { t } = useWords("sync");
  const nameOf = usePortNames();
  const readOnly = useLocked();
  const [builder] = useState(() => new FlowBuilder());
  const graph = useEditor((state) => state.graph);
  const selected = useEditor((state) => state.selected);
  const selectedEdge = useEditor((state) => state.selectedEdge);
  const problems = useEditor((state) => state.problems);
  const compared = useEditor((state) => state.compared);
  const errors = useMemo(() => problemsByNode(problems), [problems]);
  return useMemo(
    () =>
      builder.build({
        graph,
        selected,
        selectedEdge,
        errors,
        readOnly,
        compared,
        nodeName: (node) => (isBypassed(node) ? t("flow.bypass.named", { label: node.label }) : node.label),
        noteName: ({ text }) => (text.trim() ? t("note.named", { text }) : t("note.empty")),
        loopName: (label) => t("loop.name", { label }),
        edgeName: (from, to, port) => {
          const ends = { from: from.label, to: to.label };
          if (isLoopEnd(from) && isLoopStart(to)) return t("node.edgeBack", ends);
          const branch = nameOf(from, port);
          return branch ? t("node.edgeBranch", { ...ends, branch }) : t("node.edge", ends);
        },
      }),
    [builder, compared, errors, graph, nameOf, readOnly, selected, selectedEdge, t],
  );
}

/** Arrow keys move selected nodes without a drag: such changes are edits of their own. */
function commitNudges(changes: NodeChange<FlowNode>[], store: EditorStore): void {
  const to = new Map<string, Point>();
  for (const change of changes) {
    if (change.type === "position" && change.dragging === false && change.position) to.set(change.id, change.position);
  }
  if (to.size === 0 || store.getState().isDragging) return;
  store
    .getState()
    .edit((graph) => (hasMoved(graph, to) ? moveNodes(graph, to) : graph), `nudge ${[...to.keys()].join(" ")}`);
}

function selectionAfter(before: readonly string[], changes: { id: string; selected: boolean }[]): string[] {
  const next = new Set(before);
  for (const change of changes) {
    if (change.selected) next.add(change.id);
    else next.delete(change.id);
  }
  return [...next];
}
