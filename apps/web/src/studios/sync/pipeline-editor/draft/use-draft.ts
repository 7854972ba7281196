/** Saving, validating and publishing the open draft; conflicts with somebody else's work are handed out, not lost. */
import {
  createPipelineDraft,
  getPipeline,
  listPipelines,
  type OpenedGraph,
  type PipelineProblem,
  publishPipeline,
} from "@accord/contracts/sync/pipelines";
import type { Graph } from "@accord/contracts/sync/graph";
import type { Id } from "@accord/contracts";
import { isSameContent } from "@accord/sync-engine/graph";
import { useCallback, useMemo, useRef, useState } from "react";
import { ApiError, explanationOf, isTransient } from "../../../../app/api-error.ts";
import { call } from "../../../../app/api.ts";
import { refresh } from "../../../../app/queries.ts";
import { useWords } from "../../../../app/words.ts";
import { toast } from "../../../../shared/toast.tsx";
import { isDirty } from "../editor.model.ts";
import { type DraftCalls, entityDraftCalls } from "./draft-calls.ts";
import { type DraftConflict, draftConflict } from "./draft-conflict.ts";
import { useEditorStore } from "../editor-context.tsx";
import { problemsIn } from "./refused-graph.ts";
import { SAVE_TIMEOUT_MS } from "./save-state.ts";
import type { PublishForm } from "../publishing/publish-dialog.tsx";
import { useAutosave, type SaveOutcome } from "./use-autosave.ts";

export type Busy = "none" | "validating" | "publishing" | "discarding";

/** Memory for the saves of a long time offline, the latest first. */
const MAX_UNANSWERED = 50;

/** A test that runs refuses saves until it has ended: the same call succeeds then. */
const isWorthRepeating = (error: unknown): boolean =>
  isTransient(error) || (error instanceof ApiError && error.code === "test_running");

/** One try at saving what is on screen. */
function useSaveOnce(calls: DraftCalls) {
  const store = useEditorStore();
  /** What somebody else did to the draft, until a person decides. */
  const [conflict, setConflict] = useState<DraftConflict | null>(null);
  /** Graphs sent since the last answered save: each may have arrived though its answer was lost. */
  const unanswered = useRef<readonly Graph[]>([]);
  const saveOnce = useCallback(async (): Promise<SaveOutcome> => {
    const { graph: sent, revision, opened: base } = store.getState();
    unanswered.current = [sent, ...unanswered.current.filter((graph) => graph !== sent)].slice(0, MAX_UNANSWERED);
    try {
      const body = { graph: sent, revision };
      const signal = AbortSignal.timeout(SAVE_TIMEOUT_MS);
      const opened = await calls.save(body, { background: true, signal });
      unanswered.current = [];
      store.getState().markSaved(opened, sent);
      setConflict(null);
      return { done: true };
    } catch (error) {
      const newest = calls.newestIn(error);
      // A save whose answer was lost did arrive: the newer draft is this person's own.
      const own = unanswered.current.find(
        (graph) => newest?.graphVersion === "draft" && isSameContent(graph, newest.graph),
      );
      if (own && newest) {
        unanswered.current = [];
        store.getState().markSaved(newest, own);
        setConflict(null);
        return { done: true };
      }
      if (newest !== undefined) {
        const found = draftConflict(base, newest);
        setConflict(found);
        return { done: false, why: "conflict", kind: found.kind };
      }
      const [problem] = problemsIn(error) ?? [];
      const reason = problem?.errorMessage ?? explanationOf(error);
      return { done: false, why: isWorthRepeating(error) ? "unreachable" : "refused", reason };
    }
  }, [calls, store]);
  return { conflict, setConflict, saveOnce };
}

/** `fieldCalls`: of the field pipeline that is open instead of its entity pipeline. */
export function useDraft(entityId: Id<"entity">, fieldCalls?: DraftCalls) {
  const { t } = useWords("sync");
  const store = useEditorStore();
  const calls = useMemo(() => fieldCalls ?? entityDraftCalls(entityId), [entityId, fieldCalls]);
  const [busy, setBusy] = useState<Busy>("none");
  const [publishError, setPublishError] = useState<Error | null>(null);
  const { conflict, setConflict, saveOnce } = useSaveOnce(calls);
  const { saveState, save, withoutSaving } = useAutosave(saveOnce);
  const params = { entityId };

  const during = useCallback(async <Result>(what: Busy, work: () => Promise<Result>): Promise<Result> => {
    setBusy(what);
    try {
      return await work();
    } finally {
      setBusy("none");
    }
  }, []);

  const showProblems = useCallback(
    (graph: Graph, problems: readonly PipelineProblem[]): void => {
      store.getState().setValidated({ graph, problems });
      store.getState().show("problems");
    },
    [store],
  );

  /** Looks at what is on screen, saved or not. */
  const validate = useCallback(async (): Promise<boolean> => {
    try {
      const { graph } = store.getState();
      const found = await during("validating", () => calls.validate(graph));
      showProblems(graph, found.problems);
      return found.publishable;
    } catch (error) {
      toast.failed(error);
      return false;
    }
  }, [calls, during, showProblems, store]);

  const publish = async (form: PublishForm): Promise<OpenedGraph | null> => {
    setPublishError(null);
    try {
      const opened = await during("publishing", async () => {
        if (!(await save())) return null;
        const body = { ...form, revision: store.getState().revision };
        return call(publishPipeline, { params, body });
      });
      if (!opened) return null;
      // What was edited while the call was on its way goes on in a draft of its own.
      if (isDirty(store.getState())) store.getState().rebase(await call(createPipelineDraft, { params, body: {} }));
      else store.getState().load(opened);
      await refresh(getPipeline, listPipelines);
      toast.success(t("publish.done", { number: opened.versionNumber }));
      return opened;
    } catch (error) {
      // A refused graph names its problems: they are listed, each leading to its node.
      const problems = problemsIn(error);
      if (problems) showProblems(store.getState().graph, problems);
      setPublishError(error instanceof Error ? error : new Error(String(error)));
      return null;
    }
  };

  const discard = async (): Promise<void> => {
    await during("discarding", () =>
      withoutSaving(async () => {
        await calls.discard();
        // Unsaved edits go with the draft, and only once it is gone.
        store.getState().load(store.getState().opened);
      }),
    );
    await refresh(getPipeline, listPipelines);
    toast.success(t("editor.draftDiscarded"));
  };

  /** Gives this person's work up; answers the version to show now. */
  const takeTheirs = (): "draft" | "published" => {
    store.getState().load(conflict?.newest ?? store.getState().opened);
    setConflict(null);
    return conflict?.newest?.graphVersion === "draft" ? "draft" : "published";
  };
  /** The draft that `conflict` speaks of, or a new one where it was published or discarded. */
  const draftToReplace = async ({ newest }: DraftConflict): Promise<OpenedGraph | null> => {
    if (newest?.graphVersion === "draft") return newest;
    const { draft: created, isNew } = await calls.beginAnew(newest, store.getState().opened);
    // Somebody may have made and changed a draft meanwhile: it is not replaced unseen.
    if (!isNew) setConflict(draftConflict(store.getState().opened, created));
    return isNew ? created : null;
  };
  const keepMine = async (): Promise<boolean> => {
    if (!conflict) return save();
    try {
      const replaced = await draftToReplace(conflict);
      if (!replaced) return false;
      store.getState().rebase(replaced);
      setConflict(null);
      return await save();
    } catch (error) {
      toast.failed(error);
      return false;
    }
  };
  /** Everything is saved, or the person sees why not: by the header and, on a conflict, by its dialog. */
  const saveCompletely = useCallback(
    async (): Promise<boolean> => (await save()) && !isDirty(store.getState()),
    [save, store],
  );

  return {
    busy,
    withoutSaving,
    // Undone edits end the conflict that they met.
    conflict: saveState.state === "conflict" ? conflict : null,
    publishError,
    setPublishError,
    saveState,
    save: saveCompletely,
    keepMine,
    takeTheirs,
    validate,
    publish,
    discard,
  };
}

export type Draft = ReturnType<typeof useDraft>;
