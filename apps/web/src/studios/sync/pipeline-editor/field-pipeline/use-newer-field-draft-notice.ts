/** Somebody else saved or removed this draft: nothing is replaced under the person's hands, but they are notified. */
import type { Id } from "@accord/contracts";
import { listFieldPipelines } from "@accord/contracts/sync/field-pipelines";
import { pipelineChanged } from "@accord/contracts/sync/pipelines";
import { useEffect } from "react";
import { call } from "../../../../app/api.ts";
import { onEvent } from "../../../../app/realtime.ts";
import { useSession } from "../../../../app/session.ts";
import { useWords } from "../../../../app/words.ts";
import { toast } from "../../../../shared/toast.tsx";
import { useEditorStore } from "../editor-context.tsx";

export function useNewerFieldDraftNotice(entityId: Id<"entity">, fieldId: Id<"field">): void {
  const { t } = useWords("sync");
  const store = useEditorStore();
  const { id: userId } = useSession();
  useEffect(
    () =>
      onEvent(pipelineChanged, async (change) => {
        if (change.entityId !== entityId || change.byUserId === userId) return;
        if (store.getState().opened.graphVersion !== "draft") return;
        // The message is about the whole pipeline: whether this field is meant is known to the list alone.
        const list = await call(listFieldPipelines, { params: { entityId } }, { background: true }).catch(() => null);
        const draft = list?.fields.find(({ id }) => id === fieldId)?.draft;
        const { updatedAt } = store.getState().opened;
        if (!list || (draft && (updatedAt === null || draft.updatedAt <= updatedAt))) return;
        toast.warning(
          t(
            draft
              ? "conflict.title_saved"
              : `conflict.title_${change.change === "published" ? "published" : "discarded"}`,
          ),
        );
      }),
    [entityId, fieldId, store, t, userId],
  );
}
