/** The dialog that publishes the draft: opened from the bar, or by an address that asks for it. */
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useState } from "react";
import { useWords } from "../../../../app/words.ts";
import { toast } from "../../../../shared/toast.tsx";
import type { Draft } from "../draft/use-draft.ts";
import { useEditorStore, useReadOnly } from "../editor-context.tsx";
import type { EditorSearch } from "../editor-search.ts";
import { useInvalidInput } from "../use-invalid-input.ts";

interface PublishDialogState {
  isOpen: boolean;
  /** Saves and validates first: problems are shown instead of the dialog. */
  open: () => Promise<void>;
  close: () => void;
}

export function usePublishDialog(draft: Pick<Draft, "save" | "validate" | "setPublishError">): PublishDialogState {
  const { t } = useWords("sync");
  const store = useEditorStore();
  const navigate = useNavigate();
  const isReadOnly = useReadOnly();
  const hasInvalidInput = useInvalidInput();
  const { dialog }: EditorSearch = useSearch({ strict: false });
  const [isOpen, setOpen] = useState(false);
  const open = async (): Promise<void> => {
    if (isReadOnly || hasInvalidInput() || !(await draft.save()) || !(await draft.validate())) return;
    store.getState().show("none");
    draft.setPublishError(null);
    setOpen(true);
  };
  const sayWhyNot = (): void => {
    const { readOnlyReason, graphVersion } = store.getState().opened;
    const reason = graphVersion === "draft" ? t("publish.mayNotWrite") : t("publish.noDraft");
    toast.warning(t("publish.notPossible"), { description: readOnlyReason ?? reason });
  };
  const follow = useEffectEvent(async (): Promise<void> => {
    if (dialog !== "publish") return;
    // First out of the address: validation writes to it as well, and a reload is no wish to publish.
    await navigate({
      to: ".",
      search: (old: EditorSearch): EditorSearch => ({ ...old, dialog: undefined }),
      replace: true,
    });
    if (isReadOnly) sayWhyNot();
    else await open();
  });
  useEffect(() => void follow(), [dialog]);
  return { isOpen, open, close: () => setOpen(false) };
}
