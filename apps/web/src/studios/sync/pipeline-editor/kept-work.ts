/**
 * Unsaved work is kept in the browser's tab while it is unsaved: a session that ends, a reload or a crash takes the
 * page away, and the next opening of the same draft by the same person brings the work back.
 */
import { Graph } from "@accord/contracts/sync/graph";
import { isSameContent } from "@accord/sync-engine/graph";
import { useEffect, useRef } from "react";
import { z } from "zod";
import { useSession } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { toast } from "../../../shared/toast.tsx";
import { useEditorStore } from "./editor-context.tsx";
import { isDirty, type EditorState } from "./editor.model.ts";

const KeptWork = z.object({
  graph: Graph,
  revision: z.int(),
  invalidInputs: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
});

const KEEP_DELAY_MS = 150;

const keyOf = (userId: string, entityId: string): string => `accord-unsaved-pipeline ${userId} ${entityId}`;

function readKept(key: string): z.output<typeof KeptWork> | null {
  try {
    return KeptWork.safeParse(JSON.parse(sessionStorage.getItem(key) ?? "null")).data ?? null;
  } catch {
    return null;
  }
}

function keep(key: string, work: z.output<typeof KeptWork> | null): void {
  try {
    if (work) sessionStorage.setItem(key, JSON.stringify(work));
    else sessionStorage.removeItem(key);
  } catch {
    // A full or forbidden storage costs the safety net, not the work.
  }
}

const hasWork = (state: EditorState): boolean => isDirty(state) || Object.keys(state.invalidInputs).length > 0;
const workOf = ({ graph, revision, invalidInputs }: EditorState) => ({ graph, revision, invalidInputs });

/** Brings kept work back as one undoable step, then keeps what is unsaved. Answers how to let it go deliberately. */
export function useKeptWork(entityId: string): () => void {
  const { t } = useWords("sync");
  const store = useEditorStore();
  const key = keyOf(useSession().id, entityId);
  const isLetGo = useRef(false);
  useEffect(() => {
    if (store.getState().opened.readOnly) return;
    const kept = readKept(key);
    if (kept && !hasWork(store.getState())) {
      const shown = store.getState().graph;
      const hasInputs = Object.keys(kept.invalidInputs).length > 0;
      // What was being saved when the page went away may have arrived.
      const isSaved = isSameContent(shown, kept.graph);
      if (!isSaved) store.getState().takeUp(kept.graph, kept.revision, kept.invalidInputs);
      else for (const [form, values] of Object.entries(kept.invalidInputs)) store.getState().keepInvalid(form, values);
      if (!isSaved || hasInputs) toast.info(t("editor.broughtBack"));
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    const keepNow = () => {
      clearTimeout(timer);
      const state = store.getState();
      keep(key, hasWork(state) && !isLetGo.current ? workOf(state) : null);
    };
    const stop = store.subscribe((state, before) => {
      if (state.graph === before.graph && state.saved === before.saved && state.invalidInputs === before.invalidInputs)
        return;
      // Writing a large graph with each key would slow down typing.
      clearTimeout(timer);
      timer = setTimeout(keepNow, KEEP_DELAY_MS);
    });
    addEventListener("pagehide", keepNow);
    return () => {
      stop();
      keepNow();
      removeEventListener("pagehide", keepNow);
    };
  }, [key, store, t]);
  return () => {
    isLetGo.current = true;
    keep(key, null);
  };
}
