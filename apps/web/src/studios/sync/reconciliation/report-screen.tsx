/** One report: how far it is while it runs, what was compared, how much differs and why, and the differences themselves. */
import {
  EmptyState,
  ErrorBox,
  PageBody,
  PageHeader,
  ProgressBar,
  RelativeTime,
  StatusTag,
  TableSkeleton,
} from "@accord/ui";
import { Button } from "@mantine/core";
import { IconArrowsLeftRight, IconCircleCheck, IconPlayerStop } from "@tabler/icons-react";
import { cancelReconciliation, getReconciliation, type Reconciliation } from "@accord/contracts/sync/reconciliation";
import { getRouteApi } from "@tanstack/react-router";
import { usePage } from "../../../app/page.ts";
import { polling, useCall, useEndpoint } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { QueryView } from "../../../shared/query-view.tsx";
import { toast } from "../../../shared/toast.tsx";
import { CountList } from "./parts/count-list.tsx";
import { DifferenceTable } from "./parts/difference-table.tsx";
import { SystemTable } from "./parts/system-table.tsx";
import { usePipelineName, useStart } from "./queries.ts";
import { isActive, percentOf, STATUS_TONES } from "./report.model.ts";
import "./reconciliation.css";

const route = getRouteApi("/signed-in/sync-studio/entity/$entityId/reconciliation/$reconciliationId");

export function ReportScreen() {
  return (
    <Demand anyOf={["READ_STUDIO"]}>
      <Report />
    </Demand>
  );
}

function Report() {
  const { t } = useWords("reconciliation");
  const { entityId, reconciliationId } = route.useParams();
  const report = useEndpoint(getReconciliation, { params: { reconciliationId } }, polling());
  const to = `/sync-studio/entity/${entityId}/reconciliation`;
  const name = usePipelineName(entityId);
  usePage({
    title: t("title"),
    crumbs: [{ label: t("back"), to: "/sync-studio/details" }, { label: t("title"), to }, { label: name }],
  });
  return (
    <PageBody>
      <QueryView query={report} skeleton={<TableSkeleton />} isScreen>
        {(data) => (
          <>
            <PageHeader
              title={name || t("title")}
              tags={
                <StatusTag tone={STATUS_TONES[data.status]} busy={isActive(data)}>
                  {t(`status.${data.status}`)}
                </StatusTag>
              }
              subtitle={
                <>
                  <RelativeTime at={data.requestedAt} /> · {data.requestedBy}
                </>
              }
              actions={<Actions report={data} />}
            />
            <Body report={data} />
          </>
        )}
      </QueryView>
    </PageBody>
  );
}

function Actions({ report }: { report: Reconciliation }) {
  const { t } = useWords("reconciliation");
  const { start, isPending } = useStart(report.entityId);
  const cancel = useCall(cancelReconciliation, {
    refreshes: [getReconciliation],
    onError: (error) => toast.failed(error),
  });
  if (!useCan("WRITE_STUDIO")) return null;
  if (isActive(report))
    return (
      <Button
        variant="default"
        leftSection={<IconPlayerStop size={15} />}
        loading={cancel.isPending}
        onClick={() => cancel.mutate({ params: { reconciliationId: report.id }, body: {} })}
      >
        {t("cancel")}
      </Button>
    );
  return (
    <Button variant="default" leftSection={<IconArrowsLeftRight size={15} />} loading={isPending} onClick={start}>
      {t("start")}
    </Button>
  );
}

function Body({ report }: { report: Reconciliation }) {
  const { t } = useWords("reconciliation");
  switch (report.status) {
    case "WAITING":
    case "RUNNING":
      return <Running report={report} />;
    case "CANCELLED":
      return <EmptyState icon={<IconPlayerStop size={22} />} title={t("cancelled")} body={t("cancelledHint")} />;
    case "FAILED":
      return <ErrorBox title={t("failed")} message={report.problem ?? ""} />;
    case "FINISHED":
      return <Finished report={report} />;
  }
}

function Running({ report }: { report: Reconciliation }) {
  const { t } = useWords("reconciliation");
  const listed = report.listed.toLocaleString();
  const isLooking = report.phase === "settling" || report.phase === "checking";
  const percent = percentOf(report);
  return (
    <section className="ac-reconciliation__running" aria-live="polite">
      <ProgressBar
        {...(percent === undefined ? {} : { percent })}
        label={t(`phase.${report.phase}`)}
        note={
          report.expected
            ? t("progressOf", { listed, expected: report.expected.toLocaleString() })
            : t("progress", { listed })
        }
      />
      {isLooking ? <p>{t("suspects", { suspects: report.suspects.toLocaleString() })}</p> : null}
    </section>
  );
}

function Finished({ report }: { report: Reconciliation }) {
  const { t } = useWords("reconciliation");
  const systems = report.systems.filter(({ problem }) => problem === null);
  const agrees = report.counts.length === 0;
  const wasDeletedThere = report.counts.some(({ reason }) => reason === "deleted_there");
  return (
    <>
      {agrees && systems.length === report.systems.length ? (
        <EmptyState
          icon={<IconCircleCheck size={22} />}
          title={t("agrees")}
          body={t("agreesHint", {
            records: report.listed.toLocaleString(),
            systems: systems.length,
            core: report.coreRecords.toLocaleString(),
          })}
        />
      ) : (
        <ErrorBox
          tone={report.unexplained > 0 ? "warn" : "ok"}
          message={report.unexplained > 0 ? t("unexplained", { count: report.unexplained }) : t("explainedOnly")}
        />
      )}
      <SystemTable report={report} />
      {agrees ? null : (
        <>
          <CountList report={report} />
          {wasDeletedThere ? <p className="ac-reconciliation__lead">{t("deletedThereHint")}</p> : null}
          <DifferenceTable report={report} />
        </>
      )}
    </>
  );
}
