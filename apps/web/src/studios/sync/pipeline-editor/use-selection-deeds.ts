/** What can be done to the selected nodes, by keys and by the bar over the graph alike. */
import { addGroup, copySelection, isCore, removeEdge, removeNodes, tidyGraph } from "@accord/sync-engine/graph";
import { GraphGroup } from "@accord/contracts/sync/graph";
import { useMemo } from "react";
import { useWords } from "../../../app/words.ts";
import { useSession } from "../../../app/session.ts";
import { toast } from "../../../shared/toast.tsx";
import { useEditorStore } from "./editor-context.tsx";
import { newElementId } from "./new-node.ts";

export const CLIPBOARD_KEY = "accord-copied-nodes";

export interface SelectionDeeds {
  copy: () => void;
  group: () => void;
  /** Removes the selection; more than one node after a question. */
  remove: () => void;
  tidy: () => void;
}

export function useSelectionDeeds(confirmRemoval: () => void): SelectionDeeds {
  const { t } = useWords("sync");
  const { t: rule } = useWords("graph");
  const instanceId = useSession().currentInstanceAccordId ?? "";
  const store = useEditorStore();
  return useMemo(
    () => ({
      copy: () => {
        const { graph, selected } = store.getState();
        const copied = copySelection(graph, new Set(selected), { instanceId, scope: "entity" });
        if (!copied.ok) return toast.info(rule(copied.reason));
        localStorage.setItem(CLIPBOARD_KEY, JSON.stringify(copied.clipboard));
        toast.success(
          t("editor.copied", { nodes: copied.clipboard.copyNodes.length, edges: copied.clipboard.copyEdges.length }),
        );
      },
      group: () => {
        const { graph, selected, edit } = store.getState();
        const made = addGroup(graph, GraphGroup.parse({ id: newElementId(), name: t("group.defaultName") }), selected);
        if (!made.ok) return toast.info(rule(made.reason));
        edit(() => made.graph);
        toast.success(rule("group_created"));
      },
      remove: () => {
        const { graph, selected, selectedEdge, edit } = store.getState();
        if (selectedEdge) return edit((current) => removeEdge(current, selectedEdge));
        const removable = graph.nodes.filter((node) => selected.includes(node.id) && !isCore(node));
        if (removable.length > 1) return confirmRemoval();
        if (removable.length === 1) edit((current) => removeNodes(current, new Set(removable.map((node) => node.id))));
      },
      tidy: () => store.getState().edit(tidyGraph),
    }),
    [confirmRemoval, instanceId, rule, store, t],
  );
}
