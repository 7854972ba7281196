/** Saves before the page is left, and asks where that fails. */
import { useBlocker } from "@tanstack/react-router";
import { useWords } from "../../../../app/words.ts";
import { useEditor, useEditorStore } from "../editor-context.tsx";
import { isDirty } from "../editor.model.ts";
import { withoutProblems } from "../problems/problem-address.ts";
import { hasUnsavedWork } from "./unsaved-work.ts";
import { ConfirmDialog } from "../../../../shared/refusal/confirm-dialog.tsx";

/** Unsaved work is saved before the page is left; where that fails, the person is asked. */
export function LeaveGuard({ save, onLeave }: { save: () => Promise<boolean>; onLeave: () => void }) {
  const { t } = useWords("sync");
  const store = useEditorStore();
  const isTestTyped = useEditor((state) => state.testForm !== null);
  const isDraftSaved = useEditor((state) => state.opened.readOnly || !isDirty(state));
  const blocker = useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      const state = store.getState();
      const leaves = withoutProblems(current.pathname) !== withoutProblems(next.pathname);
      if (!leaves) return false;
      const isSaved = state.opened.readOnly || !isDirty(state) || (await save());
      return !isSaved || store.getState().testForm !== null;
    },
    // Closing the tab waits for no call: the browser asks whenever anything is not on the server yet.
    enableBeforeUnload: () => hasUnsavedWork(store.getState()) || store.getState().testForm !== null,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      opened={blocker.status === "blocked"}
      onClose={() => blocker.reset?.()}
      title={t("editor.leaveTitle")}
      action={t("editor.leave")}
      onConfirm={() => {
        onLeave();
        blocker.proceed?.();
      }}
    >
      {isDraftSaved ? null : <p>{t("editor.leaveBody")}</p>}
      {isTestTyped ? <p>{t("tests.form.leaveBody")}</p> : null}
    </ConfirmDialog>
  );
}
