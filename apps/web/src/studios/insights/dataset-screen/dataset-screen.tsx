/** Makes, changes or copies a dataset, or shows its rows. */
import type { PartUse } from "@accord/contracts/insights/dataset-uses";
import type { DatasetConfig } from "@accord/contracts/insights/dataset-config";
import { dashboardCardData, getDashboard } from "@accord/contracts/insights/dashboards";
import {
  createDataset,
  datasetDependencies,
  getDataset,
  listDatasets,
  updateDataset,
} from "@accord/contracts/insights/datasets";
import { Card, ErrorBox, FormSkeleton, PageBody, PageHeader } from "@accord/ui";
import { Button, TextInput } from "@mantine/core";
import { IconFileExport } from "@tabler/icons-react";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { usePage } from "../../../app/page.ts";
import { refresh, useCall, useEndpoint } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { QueryView } from "../../../shared/query-view.tsx";
import { showSuccess } from "../parts/show-success.ts";
import { PublishedUses } from "../parts/published-uses.tsx";
import { ExportsDrawer, useMayExport } from "../dataset-exports/exports-drawer.tsx";
import { asDatasetId } from "../parts/queries.ts";
import { AskRemoval, removedParts } from "../dataset-editor/ask-removal.tsx";
import { DatasetModes } from "../sql-editor/dataset-modes.tsx";
import { DatasetPreview } from "../dataset-editor/dataset-preview.tsx";
import { runnable } from "../dataset-editor/dataset-editor.tsx";
import { emptyConfig } from "../dataset-editor/dataset.model.ts";
import { toApiName } from "../parts/to-api-name.ts";
import { useIsChanged, useUnsavedChanges } from "../../../shared/unsaved-changes/unsaved-changes.tsx";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";

const TITLES = {
  new: "editor.newTitle",
  copy: "editor.copyTitle",
  preview: "editor.previewTitle",
  edit: "editor.editTitle",
} as const;

export function DatasetScreen() {
  const { t } = useWords("insights");
  const { datasetId = "new", mode } = useParams({ strict: false });
  const title = t(TITLES[datasetId === "new" ? "new" : mode === "copy" || mode === "preview" ? mode : "edit"]);
  usePage({ title, crumbs: [{ label: t("title"), to: "/insights-studio" }, { label: title }] });
  if (mode === "preview" && datasetId !== "new")
    return (
      <Demand anyOf={["READ_INSIGHTS"]} alsoNeeds="PREVIEW_DATACARD">
        <DatasetPreview id={datasetId} />
      </Demand>
    );
  return (
    <Demand anyOf={datasetId === "new" || mode === "copy" ? ["CREATE_DATASET"] : ["UPDATE_DATASET"]}>
      {datasetId === "new" ? <DatasetForm /> : <Existing id={datasetId} copy={mode === "copy"} />}
    </Demand>
  );
}

function Existing({ id, copy }: { id: string; copy: boolean }) {
  const query = useEndpoint(getDataset, { params: { id: asDatasetId(id) } }, { refetchOnWindowFocus: false });
  return (
    <QueryView isScreen query={query} skeleton={<FormSkeleton />}>
      {({ dataset }) => <DatasetForm key={`${dataset.id} ${copy}`} before={dataset} copy={copy} />}
    </QueryView>
  );
}

interface Before {
  id: ReturnType<typeof asDatasetId>;
  displayName: string;
  description: string;
  tags: string[];
  datasetConfig: DatasetConfig;
  version: number;
}

function DatasetForm({ before, copy = false }: { before?: Before; copy?: boolean }) {
  const { t } = useWords("insights");
  const navigate = useNavigate();
  const { dashboardId, version } = useParams({ strict: false });
  const [displayName, setDisplayName] = useState(before ? `${before.displayName}${copy ? " 2" : ""}` : "");
  const [description, setDescription] = useState(before?.description ?? "");
  const [config, setConfig] = useState(before?.datasetConfig ?? emptyConfig());
  const isNew = !before || copy;
  const mayExport = useMayExport();
  const [areExportsShown, setExportsShown] = useState(false);
  useUnsavedChanges(useIsChanged([displayName, description, config]));
  const { data } = useEndpoint(
    datasetDependencies,
    { params: { id: before?.id ?? asDatasetId("") } },
    { enabled: !isNew },
  );
  const back = (ignoreBlocker = false): void => {
    if (dashboardId)
      void navigate({
        ignoreBlocker,
        to: "/insights-studio/$dashboardId/$version",
        params: { dashboardId, version: version ?? "draft" },
      });
    else void navigate({ to: "/insights-studio/datasets", ignoreBlocker });
  };
  const done = async (): Promise<void> => {
    showSuccess(t("editor.saved"));
    await refresh(listDatasets, getDataset, getDashboard, dashboardCardData);
    back(true);
  };
  const create = useCall(createDataset, { onSuccess: done });
  const [removal, setRemoval] = useState<PartUse[] | null>(null);
  const update = useCall(updateDataset, { onSuccess: done, onError: (error) => setRemoval(removedParts(error)) });
  const call = isNew ? create : update;
  const body = { displayName, description, tags: before?.tags ?? [], datasetConfig: runnable(config) };
  const save = (): void => {
    if (isNew) create.mutate({ body: { ...body, name: toApiName(displayName) } });
    else update.mutate({ params: { id: before.id }, body: { ...body, version: before.version } });
  };
  return (
    <>
      <PageBody>
        <PageHeader
          title={t(copy ? "editor.copyTitle" : isNew ? "editor.newTitle" : "editor.editTitle")}
          actions={
            <>
              {before && !isNew && mayExport ? (
                <Button
                  variant="default"
                  leftSection={<IconFileExport size={16} />}
                  onClick={() => setExportsShown(true)}
                >
                  {t("exports.menu")}
                </Button>
              ) : null}
              <Button variant="default" onClick={() => back()}>
                {t("wizard.close")}
              </Button>
              <Button onClick={save} loading={call.isPending} disabled={displayName.trim() === ""}>
                {t("editor.save")}
              </Button>
            </>
          }
        />
        <div className="ac-form">
          {call.isError && removedParts(call.error) === null ? <RefusalBox error={call.error} /> : null}
          {data && data.dependencies.length > 0 ? (
            <ErrorBox
              tone="info"
              message={t("editor.usedWarning", { names: data.dependencies.map((one) => one.displayName).join(", ") })}
            />
          ) : null}
          <PublishedUses uses={data?.publishedOn ?? []} />
          <Card>
            <div className="ac-form__pair">
              <TextInput
                label={t("editor.displayName")}
                value={displayName}
                withAsterisk
                onChange={(event) => setDisplayName(event.currentTarget.value)}
              />
              <TextInput
                label={t("form.description")}
                value={description}
                onChange={(event) => setDescription(event.currentTarget.value)}
              />
            </div>
          </Card>
          <DatasetModes config={config} onChange={setConfig} datasetId={isNew ? undefined : before.id} />
        </div>
      </PageBody>
      {before && areExportsShown ? (
        <ExportsDrawer
          dataset={{ id: before.id, displayName: before.displayName }}
          onClose={() => setExportsShown(false)}
        />
      ) : null}
      {removal && before ? (
        <AskRemoval
          parts={removal}
          onClose={() => setRemoval(null)}
          onConfirm={() =>
            update.mutateAsync({
              params: { id: before.id },
              query: { confirmed: "true" },
              body: { ...body, version: before.version },
            })
          }
        />
      ) : null}
    </>
  );
}
