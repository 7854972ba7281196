/**
 * Unsaved work is kept in the browser's tab while it is unsaved: a session that ends, a reload or a crash takes the
 * page away, and the next opening of the same draft by the same person brings the work back.
 */
import { useEffect, useRef } from "react";
import { useSession } from "../../../../app/session.ts";
import { useWords } from "../../../../app/words.ts";
import { keepInTab, readInTab } from "../../../../shared/browser-storage.ts";
import { toast } from "../../../../shared/toast.tsx";
import { useEditorStore } from "../editor-context.tsx";
import { KeptWork, restorationOf, workToKeep } from "./unsaved-work.ts";

const KEEP_DELAY_MS = 150;
/** Writing a large graph takes long: it waits for the page to have nothing else to do, and not for ever. */
const IDLE_WITHIN_MS = 1_000;

/** Answers how to call it off. */
function whenIdle(work: () => void): () => void {
  // Not in every browser.
  if (!("requestIdleCallback" in globalThis)) {
    work();
    return () => {};
  }
  const handle = requestIdleCallback(work, { timeout: IDLE_WITHIN_MS });
  return () => cancelIdleCallback(handle);
}

const keyOf = (userId: string, entityId: string): string => `accord-unsaved-pipeline ${userId} ${entityId}`;

/** Brings kept work back as one undoable step, then keeps what is unsaved. Answers how to let it go deliberately. */
export function useUnsavedDraft(entityId: string): () => void {
  const { t } = useWords("sync");
  const store = useEditorStore();
  const key = keyOf(useSession().id, entityId);
  const isReleased = useRef(false);
  useEffect(() => {
    if (store.getState().opened.readOnly) return;
    const kept = readInTab(key, KeptWork);
    if (kept && !workToKeep(store.getState())) {
      const { edits, invalidInputs } = restorationOf(kept, store.getState());
      if (edits) store.getState().takeUp(edits.graph, edits.base, edits.revision);
      for (const [form, values] of Object.entries(invalidInputs)) store.getState().keepInvalid(form, values);
      if (edits || Object.keys(invalidInputs).length > 0) toast.info(t("editor.broughtBack"));
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    let callOff = (): void => {};
    const keepNow = () => {
      clearTimeout(timer);
      callOff();
      const state = store.getState();
      keepInTab(key, isReleased.current ? null : workToKeep(state));
    };
    const stop = store.subscribe((state, before) => {
      if (state.graph === before.graph && state.saved === before.saved && state.invalidInputs === before.invalidInputs)
        return;
      // Writing a large graph with each key would slow down typing.
      clearTimeout(timer);
      callOff();
      timer = setTimeout(() => (callOff = whenIdle(keepNow)), KEEP_DELAY_MS);
    });
    addEventListener("pagehide", keepNow);
    return () => {
      stop();
      keepNow();
      removeEventListener("pagehide", keepNow);
    };
  }, [key, store, t]);
  return () => {
    isReleased.current = true;
    keepInTab(key, null);
  };
}
