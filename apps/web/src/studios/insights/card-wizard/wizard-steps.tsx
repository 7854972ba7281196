/** The first two steps of the card wizard: its name, and the dataset it shows. */
import { listDatasets } from "@accord/contracts/insights/datasets";
import { Radio, Select, Stack, Textarea, TextInput } from "@mantine/core";
import { Link, useParams } from "@tanstack/react-router";
import { useEndpoint } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { DatasetEditor } from "../dataset-editor/dataset-editor.tsx";
import type { Work } from "./wizard-work.ts";

interface StepProps {
  work: Work;
  onChange: (change: Partial<Work>) => void;
}

export function BasicStep({ work, isNew, onChange }: StepProps & { isNew: boolean }) {
  const { t } = useWords("insights");
  const { dashboardId } = useParams({ strict: false });
  return (
    <div className="ac-form ac-card-wizard__narrow">
      {isNew ? (
        <Link to="/insights-studio/explore" search={dashboardId ? { dashboard: dashboardId } : {}}>
          {t("wizard.explore")}
        </Link>
      ) : null}
      <TextInput
        data-autofocus
        autoFocus
        label={t("wizard.displayName")}
        withAsterisk
        value={work.displayName}
        onChange={(event) => onChange({ displayName: event.currentTarget.value })}
      />
      <Textarea
        label={t("wizard.description")}
        autosize
        minRows={2}
        value={work.description}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
    </div>
  );
}

export function DatasetStep({ work, onChange }: StepProps) {
  const { t } = useWords("insights");
  const { data } = useEndpoint(listDatasets);
  return (
    <div className="ac-form">
      <Radio.Group
        aria-label={t("wizard.dataset")}
        value={work.existing ? "existing" : "new"}
        onChange={(next) => onChange({ existing: next === "existing" })}
      >
        <Stack gap="xs">
          <Radio value="existing" label={t("wizard.useExisting")} />
          <Radio value="new" label={t("wizard.makeNew")} />
        </Stack>
      </Radio.Group>
      {work.existing ? (
        <Select
          className="ac-card-wizard__narrow"
          label={t("wizard.existing")}
          placeholder={t("wizard.choose")}
          searchable
          value={work.datasetId || null}
          data={(data?.datasets ?? []).map(({ id, displayName, sources }) => ({
            value: id,
            label: `${displayName} (${sources.join(", ")})`,
          }))}
          onChange={(next) => onChange({ datasetId: next ?? "" })}
        />
      ) : (
        <DatasetEditor config={work.config} onChange={(config) => onChange({ config })} />
      )}
    </div>
  );
}
