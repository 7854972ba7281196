/** Whether the draft is saved; if not, why, and the way on. */
import { Button } from "@mantine/core";
import { IconAlertTriangle, IconCloudCheck, IconCloudUpload } from "@tabler/icons-react";
import { useWords } from "../../../../app/words.ts";
import type { SaveState } from "./save-state.ts";

interface Props {
  saveState: SaveState;
  onRetry: () => void;
  onDecide: () => void;
}

export function SaveIndicator({ saveState, onRetry, onDecide }: Props) {
  const { t } = useWords("sync");
  switch (saveState.state) {
    case "saved":
      return (
        <span className="ac-save" role="status" title={t("save.savedHint")}>
          <IconCloudCheck size={16} stroke={1.7} aria-hidden />
          {t("save.saved")}
        </span>
      );
    case "saving":
      return (
        <span className="ac-save" role="status">
          <IconCloudUpload size={16} stroke={1.7} aria-hidden />
          {t("save.saving")}
        </span>
      );
    case "failed":
    case "conflict": {
      const isConflict = saveState.state === "conflict";
      const reason = isConflict ? t(`conflict.title_${saveState.kind}`) : saveState.reason;
      return (
        <span className="ac-save" data-failed role="status" title={reason}>
          <IconAlertTriangle size={16} stroke={1.7} aria-hidden />
          <span className="ac-save__reason">{t(isConflict ? "steps.notSaved" : "save.failed", { reason })}</span>
          <Button size="compact-xs" variant="default" onClick={isConflict ? onDecide : onRetry}>
            {t(isConflict ? "save.decide" : "save.retry")}
          </Button>
        </span>
      );
    }
  }
}
