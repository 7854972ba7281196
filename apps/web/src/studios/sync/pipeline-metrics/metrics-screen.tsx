/** Metrics of a pipeline over time: throughput, latency, refusals and lag, as charts or as a table. */
import { EmptyState, PageBody, PageHeader, SkeletonBlock, Skeletons } from "@accord/ui";
import { SegmentedControl } from "@mantine/core";
import { IconChartHistogram } from "@tabler/icons-react";
import type { Id } from "@accord/contracts";
import { PERIODS, type Period } from "@accord/contracts/sync/monitoring/page-filters";
import { getMetricHistory, type MetricHistory } from "@accord/contracts/sync/monitoring/metrics";
import { pipelineStatusChanged } from "@accord/contracts/sync/monitoring/runs";
import { keepPreviousData } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { isBadAddress, isNotFound } from "../../../app/api-error.ts";
import { polling, refreshOn, useEndpoint } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { QueryView } from "../../../shared/query-view.tsx";
import { EntityPages } from "../addresses/entity-pages.tsx";
import { useEntityPage } from "../addresses/use-entity-page.ts";
import { StudioNotFound } from "../addresses/studio-not-found.tsx";
import { usePipelineRow } from "../pipeline-editor/queries.ts";
import { CHART_NAMES } from "./metrics.model.ts";
import { MetricChart } from "./parts/metric-chart.tsx";
import { MetricTable } from "./parts/metric-table.tsx";
import "./pipeline-metrics.css";

refreshOn(pipelineStatusChanged, [getMetricHistory]);

const route = getRouteApi("/signed-in/sync-studio/entity/$entityId/metrics");
const HOUR_S = 3_600;

export function MetricsScreen() {
  const { entityId } = route.useParams();
  return (
    <Demand anyOf={["READ_STUDIO"]}>
      <Metrics entityId={entityId} />
    </Demand>
  );
}

function Metrics({ entityId }: { entityId: Id<"entity"> }) {
  const { t } = useWords("sync");
  const navigate = useNavigate();
  const { period = "24h", shownAs } = route.useSearch();
  const row = usePipelineRow(entityId);
  const history = useEndpoint(
    getMetricHistory,
    { params: { entityId }, query: { period } },
    // Also while nothing happens: the period ends now.
    { placeholderData: keepPreviousData, ...polling(true) },
  );
  const name = row.data?.name ?? "";
  const title = t("metrics.title", { name });
  useEntityPage(entityId, title, { label: t("metrics.crumb") });
  if (row.isError && (isNotFound(row.error) || isBadAddress(row.error))) return <StudioNotFound />;
  const set = (search: { period?: Period | undefined; shownAs?: "table" | undefined }) =>
    void navigate({ to: ".", search: (old) => ({ ...old, ...search }), replace: true });
  return (
    <PageBody>
      <PageHeader
        title={title}
        subtitle={t("metrics.lead")}
        actions={
          <>
            <SegmentedControl
              aria-label={t("metrics.period")}
              data={PERIODS.map((value) => ({ value, label: t(`metrics.period_${value}`) }))}
              value={period}
              onChange={(value) => set({ period: PERIODS.find((one) => one === value) })}
            />
            <SegmentedControl
              aria-label={t("metrics.view")}
              data={[
                { value: "chart", label: t("metrics.chart") },
                { value: "table", label: t("metrics.table") },
              ]}
              value={shownAs ?? "chart"}
              onChange={(value) => set({ shownAs: value === "table" ? value : undefined })}
            />
          </>
        }
      />
      <EntityPages entityId={entityId} current="metrics" />
      <QueryView query={history} skeleton={<MetricsSkeleton />}>
        {(data) => (
          <History history={data} isTable={shownAs === "table"} title={title} isStale={history.isPlaceholderData} />
        )}
      </QueryView>
    </PageBody>
  );
}

const MetricsSkeleton = () => (
  <Skeletons>
    <div className="ac-metrics">
      {CHART_NAMES.map((name) => (
        <SkeletonBlock key={name} height={240} />
      ))}
    </div>
  </Skeletons>
);

interface HistoryProps {
  history: MetricHistory;
  isTable: boolean;
  title: string;
  isStale: boolean;
}

function History({ history, isTable, title, isStale }: HistoryProps) {
  const { t } = useWords("sync");
  const { intervals, intervalSeconds, keptSince, countedSince, from } = history;
  const hours = intervalSeconds / HOUR_S;
  const interval =
    hours >= 1 ? t("metrics.every_hours", { count: hours }) : t("metrics.every_minutes", { count: hours * 60 });
  if (intervals.every(({ cycles }) => cycles === 0))
    return (
      <EmptyState icon={<IconChartHistogram size={22} />} title={t("metrics.none")} body={t("metrics.noneHint")} />
    );
  return (
    <div data-dimmed={isStale || undefined} className="ac-metrics__body">
      {keptSince !== null && keptSince > from ? (
        <p role="note">{t("metrics.keptSince", { time: new Date(keptSince).toLocaleString() })}</p>
      ) : null}
      {countedSince === null ? null : (
        <p role="note">{t("metrics.countedSince", { time: new Date(countedSince).toLocaleString() })}</p>
      )}
      {isTable ? (
        <MetricTable history={history} label={title} />
      ) : (
        <div className="ac-metrics">
          {CHART_NAMES.map((name) => (
            <MetricChart key={name} history={history} name={name} interval={interval} />
          ))}
        </div>
      )}
    </div>
  );
}
