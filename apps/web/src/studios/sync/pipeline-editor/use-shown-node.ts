/** Takes the view to one node, which a link or a problem names, or to all of them. */
import { useSearch } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { useSelectionInAddress } from "./address.ts";
import { useShowEverything } from "./canvas/view/use-view.ts";
import { useEditorStore } from "./editor-context.tsx";
import type { EditorSearch } from "./editor-search.ts";

export function useShownNode() {
  const store = useEditorStore();
  const { focusNodeId }: EditorSearch = useSearch({ strict: false });
  const [focus, setFocus] = useState(() => {
    const isThere = store.getState().graph.nodes.some(({ id }) => id === focusNodeId);
    return focusNodeId !== undefined && isThere ? { nodeId: focusNodeId } : undefined;
  });
  const showNode = useCallback(
    (nodeId: string) => {
      store.getState().select([nodeId]);
      setFocus({ nodeId });
    },
    [store],
  );
  const showEverything = useShowEverything();
  useSelectionInAddress(showNode);
  return { focus, setFocus, showNode, showEverything };
}
