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
import type { Graph } from "@accord/contracts/sync/graph";
import type { Id } from "@accord/contracts";
import { isSameContent } from "@accord/sync-engine/graph";
import { useCallback, useRef, useState } from "react";
import { z } from "zod";
import { ApiError, wordsOf } from "../../../app/api-error.ts";
import { call } from "../../../app/api.ts";
import { refresh } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { toast } from "../../../shared/toast.tsx";
import { isDirty } from "./editor.model.ts";
import { useEditorStore } from "./editor-context.tsx";
import type { PublishForm } from "./parts/publish-dialog.tsx";
import { useAutosave, type SaveOutcome } from "./use-autosave.ts";

export type Busy = "none" | "validating" | "publishing" | "discarding";

const Conflict = z.object({ newest: OpenedGraph });
const Refusal = z.object({ problems: PipelineProblem.array() });

const problemsIn = (error: unknown): readonly PipelineProblem[] | undefined =>
  error instanceof ApiError && error.code === "pipeline_invalid"
    ? Refusal.safeParse(error.details).data?.problems
    : undefined;

const newerIn = (error: unknown): OpenedGraph | undefined =>
  error instanceof ApiError && error.code === "stale_version"
    ? Conflict.safeParse(error.details).data?.newest
    : undefined;

/** One try at saving what is on screen. */
function useSaveOnce(entityId: Id<"entity">) {
  const store = useEditorStore();
  /** The newer draft somebody else saved, until a person decides. */
  const [conflict, setConflict] = useState<OpenedGraph | null>(null);
  const latestSent = useRef<Graph>(undefined);
  const saveOnce = useCallback(
    async (over?: number): Promise<SaveOutcome> => {
      const { graph: sent, revision } = store.getState();
      const previouslySent = latestSent.current;
      latestSent.current = sent;
      try {
        const body = { graph: sent, revision: over ?? revision };
        const opened = await call(savePipelineDraft, { params: { entityId }, body });
        store.getState().markSaved(opened, sent);
        setConflict(null);
        return { done: true };
      } catch (error) {
        const newest = newerIn(error);
        // A save whose answer was lost did arrive: the newer draft is this person's own.
        const own = [sent, previouslySent].find((graph) => graph && newest && isSameContent(graph, newest.graph));
        if (own && newest) {
          store.getState().markSaved(newest, own);
          return { done: true };
        }
        if (newest) {
          setConflict(newest);
          return { done: false, why: "conflict" };
        }
        const [problem] = problemsIn(error) ?? [];
        if (problem) return { done: false, why: "refused", reason: problem.errorMessage };
        return { done: false, why: "unreachable", reason: wordsOf(error) };
      }
    },
    [entityId, store],
  );
  return { conflict, setConflict, saveOnce };
}

export function useDraft(entityId: Id<"entity">) {
  const { t } = useWords("sync");
  const store = useEditorStore();
  const [busy, setBusy] = useState<Busy>("none");
  const [publishError, setPublishError] = useState<Error | null>(null);
  const { conflict, setConflict, saveOnce } = useSaveOnce(entityId);
  const { saveState, save } = useAutosave(saveOnce);
  const params = { entityId };

  const during = useCallback(async <Result>(what: Busy, work: () => Promise<Result>): Promise<Result> => {
    setBusy(what);
    try {
      return await work();
    } finally {
      setBusy("none");
    }
  }, []);

  const showProblems = (problems: readonly PipelineProblem[]): void => {
    store.getState().setProblems(problems);
    store.getState().show("problems");
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
      // A refused graph names its problems: they are listed, each leading to its node.
      const problems = problemsIn(error);
      if (problems) showProblems(problems);
      setPublishError(error instanceof Error ? error : new Error(String(error)));
      return null;
    }
  };

  const discard = async (): Promise<void> => {
    await during("discarding", () => call(discardPipelineDraft, { params }));
    await refresh(getPipeline, listPipelines);
    toast.success(t("editor.draftDiscarded"));
  };

  const takeTheirs = (): void => {
    if (conflict) store.getState().load(conflict);
    setConflict(null);
  };
  /** Everything is saved, or the person is told why not: by the header and, on a conflict, by its dialog. */
  const saveOrTell = async (): Promise<boolean> => (await save()) && !isDirty(store.getState());

  return {
    busy,
    conflict,
    publishError,
    setPublishError,
    saveState,
    save: saveOrTell,
    keepMine: () => save(conflict?.revision),
    takeTheirs,
    validate,
    publish,
    discard,
  };
}

export type Draft = ReturnType<typeof useDraft>;
