/** One dataset of the external product: its columns, and its first rows. */
import {
  EXTERNAL_VIEW_LIMITS as LIMITS,
  type ExternalColumn,
  getExternalDataset,
  previewExternalDataset,
} from "@accord/contracts/insights/external-view";
import { Card, DataTable, TableSkeleton } from "@accord/ui";
import { Button } from "@mantine/core";
import { Link, useParams } from "@tanstack/react-router";
import { useEndpoint } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { BackToDataset } from "./back-to-dataset.tsx";
import { AccessProblem } from "./access-problem.tsx";
import { ExternalFrame } from "./external-frame.tsx";
import { ExternalLayout, type Product } from "./external-layout.tsx";
import { knownName } from "./frame-screens.tsx";

const SELDOM = { staleTime: 60_000, refetchOnWindowFocus: false, retry: false } as const;

export function ExternalDatasetScreen() {
  const { key = "" } = useParams({ strict: false });
  const title = knownName("datasets", key);
  return (
    <ExternalLayout
      tab="datasets"
      title={title}
      actions={(product) => <DatasetActions {...{ product }} pageKey={key} />}
    >
      {(product) =>
        product.hasLists ? (
          <Columns pageKey={key} />
        ) : (
          <ExternalFrame key={key} {...{ product, title }} view="dataset" pageKey={key} />
        )
      }
    </ExternalLayout>
  );
}

function DatasetActions({ product, pageKey: key }: { product: Product; pageKey: string }) {
  const { t } = useWords("insights");
  const mayPreview = useCan("PREVIEW_DATACARD") && product.hasLists;
  const mayCopy = useCan("CREATE_DATASET");
  return (
    <>
      {mayCopy ? (
        <Button
          variant="default"
          renderRoot={(props) => <Link {...props} to="/insights-studio/ts/datasets/$key/copy" params={{ key }} />}
        >
          {t("external.copy")}
        </Button>
      ) : null}
      {mayPreview ? (
        <Button
          renderRoot={(props) => <Link {...props} to="/insights-studio/ts/datasets/$key/preview" params={{ key }} />}
        >
          {t("external.preview")}
        </Button>
      ) : null}
    </>
  );
}

function Columns({ pageKey }: { pageKey: string }) {
  const { t } = useWords("insights");
  const query = useEndpoint(getExternalDataset, { params: { key: pageKey } }, SELDOM);
  if (query.error) return <AccessProblem error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <TableSkeleton rows={4} columns={2} />;
  const { description, columns, isCut } = query.data;
  return (
    <Card title={t("external.columns")}>
      {description ? <p className="ac-form__lead">{description}</p> : null}
      <DataTable
        label={t("external.columns")}
        rows={columns.map((column, at) => ({ ...column, at }))}
        rowId={({ at }) => String(at)}
        columns={[
          { id: "label", header: t("external.column"), grow: 2, cell: ({ label }) => label },
          { id: "type", header: t("external.columnType"), grow: 1, cell: ({ type }) => type },
        ]}
      />
      {isCut ? <p className="ac-quiet">{t("external.columnsCut", { count: columns.length })}</p> : null}
    </Card>
  );
}

export function ExternalPreviewScreen() {
  const { t } = useWords("insights");
  const { key = "" } = useParams({ strict: false });
  const title = t("external.previewTitle", { name: knownName("datasets", key) });
  return (
    <ExternalLayout
      tab="datasets"
      title={title}
      needs="PREVIEW_DATACARD"
      actions={() => <BackToDataset pageKey={key} />}
    >
      {() => <Rows pageKey={key} title={title} />}
    </ExternalLayout>
  );
}

interface Row {
  at: number;
  cells: readonly (string | null)[];
}

function Rows({ pageKey, title }: { pageKey: string; title: string }) {
  const { t } = useWords("insights");
  const query = useEndpoint(previewExternalDataset, { params: { key: pageKey } }, SELDOM);
  if (query.error) return <AccessProblem error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <TableSkeleton />;
  const { columns, rows, isCut } = query.data;
  return (
    <>
      <DataTable<Row>
        label={title}
        dense
        rows={rows.map((cells, at) => ({ at, cells }))}
        rowId={({ at }) => String(at)}
        empty={t("external.previewEmpty")}
        columns={columns.map((column: ExternalColumn, at) => ({
          id: `${at}`,
          header: column.label,
          minWidth: 120,
          cell: ({ cells }) => cells[at] ?? "",
        }))}
      />
      {isCut ? (
        <p className="ac-quiet">{t("external.previewCut", { rows: LIMITS.rows, columns: LIMITS.columns })}</p>
      ) : null}
    </>
  );
}
