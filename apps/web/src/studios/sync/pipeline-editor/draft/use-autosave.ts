/** Saves a draft by itself: shortly after each edit, one call at a time, again when a call failed or the connection is back. */
import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import type { DraftConflict } from "./draft-conflict.ts";
import { useEditorStore } from "../editor-context.tsx";
import { isDirty } from "../editor.model.ts";
import { retryDelay, SAVE_DELAY_MS, type SaveState } from "./save-state.ts";

export type SaveOutcome =
  | { done: true }
  | { done: false; why: "conflict"; kind: DraftConflict["kind"] }
  /** Repeating the same call does not help; the next edit may. */
  | { done: false; why: "refused"; reason: string }
  /** The same call may succeed later: the server can't be reached, or a test is running. */
  | { done: false; why: "unreachable"; reason: string };

type SaveOnce = () => Promise<SaveOutcome>;

const stateAfter = (outcome: SaveOutcome, dirty: boolean): SaveState =>
  outcome.done
    ? { state: dirty ? "saving" : "saved" }
    : outcome.why === "conflict"
      ? { state: "conflict", kind: outcome.kind }
      : { state: "failed", reason: outcome.reason };

export function useAutosave(saveOnce: SaveOnce): {
  saveState: SaveState;
  /** Saves at once; true when everything is saved afterwards. */
  save: () => Promise<boolean>;
  /** Runs what must not overlap with a save: waits for the call on its way, and sends nothing until the work ends. */
  withoutSaving: <Result>(work: () => Promise<Result>) => Promise<Result>;
} {
  const store = useEditorStore();
  const [saveState, setSaveState] = useState<SaveState>(() => ({
    state: isDirty(store.getState()) ? "saving" : "saved",
  }));
  const current = useRef<Promise<unknown>>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const failures = useRef(0);
  const isDecided = useRef(true);
  const isMounted = useRef(false);
  const isPaused = useRef(false);

  const save = useCallback(
    async function saveAll(): Promise<boolean> {
      clearTimeout(timer.current);
      while (current.current) await current.current;
      if (!isDirty(store.getState())) return true;
      if (!isMounted.current || isPaused.current || store.getState().opened.readOnly) return false;
      setSaveState({ state: "saving" });
      const call = saveOnce();
      current.current = call;
      const outcome = await call.finally(() => (current.current = undefined));
      const dirty = isDirty(store.getState());
      if (!isMounted.current) return outcome.done && !dirty;
      setSaveState(stateAfter(outcome, dirty));
      isDecided.current = outcome.done || outcome.why !== "conflict";
      failures.current = outcome.done ? 0 : failures.current + 1;
      if (outcome.done) return dirty ? saveAll() : true;
      if (outcome.why === "unreachable") timer.current = setTimeout(() => void saveAll(), retryDelay(failures.current));
      return false;
    },
    [saveOnce, store],
  );

  const onEdit = useEffectEvent(() => {
    clearTimeout(timer.current);
    const { opened } = store.getState();
    if (opened.readOnly) return;
    if (!isDirty(store.getState())) {
      isDecided.current = true;
      failures.current = 0;
      return setSaveState({ state: "saved" });
    }
    // Which of two drafts stays is for a person to say: until then nothing is sent.
    if (!isDecided.current) return;
    setSaveState((old) => (old.state === "saving" ? old : { state: "saving" }));
    timer.current = setTimeout(() => void save(), SAVE_DELAY_MS);
  });
  const withoutSaving = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    isPaused.current = true;
    clearTimeout(timer.current);
    try {
      while (current.current) await current.current;
      return await work();
    } finally {
      isPaused.current = false;
      // What could not be sent meanwhile is sent now; after a successful discard nothing is left.
      clearTimeout(timer.current);
      if (isMounted.current && isDecided.current && isDirty(store.getState())) void save();
    }
  };
  const saveNow = useEffectEvent(() => {
    if (isDecided.current && isDirty(store.getState()) && !store.getState().opened.readOnly) void save();
  });

  useEffect(() => {
    isMounted.current = true;
    const stop = store.subscribe((state, before) => {
      if (state.graph !== before.graph || state.saved !== before.saved) onEdit();
      // What was refused while a test ran is saved as soon as it has ended.
      if (before.isTesting && !state.isTesting) saveNow();
    });
    // Work that was brought back before anybody listened here.
    if (isDirty(store.getState())) timer.current = setTimeout(() => saveNow(), SAVE_DELAY_MS);
    const onHidden = () => {
      if (document.visibilityState === "hidden") saveNow();
    };
    const onOnline = () => saveNow();
    addEventListener("online", onOnline);
    document.addEventListener("visibilitychange", onHidden);
    return () => {
      isMounted.current = false;
      stop();
      clearTimeout(timer.current);
      removeEventListener("online", onOnline);
      document.removeEventListener("visibilitychange", onHidden);
    };
  }, [store]);
  return { saveState, save, withoutSaving };
}
