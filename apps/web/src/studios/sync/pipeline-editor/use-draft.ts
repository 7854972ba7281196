/** Saving, validating and publishing the open draft; conflicts with somebody else's work are handed out, not lost. */
import {
  discardPipelineDraft,
  getPipeline,
  listPipelines,
  OpenedGraph,
  PipelineProblem,
  publishPipeline,
  savePipelineDraft,
  validatePipeline,
} from "@accord/contracts/sync/pipelines";
import type { Id } from "@accord/contracts";
import { useCallback, useState } from "react";
import { z } from "zod";
import { ApiError, wordsOf } from "../../../app/api-error.ts";
import { call } from "../../../app/api.ts";
import { refresh } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { toast } from "../../../shared/toast.tsx";
import { isDirty } from "./editor.model.ts";
import { useEditorStore } from "./editor-context.tsx";
import type { PublishForm } from "./parts/publish-dialog.tsx";

export type Busy = "none" | "saving" | "validating" | "publishing" | "discarding";

const Conflict = z.object({ newest: OpenedGraph });
const Refusal = z.object({ problems: PipelineProblem.array() });

export function useDraft(entityId: Id<"entity">) {
  const { t } = useWords("sync");
  const store = useEditorStore();
  const [busy, setBusy] = useState<Busy>("none");
  /** The newer draft somebody else saved, until a person decides. */
  const [conflict, setConflict] = useState<OpenedGraph | null>(null);
  const [publishError, setPublishError] = useState<Error | null>(null);
  const params = { entityId };

  const during = useCallback(async <Result>(what: Busy, work: () => Promise<Result>): Promise<Result> => {
    setBusy(what);
    try {
      return await work();
    } finally {
      setBusy("none");
    }
  }, []);

  /** True when everything is saved afterwards. */
  const save = async (revision = store.getState().revision): Promise<boolean> => {
    const sent = store.getState().graph;
    if (!isDirty(store.getState())) return true;
    try {
      const opened = await during("saving", () => call(savePipelineDraft, { params, body: { graph: sent, revision } }));
      store.getState().markSaved(opened, sent);
      setConflict(null);
      return !isDirty(store.getState());
    } catch (error) {
      const newer =
        error instanceof ApiError && error.code === "stale_version" ? Conflict.safeParse(error.details) : null;
      if (newer?.success) setConflict(newer.data.newest);
      else if (!showRefusal(error)) toast.error(t("editor.saveFailed"), { description: wordsOf(error) });
      return false;
    }
  };

  const showProblems = (problems: readonly PipelineProblem[]): void => {
    store.getState().setProblems(problems);
    store.getState().show("problems");
  };

  /** A refused graph names its problems: they are listed, each leading to its node. */
  const showRefusal = (error: unknown): boolean => {
    const refusal =
      error instanceof ApiError && error.code === "pipeline_invalid" ? Refusal.safeParse(error.details) : null;
    if (refusal?.success) showProblems(refusal.data.problems);
    return refusal?.success === true;
  };

  /** Looks at what is on screen, saved or not. */
  const validate = async (): Promise<boolean> => {
    try {
      const { graph } = store.getState();
      const found = await during("validating", () => call(validatePipeline, { params, body: { graph } }));
      showProblems(found.problems);
      return found.publishable;
    } catch (error) {
      toast.failed(error);
      return false;
    }
  };

  const publish = async (form: PublishForm): Promise<OpenedGraph | null> => {
    setPublishError(null);
    if (!(await save())) return null;
    try {
      const body = { ...form, revision: store.getState().revision };
      const opened = await during("publishing", () => call(publishPipeline, { params, body }));
      store.getState().load(opened);
      await refresh(getPipeline, listPipelines);
      toast.success(t("publish.done", { number: opened.versionNumber }));
      return opened;
    } catch (error) {
      showRefusal(error);
      setPublishError(error instanceof Error ? error : new Error(String(error)));
      return null;
    }
  };

  const discard = async (): Promise<void> => {
    await during("discarding", () => call(discardPipelineDraft, { params }));
    await refresh(getPipeline, listPipelines);
    toast.success(t("editor.draftDiscarded"));
  };

  return { busy, conflict, setConflict, publishError, setPublishError, save, validate, publish, discard };
}

export type Draft = ReturnType<typeof useDraft>;
