/** The open draft of a field pipeline: saved by itself like any draft, and marked as ready to be published. */
import type { Id } from "@accord/contracts";
import {
  getFieldGraph,
  listFieldPipelines,
  type OpenedFieldGraph,
  setFieldReady,
} from "@accord/contracts/sync/field-pipelines";
import { useCallback, useMemo, useState } from "react";
import { call } from "../../../../app/api.ts";
import { keyOf, queryClient, refresh } from "../../../../app/queries.ts";
import { useWords } from "../../../../app/words.ts";
import { toast } from "../../../../shared/toast.tsx";
import { problemsIn } from "../draft/refused-graph.ts";
import { useDraft } from "../draft/use-draft.ts";
import { useEditor, useEditorStore } from "../editor-context.tsx";
import { isDirty } from "../editor.model.ts";
import { useInvalidInput } from "../use-invalid-input.ts";
import { fieldAsOpened } from "./field-as-opened.ts";
import { fieldDraftCalls } from "./field-draft-calls.ts";

export function useFieldDraft(entityId: Id<"entity">, fieldId: Id<"field">, first: OpenedFieldGraph) {
  const { t } = useWords("sync");
  const store = useEditorStore();
  const [isMarked, setMarked] = useState(first.ready);
  const [isMarking, setMarking] = useState(false);
  const isEdited = useEditor(isDirty);
  const onSaved = useCallback((saved: OpenedFieldGraph) => {
    setMarked(saved.ready);
    // An editor that is made anew begins with what was saved, at its revision.
    queryClient.setQueryData(
      keyOf(getFieldGraph, { params: { entityId: saved.entityId, fieldId: saved.fieldId, graphVersion: "draft" } }),
      saved,
    );
  }, []);
  const calls = useMemo(() => fieldDraftCalls({ entityId, fieldId, onSaved }), [entityId, fieldId, onSaved]);
  const draft = useDraft(entityId, calls);
  const hasInvalidInput = useInvalidInput();

  /** Errors keep a draft from being ready: they are listed, each leading to its node. */
  const showWhyNot = (error: unknown): void => {
    const problems = problemsIn(error);
    if (!problems) return toast.failed(error);
    store.getState().setValidated({ graph: store.getState().graph, problems });
    store.getState().show("problems");
    toast.warning(t("fieldPipeline.notMarked"));
  };
  const mark = async (ready: boolean): Promise<void> => {
    if (ready && hasInvalidInput()) return;
    setMarking(true);
    try {
      if (!(await draft.save())) return;
      await draft.withoutSaving(async () => {
        const { saved, revision } = store.getState();
        const marked = await call(setFieldReady, { params: { entityId, fieldId }, body: { ready, revision } });
        store.getState().markSaved(fieldAsOpened(marked), saved);
        onSaved(marked);
      });
      toast.success(t(ready ? "fieldPipeline.markedReady" : "fieldPipeline.markedNotReady"));
      await refresh(listFieldPipelines);
    } catch (error) {
      showWhyNot(error);
    } finally {
      setMarking(false);
    }
  };
  // An edit takes the mark back as soon as it is saved, and it is shown at once.
  return { draft, isReady: isMarked && !isEdited, isMarking, mark };
}
