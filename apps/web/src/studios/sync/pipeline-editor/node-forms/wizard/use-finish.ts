/** Stores what the steps were answered: with the draft, or, where the new editor is enabled, by a call of its own. */
import type { Id } from "@accord/contracts";
import { getFeature } from "@accord/contracts/identity/instances";
import type { GraphNode, NodeConfiguration } from "@accord/contracts/sync/graph";
import { saveNodeConfiguration } from "@accord/contracts/sync/node-steps";
import { changeNode } from "@accord/sync-engine/graph";
import { useMutation } from "@tanstack/react-query";
import { call } from "../../../../../app/api.ts";
import { useEndpoint } from "../../../../../app/queries.ts";
import { useWords } from "../../../../../app/words.ts";
import { useEditorStore } from "../../editor-context.tsx";

interface Finish {
  entityId: Id<"entity">;
  node: GraphNode;
  /** Sends the whole draft. */
  save: () => Promise<boolean>;
  onDone: () => void;
}

export function useFinish({ entityId, node, save, onDone }: Finish) {
  const { t } = useWords("sync");
  const store = useEditorStore();
  const feature = useEndpoint(getFeature, { params: { featureName: "PipelineEditorV2" } });
  const apply = (configuration: NodeConfiguration) =>
    store.getState().edit((graph) => changeNode(graph, node.id, { configuration }));
  return useMutation<void, Error, NodeConfiguration>({
    mutationFn: async (configuration) => {
      // What was edited before goes first: the call replaces the configuration of one node of the stored draft.
      if (feature.data?.enabled !== true) {
        apply(configuration);
        if (!(await save())) throw new Error(t("steps.saveFailed"));
        return;
      }
      if (!(await save())) throw new Error(t("steps.saveFailed"));
      const opened = await call(saveNodeConfiguration, {
        params: { entityId, nodeId: node.id },
        body: { configuration, revision: store.getState().revision },
      });
      apply(configuration);
      store.getState().markSaved(opened, store.getState().graph);
    },
    onSuccess: onDone,
  });
}
