/** Reports of a pipeline, the newest first, and the button that begins another comparison. */
import {
  DataTable,
  EmptyState,
  PageBody,
  PageHeader,
  RelativeTime,
  StatusTag,
  TableSkeleton,
  type Column,
} from "@accord/ui";
import { Button } from "@mantine/core";
import { IconArrowsLeftRight } from "@tabler/icons-react";
import { listReconciliations, type Reconciliation } from "@accord/contracts/sync/reconciliation";
import { getRouteApi } from "@tanstack/react-router";
import { usePage } from "../../../app/page.ts";
import { polling, useEndpoint } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { QueryView } from "../../../shared/query-view.tsx";
import { usePipelineName, useStart } from "./queries.ts";
import { isActive, STATUS_TONES } from "./report.model.ts";

const route = getRouteApi("/signed-in/sync-studio/entity/$entityId/reconciliation");

export function ReconciliationsScreen() {
  return (
    <Demand anyOf={["READ_STUDIO"]}>
      <Reports />
    </Demand>
  );
}

type Words = ReturnType<typeof useWords<"reconciliation">>["t"];

function Reports() {
  const { t } = useWords("reconciliation");
  const { entityId } = route.useParams();
  const navigate = route.useNavigate();
  const name = usePipelineName(entityId);
  const reports = useEndpoint(listReconciliations, { params: { entityId } }, polling());
  const { start, isPending } = useStart(entityId);
  const mayWrite = useCan("WRITE_STUDIO");
  usePage({ title: t("title"), crumbs: [{ label: t("back"), to: "/sync-studio/details" }, { label: t("title") }] });
  const isRunning = reports.data?.reconciliations.some(isActive) ?? false;
  const button = mayWrite ? (
    <Button leftSection={<IconArrowsLeftRight size={15} />} loading={isPending} disabled={isRunning} onClick={start}>
      {t("start")}
    </Button>
  ) : undefined;
  return (
    <PageBody>
      <PageHeader title={t("title")} subtitle={t("lead", { name })} actions={button} />
      <QueryView query={reports} skeleton={<TableSkeleton />} isScreen>
        {({ reconciliations }) => (
          <DataTable
            label={t("list.label")}
            columns={columnsOf(t)}
            rows={reconciliations}
            rowId={({ id }) => id}
            rowLabel={({ requestedAt }) => requestedAt}
            onRowOpen={({ id }) =>
              void navigate({
                to: "/sync-studio/entity/$entityId/reconciliation/$reconciliationId",
                params: { entityId, reconciliationId: id },
              })
            }
            empty={<EmptyState icon={<IconArrowsLeftRight size={22} />} title={t("none")} body={t("noneHint")} />}
          />
        )}
      </QueryView>
    </PageBody>
  );
}

const countOf = ({ counts }: Reconciliation): number => counts.reduce((sum, { count }) => sum + count, 0);

const columnsOf = (t: Words): Column<Reconciliation>[] => [
  { id: "when", header: t("list.when"), width: 150, cell: (row) => <RelativeTime at={row.requestedAt} /> },
  { id: "by", header: t("list.by"), cell: (row) => row.requestedBy },
  {
    id: "status",
    header: t("list.status"),
    width: 130,
    cell: (row) => (
      <StatusTag tone={STATUS_TONES[row.status]} busy={isActive(row)}>
        {t(`status.${row.status}`)}
      </StatusTag>
    ),
  },
  {
    id: "records",
    header: t("list.records"),
    width: 130,
    align: "end",
    cell: (row) => row.listed.toLocaleString(),
  },
  {
    id: "unexplained",
    header: t("list.unexplained"),
    width: 150,
    align: "end",
    cell: (row) =>
      row.status === "FINISHED" ? (
        <StatusTag plain tone={row.unexplained > 0 ? "error" : "ok"}>
          {row.unexplained.toLocaleString()}
        </StatusTag>
      ) : (
        "–"
      ),
  },
  {
    id: "explained",
    header: t("list.explained"),
    width: 110,
    align: "end",
    cell: (row) => (row.status === "FINISHED" ? (countOf(row) - row.unexplained).toLocaleString() : "–"),
  },
];
