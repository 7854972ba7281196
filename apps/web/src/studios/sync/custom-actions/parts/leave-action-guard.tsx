/** Asks before a page with unsaved changes is left. */
import { ConfirmDialog } from "@accord/ui";
import { useBlocker } from "@tanstack/react-router";
import { useWords } from "../../../../app/words.ts";

export function LeaveActionGuard({ isDirty }: { isDirty: boolean }) {
  const { t } = useWords("customActions");
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      opened={blocker.status === "blocked"}
      onClose={() => blocker.reset?.()}
      title={t("page.leaveTitle")}
      action={t("page.leave")}
      onConfirm={() => blocker.proceed?.()}
    >
      <p>{t("page.leaveBody")}</p>
    </ConfirmDialog>
  );
}
