/** Says which field drafts changed since the publish dialog showed them; nothing is published before somebody looks. */
import { ErrorBox } from "@accord/ui";
import { Button } from "@mantine/core";
import type { FieldDraftChange } from "@accord/contracts/sync/field-choice";
import { useState } from "react";
import { useWords } from "../../../../app/words.ts";

interface Props {
  changes: readonly FieldDraftChange[];
  onLookAgain: () => Promise<void>;
}

export function FieldDraftChanges({ changes, onLookAgain }: Props) {
  const { t } = useWords("sync");
  const [isReading, setReading] = useState(false);
  if (changes.length === 0) return null;
  const lookAgain = async (): Promise<void> => {
    setReading(true);
    await onLookAgain().finally(() => setReading(false));
  };
  return (
    <ErrorBox
      tone="warn"
      title={t("fieldPipeline.draftsChanged")}
      message={
        <ul>
          {changes.map(({ fieldId, label, change }) => (
            <li key={fieldId}>{t(`fieldPipeline.draftChange.${change}`, { field: label })}</li>
          ))}
        </ul>
      }
      actions={
        <Button variant="default" size="xs" loading={isReading} onClick={() => void lookAgain()}>
          {t("fieldPipeline.lookAgain")}
        </Button>
      }
    />
  );
}
