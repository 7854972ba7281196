/** Shows what was typed and can't be used before a version is published without it. */
import { nodeTitle } from "@accord/sync-engine/graph";
import { useCallback } from "react";
import { useWords } from "../../../app/words.ts";
import { toast } from "../../../shared/toast.tsx";
import { useEditorStore } from "./editor-context.tsx";
import { nodeOfForm } from "./inputs/invalid-inputs.ts";

/** Whether there is any: the first node that has some is opened. */
export function useInvalidInput(): () => boolean {
  const { t } = useWords("sync");
  const store = useEditorStore();
  return useCallback(() => {
    const { graph, invalidInputs, select, show } = store.getState();
    const node = graph.nodes.find(({ id }) => Object.keys(invalidInputs).some((key) => nodeOfForm(key) === id));
    if (!node) return false;
    select([node.id]);
    show("configure");
    toast.warning(t("editor.inputInvalid", { label: nodeTitle(node) }));
    return true;
  }, [store, t]);
}
