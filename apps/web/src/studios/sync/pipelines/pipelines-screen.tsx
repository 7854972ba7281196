/** The Pipeline Details table: summary counts, search, filters and each pipeline's state and actions. */
import { DataTable, EmptyState, PageBody, PageHeader, ColumnChoice, SearchBox, TableSkeleton } from "@accord/ui";
import { Button, Drawer, Switch } from "@mantine/core";
import { IconFilter, IconPlus } from "@tabler/icons-react";
import { id, type Id } from "@accord/contracts";
import { getPipeline, listPipelines, pipelineChanged, type PipelineRow } from "@accord/contracts/sync/pipelines";
import { PipelineSort } from "@accord/contracts/sync/pipeline-sort";
import { pipelineStatusChanged } from "@accord/contracts/sync/monitoring/runs";
import { Link, Navigate, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { keepPreviousData } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { isBadAddress, isNotFound } from "../../../app/api-error.ts";
import { usePage } from "../../../app/page.ts";
import { polling, refreshOn, useEndpoint } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { QueryView } from "../../../shared/query-view.tsx";
import { readSort, writeSort } from "../../../shared/addresses/sort-in-address.ts";
import { rememberTab } from "../addresses/last-tab.ts";
import { StudioNotFound } from "../addresses/studio-not-found.tsx";
import { StudioTabs } from "../addresses/studio-tabs.tsx";
import { ActivityDrawer } from "./parts/activity-drawer.tsx";
import { FilterForm } from "./parts/filter-form.tsx";
import { SummaryBlocks } from "./parts/summary-blocks.tsx";
import { SHORTEST_PAGE, TablePaging } from "./parts/table-paging.tsx";
import { UnmappedToggle } from "./parts/unmapped-toggle.tsx";
import { columnsOf } from "./pipeline-columns.tsx";
import { useTableLook } from "./table-look.ts";
import { useRowMenu } from "./use-row-menu.tsx";
import type { PipelinesSearch } from "./routes.tsx";
import "./pipelines.css";

const DEFAULT_PAGE_SIZE = 25;
/** Where the address names no entity, none is asked for. */
const NO_ENTITY = id("entity").parse("0".repeat(24));

refreshOn(pipelineChanged, [listPipelines]);
refreshOn(pipelineStatusChanged, [listPipelines]);

export function PipelinesScreen() {
  return (
    <Demand anyOf={["READ_STUDIO"]}>
      <Addressed />
    </Demand>
  );
}

/** An entity in the address has to exist, whatever the table is narrowed to. */
function Addressed() {
  const focusId = useParams({ from: "/signed-in/sync-studio/details/$entityId", shouldThrow: false })?.entityId;
  const entity = useEndpoint(
    getPipeline,
    { params: { entityId: focusId ?? NO_ENTITY } },
    { enabled: focusId !== undefined },
  );
  useEffect(() => rememberTab("details"), []);
  if (focusId && entity.isError && (isNotFound(entity.error) || isBadAddress(entity.error))) return <StudioNotFound />;
  return <Pipelines focusId={focusId} />;
}

function Pipelines({ focusId }: { focusId: Id<"entity"> | undefined }) {
  const { t } = useWords("sync");
  const search: PipelinesSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const {
    panel,
    activity,
    tab,
    node,
    field,
    cycle,
    change,
    unmapped,
    sort = "name",
    page: askedPage,
    pageSize = DEFAULT_PAGE_SIZE,
    ...filters
  } = search;
  const set = (part: Partial<PipelinesSearch>) =>
    void navigate({ to: ".", search: (old) => ({ ...old, ...part }), replace: true });
  const filtered = Object.values(filters).some(Boolean);
  const pipelines = useEndpoint(
    listPipelines,
    // Entities without a pipeline fold away, unless somebody looks for something.
    {
      query: {
        ...filters,
        sort,
        page: askedPage ?? 1,
        pageSize,
        unmapped: filtered ? "show" : (unmapped ?? "hide"),
        // Whoever turns pages looks for something else.
        ...(focusId && askedPage === undefined ? { focus: focusId } : {}),
      },
    },
    { placeholderData: keepPreviousData, ...polling() },
  );
  const page = pipelines.data?.page ?? askedPage ?? 1;
  useFocusedRow(focusId, pipelines.data?.rows.some(({ id }) => id === focusId) ?? false);
  const menu = useRowMenu();
  usePage({ title: t("title"), crumbs: [{ label: t("title") }] });

  const open = (row: PipelineRow) =>
    void navigate({
      to: "/sync-studio/entity/$entityId/pipeline/$graphVersion",
      params: { entityId: row.id, graphVersion: row.pipelineStatus === "PUBLISHED" ? "published" : "draft" },
    });
  const [look, setLook] = useTableLook();
  const columns = columnsOf({
    t,
    showActivity: (row, shown) => set({ ...WHOLE_LIST, panel: "activity", activity: row.id, ...shown }),
  });
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
            <ColumnChoice columns={columns} hidden={look.hidden} onChange={(hidden) => setLook({ ...look, hidden })} />
            <Switch
              label={t("table.compact")}
              checked={look.isDense}
              onChange={(event) => setLook({ ...look, isDense: event.currentTarget.checked })}
            />
            <Button variant="default" leftSection={<IconFilter size={15} />} onClick={() => set({ panel: "filter" })}>
              {t("table.filter")}
            </Button>
            <NewPipelineButton />
          </>
        }
      />
      <StudioTabs current="details" entityId={focusId} />
      <QueryView query={pipelines} skeleton={<TableSkeleton />}>
        {(data) => (
          <>
            <SummaryBlocks
              summary={data.summary}
              filters={{ ...filters, unmapped }}
              onPick={(picked) => set({ ...picked, page: undefined })}
            />
            {data.rows.length === 0 && data.total > 0 && !pipelines.isPlaceholderData ? (
              // The last rows of this page are gone: the first page has what is left.
              <Navigate to="." search={{ ...search, page: undefined }} replace />
            ) : null}
            <DataTable
              label={t("table.label")}
              columns={columns}
              hiddenColumns={look.hidden}
              widths={look.widths}
              onWidthsChange={(widths) => setLook({ ...look, widths })}
              dense={look.isDense}
              sort={readSort(sort)}
              onSortChange={(next) => set({ sort: PipelineSort.safeParse(writeSort(next)).data, page: undefined })}
              rows={data.rows}
              rowId={(row) => row.id}
              rowLabel={(row) => row.name}
              activeRow={focusId}
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
                      <Button variant="default" onClick={() => void navigate({ to: ".", search: {}, replace: true })}>
                        {t("table.clear")}
                      </Button>
                    }
                  />
                ) : (
                  <EmptyState title={t("table.none")} body={t("table.noneHint")} action={<NewPipelineButton />} />
                )
              }
              footer={
                data.total > SHORTEST_PAGE ? (
                  <TablePaging total={data.total} page={page} pageSize={pageSize} onChange={set} />
                ) : undefined
              }
            />
            {data.unmapped > 0 && !filtered ? (
              <UnmappedToggle
                count={data.unmapped}
                isShown={unmapped === "show"}
                onToggle={() => set({ unmapped: unmapped === "show" ? undefined : "show", page: undefined })}
              />
            ) : null}
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
      {panel === "activity" && activity ? (
        <Activity
          key={activity}
          entityId={activity}
          row={pipelines.data?.rows.find((row) => row.id === activity)}
          search={{ tab, node, field, cycle, change }}
          onChange={set}
        />
      ) : null}
      {menu.dialogs}
    </PageBody>
  );
}

function NewPipelineButton() {
  const { t } = useWords("sync");
  if (!useCan("WRITE_STUDIO")) return null;
  return (
    <Button
      renderRoot={(props) => <Link to="/sync-studio/new-pipeline" {...props} />}
      leftSection={<IconPlus size={15} />}
    >
      {t("newPipeline.title")}
    </Button>
  );
}

/** Takes the keyboard to the row that the address names, once it is there and unless somebody is at something else. */
function useFocusedRow(focusId: Id<"entity"> | undefined, isThere: boolean): void {
  const shown = useRef<string>(undefined);
  useEffect(() => {
    if (!isThere || shown.current === focusId) return;
    shown.current = focusId;
    const row = document.querySelector<HTMLElement>(".ac-table [data-row-index][data-active]");
    if (document.activeElement === document.body) row?.focus();
    row?.scrollIntoView({ block: "nearest" });
  }, [focusId, isThere]);
}

interface ActivityProps {
  entityId: Id<"entity">;
  /** Where the page has it. */
  row: PipelineRow | undefined;
  search: Pick<PipelinesSearch, "tab" | "node" | "field" | "cycle" | "change">;
  onChange: (part: Partial<PipelinesSearch>) => void;
}

const WHOLE_LIST = { tab: undefined, node: undefined, field: undefined, cycle: undefined, change: undefined };

/** Of any pipeline, also one that this page of the table has not. */
function Activity({ entityId, row, search: { tab = "cycles", ...narrowing }, onChange }: ActivityProps) {
  const other = useEndpoint(getPipeline, { params: { entityId } }, { enabled: row === undefined });
  return (
    <ActivityDrawer
      row={row ?? other.data}
      tab={tab}
      narrowing={narrowing}
      onNarrow={onChange}
      onTab={(next) => onChange({ ...WHOLE_LIST, tab: next === "cycles" ? undefined : next })}
      onClose={() => onChange({ ...WHOLE_LIST, panel: undefined, activity: undefined })}
    />
  );
}
