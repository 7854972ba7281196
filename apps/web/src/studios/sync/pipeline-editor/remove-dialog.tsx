/** Asks before several nodes are removed. */
import { ConfirmDialog } from "@accord/ui";
import { isCore, removeNodes } from "@accord/sync-engine/graph";
import { useWords } from "../../../app/words.ts";
import { useEditor, useEditorStore } from "./editor-context.tsx";

export function RemoveDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useWords("sync");
  const store = useEditorStore();
  const selected = useEditor((state) => state.selected);
  const nodes = useEditor((state) => state.graph.nodes);
  const ids = new Set(nodes.filter((node) => selected.includes(node.id) && !isCore(node)).map((node) => node.id));
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t("remove.title", { count: ids.size })}
      action={t("remove.confirm", { count: ids.size })}
      onConfirm={() => store.getState().edit((graph) => removeNodes(graph, ids))}
    >
      {t("remove.body")}
    </ConfirmDialog>
  );
}
