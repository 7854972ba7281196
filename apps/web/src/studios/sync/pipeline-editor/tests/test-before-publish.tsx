/** Whether a draft is published only where all of its saved tests pass: a setting of the pipeline, stored at once. */
import { Switch } from "@mantine/core";
import type { Id } from "@accord/contracts";
import { useWords } from "../../../../app/words.ts";
import { useStoredSettings } from "../../pipeline-settings/use-stored-settings.ts";

interface Props {
  entityId: Id<"entity">;
  /** Who may not change it sees it. */
  readOnly?: boolean;
}

export function TestBeforePublish({ entityId, readOnly = false }: Props) {
  const { t } = useWords("sync");
  const { settings, isBusy, store } = useStoredSettings(entityId);
  return (
    <Switch
      label={t("tests.beforePublish")}
      description={t("tests.beforePublishHint")}
      checked={settings.testBeforePublish}
      disabled={readOnly || isBusy}
      onChange={(event) => store({ testBeforePublish: event.currentTarget.checked })}
    />
  );
}
