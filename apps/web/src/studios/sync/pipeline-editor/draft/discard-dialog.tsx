/** Asks before the draft of an entity pipeline is deleted, with the drafts of field pipelines that go along. */
import type { Id } from "@accord/contracts";
import { useWords } from "../../../../app/words.ts";
import { FieldDraftsLost } from "./field-drafts-lost.tsx";
import { ConfirmDialog } from "../../../../shared/refusal/confirm-dialog.tsx";

interface Props {
  entityId: Id<"entity">;
  name: string;
  opened: boolean;
  onClose: () => void;
  onDiscard: () => Promise<void>;
}

export function DiscardDialog({ entityId, name, opened, onClose, onDiscard }: Props) {
  const { t } = useWords("sync");
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t("editor.discardTitle")}
      action={t("editor.discardDraft")}
      onConfirm={onDiscard}
    >
      <p>{t("editor.discardBody", { name })}</p>
      <FieldDraftsLost entityId={entityId} by="discard" />
    </ConfirmDialog>
  );
}
