/** The Pipeline Details table: summary counts, search, filters and each pipeline's state and actions. */
import {
  DataTable,
  EmptyState,
  PageBody,
  PageHeader,
  RelativeTime,
  SearchBox,
  StatusTag,
  TableSkeleton,
  type Column,
} from "@accord/ui";
import { Button, Drawer, Pagination, Select } from "@mantine/core";
import { IconFilter } from "@tabler/icons-react";
import { listPipelines, pipelineChanged, type PipelineRow } from "@accord/contracts/sync/pipelines";
import { pipelineStatusChanged } from "@accord/contracts/sync/runs";
import { getRouteApi } from "@tanstack/react-router";
import { keepPreviousData } from "@tanstack/react-query";
import { usePage } from "../../../app/page.ts";
import { polling, refreshOn, useEndpoint } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { HealthReasons } from "../../../shared/health.tsx";
import { QueryView } from "../../../shared/query-view.tsx";
import { STATE_TONES } from "../pipeline-editor/parts/run-strip.tsx";
import { ActivityDrawer } from "./parts/activity-drawer.tsx";
import { FilterForm } from "./parts/filter-form.tsx";
import { SummaryBlocks } from "./parts/summary-blocks.tsx";
import { useRowMenu } from "./use-row-menu.tsx";
import type { PipelinesSearch } from "./routes.tsx";
import "./pipelines.css";

const PAGE_SIZES = ["10", "25", "50", "100"];
const DEFAULT_PAGE_SIZE = 25;

refreshOn(pipelineChanged, [listPipelines]);
refreshOn(pipelineStatusChanged, [listPipelines]);
const route = getRouteApi("/signed-in/sync-studio/details");

export function PipelinesScreen() {
  return (
    <Demand anyOf={["READ_STUDIO"]}>
      <Pipelines />
    </Demand>
  );
}

function Pipelines() {
  const { t } = useWords("sync");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { panel, activity, tab = "cycles", page = 1, pageSize = DEFAULT_PAGE_SIZE, ...filters } = search;
  const set = (part: Partial<PipelinesSearch>) =>
    void navigate({ search: (old) => ({ ...old, ...part }), replace: true });
  const pipelines = useEndpoint(
    listPipelines,
    { query: { ...filters, page, pageSize } },
    { placeholderData: keepPreviousData, ...polling() },
  );
  const menu = useRowMenu();
  usePage({ title: t("title"), crumbs: [{ label: t("title") }] });

  const open = (row: PipelineRow) =>
    void navigate({
      to: "/sync-studio/entity/$entityId/pipeline/$graphVersion",
      params: { entityId: row.id, graphVersion: row.pipelineStatus === "PUBLISHED" ? "published" : "draft" },
    });
  const filtered = Object.values(filters).some(Boolean);
  return (
    <PageBody>
      <PageHeader
        title={t("title")}
        subtitle={t("table.lead")}
        actions={
          <>
            <SearchBox
              value={filters.search ?? ""}
              onChange={(text) => set({ search: text || undefined, page: undefined })}
              placeholder={t("table.search")}
            />
            <Button variant="default" leftSection={<IconFilter size={15} />} onClick={() => set({ panel: "filter" })}>
              {t("table.filter")}
            </Button>
          </>
        }
      />
      <QueryView query={pipelines} skeleton={<TableSkeleton />}>
        {(data) => (
          <>
            <SummaryBlocks
              summary={data.summary}
              active={filters.pipelineState}
              onPick={(state) => set({ pipelineState: state, page: undefined })}
            />
            <DataTable
              label={t("table.label")}
              columns={columnsOf(t, (row) => set({ panel: "activity", activity: row.id }))}
              rows={data.rows}
              rowId={(row) => row.id}
              rowLabel={(row) => row.name}
              onRowOpen={open}
              rowMenu={menu.actionsOf}
              totalRows={data.total}
              firstRow={(page - 1) * pageSize}
              stale={pipelines.isPlaceholderData}
              empty={
                filtered ? (
                  <EmptyState
                    title={t("table.noneFiltered")}
                    action={
                      <Button variant="default" onClick={() => void navigate({ search: {}, replace: true })}>
                        {t("table.clear")}
                      </Button>
                    }
                  />
                ) : (
                  <EmptyState title={t("table.none")} body={t("table.noneHint")} />
                )
              }
              footer={
                data.total > Number(PAGE_SIZES[0]) ? (
                  <div className="ac-pipelines__paging">
                    <Select
                      aria-label={t("table.pageSize")}
                      data={PAGE_SIZES}
                      value={String(pageSize)}
                      allowDeselect={false}
                      w={76}
                      onChange={(value) => set({ pageSize: Number(value), page: undefined })}
                    />
                    <Pagination
                      total={Math.max(1, Math.ceil(data.total / pageSize))}
                      value={page}
                      onChange={(next) => set({ page: next })}
                      getControlProps={(control) => ({ "aria-label": t(`table.${control}`) })}
                    />
                  </div>
                ) : undefined
              }
            />
          </>
        )}
      </QueryView>
      <Drawer
        opened={panel === "filter"}
        onClose={() => set({ panel: undefined })}
        title={t("table.filter")}
        position="right"
      >
        <FilterForm
          key={panel}
          value={filters}
          rows={pipelines.data?.rows ?? []}
          onApply={(value) => set({ ...value, panel: undefined, page: undefined })}
        />
      </Drawer>
      <ActivityDrawer
        row={panel === "activity" ? pipelines.data?.rows.find((row) => row.id === activity) : undefined}
        tab={tab}
        onTab={(next) => set({ tab: next === "cycles" ? undefined : next })}
        onClose={() => set({ panel: undefined, activity: undefined, tab: undefined })}
      />
      {menu.dialogs}
    </PageBody>
  );
}

type Words = ReturnType<typeof useWords<"sync">>["t"];

const columnsOf = (t: Words, showActivity: (row: PipelineRow) => void): Column<PipelineRow>[] => [
  {
    id: "name",
    header: t("table.name"),
    minWidth: 100,
    cell: (row) => <strong className="ac-pipelines__name">{row.name}</strong>,
    sortValue: (row) => row.name,
    always: true,
    sticky: true,
  },
  {
    id: "status",
    header: t("table.status"),
    width: 170,
    cell: (row) => (
      <span className="ac-pipelines__tags">
        {row.pipelineStatusTagData.map((tag) => (
          <StatusTag key={tag} tone={tag === "Draft" ? "warn" : tag === "Published" ? "ok" : "idle"}>
            {tag}
          </StatusTag>
        ))}
      </span>
    ),
  },
  {
    id: "state",
    header: t("table.state"),
    // Two tags side by side, and below them what stands between the pipeline and agreement.
    width: 192,
    cell: (row) => (
      <span className="ac-pipelines__state">
        <span className="ac-pipelines__tags">
          {row.pipelineStateTagData.map((tag) => (
            <StatusTag key={tag} tone={STATE_TONES[tag]} busy={tag === "Resyncing"}>
              {tag}
            </StatusTag>
          ))}
        </span>
        <HealthReasons plain max={1} entityId={row.id} health={row.health} />
      </span>
    ),
  },
  {
    id: "activity",
    header: t("table.activity"),
    minWidth: 102,
    grow: 1.2,
    cell: (row) => (
      <button
        type="button"
        className="ac-pipelines__activity"
        title={t("activity.open")}
        onClick={() => showActivity(row)}
      >
        {row.currentActivity}
      </button>
    ),
  },
  {
    id: "sources",
    header: t("table.sources"),
    minWidth: 92,
    grow: 1.6,
    cell: (row) => row.sources.map((place) => place.connectorName).join(", "),
  },
  {
    id: "destinations",
    header: t("table.destinations"),
    minWidth: 100,
    grow: 1.6,
    cell: (row) => row.destinations.map((place) => place.connectorName).join(", "),
  },
  {
    id: "last",
    header: t("table.lastSync"),
    width: 110,
    cell: (row) => <RelativeTime at={row.lastCompletedSync} />,
    sortValue: (row) => row.lastCompletedSync,
  },
  {
    id: "transactions",
    header: t("table.transactions"),
    width: 90,
    align: "end",
    cell: (row) => row.transactionsInLastCycle.toLocaleString("en-US"),
    sortValue: (row) => row.transactionsInLastCycle,
  },
  {
    id: "fields",
    header: t("table.fields"),
    width: 76,
    align: "end",
    cell: (row) => row.fieldsMapped,
    sortValue: (row) => row.fieldsMapped,
  },
];
