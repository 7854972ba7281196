/**
 * Unsaved work is kept in the browser's tab while it is unsaved: a session that ends, a reload or a crash takes the
 * page away, and the next opening of the same draft by the same person brings the work back.
 */
import { Graph } from "@accord/contracts/sync/graph";
import { useEffect } from "react";
import { z } from "zod";
import { useSession } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { toast } from "../../../shared/toast.tsx";
import { useEditorStore } from "./editor-context.tsx";
import { isDirty } from "./editor.model.ts";

const KeptWork = z.object({ graph: Graph, revision: z.int() });

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

/** Brings kept work back as one undoable step, then keeps what is unsaved. Answers how to let it go deliberately. */
export function useKeptWork(entityId: string): () => void {
  const { t } = useWords("sync");
  const store = useEditorStore();
  const key = keyOf(useSession().id, entityId);
  useEffect(() => {
    if (store.getState().opened.readOnly) return;
    const kept = readKept(key);
    if (kept && !isDirty(store.getState())) {
      store.getState().takeUp(kept.graph, kept.revision);
      toast.info(t("editor.broughtBack"));
    }
    return store.subscribe((state) => {
      keep(key, isDirty(state) ? { graph: state.graph, revision: state.revision } : null);
    });
  }, [key, store, t]);
  return () => keep(key, null);
}
