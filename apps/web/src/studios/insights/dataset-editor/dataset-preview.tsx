/** The rows of a saved dataset as it is, for people who may not change it as well. */
import { type Dataset, getDataset, previewDataset } from "@accord/contracts/insights/datasets";
import { FormSkeleton, PageBody, PageHeader } from "@accord/ui";
import { Button } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import { Link, useParams } from "@tanstack/react-router";
import { useEndpoint } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { QueryView } from "../../../shared/query-view.tsx";
import { asDatasetId } from "../parts/queries.ts";
import { PreviewTable } from "./preview-table.tsx";
import "./dataset-editor.css";

const ROWS = 100;

export function DatasetPreview({ id }: { id: string }) {
  const query = useEndpoint(getDataset, { params: { id: asDatasetId(id) } });
  return (
    <QueryView isScreen query={query} skeleton={<FormSkeleton />}>
      {({ dataset }) => <Rows dataset={dataset} />}
    </QueryView>
  );
}

function Rows({ dataset: { id, displayName, description, datasetConfig } }: { dataset: Dataset }) {
  const { t } = useWords("insights");
  const { dashboardId = "", version = "draft" } = useParams({ strict: false });
  const mayEdit = useCan("UPDATE_DATASET");
  const body = { datasetConfig, datasetId: id, rows: ROWS };
  const query = useEndpoint(previewDataset, { body }, { retry: false });
  const dashboard = `/insights-studio/${dashboardId}/${version}`;
  return (
    <PageBody>
      <PageHeader
        title={displayName}
        subtitle={description || undefined}
        actions={
          <>
            <Button variant="default" component={Link} to={dashboard}>
              {t("wizard.close")}
            </Button>
            {mayEdit ? (
              <Button leftSection={<IconPencil size={16} />} component={Link} to={`${dashboard}/dataset/${id}`}>
                {t("card.editDataset")}
              </Button>
            ) : null}
          </>
        }
      />
      <PreviewTable query={query} />
    </PageBody>
  );
}
