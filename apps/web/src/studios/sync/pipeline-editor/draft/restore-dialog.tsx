/** Asks before a version becomes the draft: what the draft holds is lost. */
import type { Id } from "@accord/contracts";
import type { VersionRow } from "@accord/contracts/sync/pipeline-versions";
import { useWords } from "../../../../app/words.ts";
import { FieldDraftsLost } from "./field-drafts-lost.tsx";
import { ConfirmDialog } from "../../../../shared/refusal/confirm-dialog.tsx";

interface Props {
  entityId: Id<"entity">;
  /** Undefined: nothing is asked. */
  version: VersionRow | undefined;
  hasDraft: boolean;
  onClose: () => void;
  onRestore: (version: VersionRow) => Promise<void>;
}

export function RestoreDialog({ entityId, version, hasDraft, onClose, onRestore }: Props) {
  const { t } = useWords("sync");
  return (
    <ConfirmDialog
      opened={version !== undefined}
      onClose={onClose}
      title={t(hasDraft ? "versions.replaceTitle" : "versions.restoreTitle", { number: version?.number ?? 0 })}
      action={t(hasDraft ? "versions.replace" : "versions.restore")}
      onConfirm={async () => {
        if (version) await onRestore(version);
      }}
    >
      <p>{t(hasDraft ? "versions.replaceBody" : "versions.restoreBody")}</p>
      <FieldDraftsLost entityId={entityId} by="restore" />
    </ConfirmDialog>
  );
}
