/** Saves before the page is left, and asks where that fails. */
import { ConfirmDialog } from "@accord/ui";
import { useBlocker } from "@tanstack/react-router";
import { useWords } from "../../../../app/words.ts";
import { useEditorStore } from "../editor-context.tsx";
import { isDirty } from "../editor.model.ts";
import type { SaveState } from "../save-state.ts";

/** Unsaved work is saved before the page is left; where that fails, the person is asked. */
export function LeaveGuard({
  save,
  saveState,
  onLeave,
}: {
  save: () => Promise<boolean>;
  saveState: SaveState;
  onLeave: () => void;
}) {
  const { t } = useWords("sync");
  const store = useEditorStore();
  const blocker = useBlocker({
    shouldBlockFn: async ({ current, next }) =>
      current.pathname !== next.pathname && isDirty(store.getState()) && !(await save()),
    enableBeforeUnload: () => saveState.state === "failed" || saveState.state === "conflict",
    withResolver: true,
  });
  return (
    <ConfirmDialog
      opened={blocker.status === "blocked"}
      onClose={() => blocker.reset?.()}
      title={t("editor.leaveTitle")}
      deed={t("editor.leave")}
      onConfirm={() => {
        onLeave();
        blocker.proceed?.();
      }}
    >
      {t("editor.leaveBody")}
    </ConfirmDialog>
  );
}
