/** Asks before a screen with unsaved changes is left, whichever form on it they are in. */
import { useBlocker } from "@tanstack/react-router";
import { useWords } from "../../app/words.ts";
import { hasLastingUnsavedChanges, hasUnsavedChanges } from "./unsaved-changes.tsx";
import { ConfirmDialog } from "../refusal/confirm-dialog.tsx";

interface Address {
  pathname: string;
  search: object;
}
/** Parts of an address that choose what a screen is about. */
const ABOUT = ["tab", "dataset"];

/** Another screen, another tab of it or another dataset: forms of the present one go. */
const leaves = (current: Address, next: Address): boolean =>
  current.pathname !== next.pathname ||
  ABOUT.some((name) => Reflect.get(current.search, name) !== Reflect.get(next.search, name));

export function UnsavedGuard() {
  const { t } = useWords("shell");
  const blocker = useBlocker({
    shouldBlockFn: async ({ current, next }) => leaves(current, next) && (await hasLastingUnsavedChanges()),
    enableBeforeUnload: hasUnsavedChanges,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      opened={blocker.status === "blocked"}
      onClose={() => blocker.reset?.()}
      title={t("state.unsavedTitle")}
      action={t("state.leave")}
      onConfirm={() => blocker.proceed?.()}
    >
      <p>{t("state.unsavedBody")}</p>
    </ConfirmDialog>
  );
}
