/** Whether a draft is published only where all of its saved tests pass: a setting of the pipeline, stored at once. */
import { Switch } from "@mantine/core";
import type { Id } from "@accord/contracts";
import { getPipeline, patchPipelineSettings } from "@accord/contracts/sync/pipelines";
import { useCall } from "../../../../app/queries.ts";
import { useWords } from "../../../../app/words.ts";
import { toast } from "../../../../shared/toast.tsx";
import { usePipelineRow } from "../queries.ts";

export function TestBeforePublish({ entityId }: { entityId: Id<"entity"> }) {
  const { t } = useWords("sync");
  const row = usePipelineRow(entityId).data;
  const patch = useCall(patchPipelineSettings, { refreshes: [getPipeline], onError: (error) => toast.failed(error) });
  return (
    <Switch
      mt={16}
      label={t("tests.beforePublish")}
      description={t("tests.beforePublishHint")}
      checked={patch.isPending ? patch.variables.body?.testBeforePublish : (row?.settings.testBeforePublish ?? false)}
      disabled={row === undefined || patch.isPending}
      onChange={(event) =>
        patch.mutate({ params: { entityId }, body: { testBeforePublish: event.currentTarget.checked } })
      }
    />
  );
}
