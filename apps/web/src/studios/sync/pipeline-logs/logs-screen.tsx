/** The log of a pipeline: entries of cycles, their problems, quarantined records, actions and nodes, newest first. */
import { DataTable, EmptyState, PageBody, PageHeader, StatusTag, TableSkeleton } from "@accord/ui";
import { Button, SegmentedControl } from "@mantine/core";
import { IconListDetails } from "@tabler/icons-react";
import type { Id } from "@accord/contracts";
import { listPipelineLogs } from "@accord/contracts/sync/monitoring/pipeline-logs";
import { pipelineChanged, type PipelineRow } from "@accord/contracts/sync/pipelines";
import { pipelineStatusChanged } from "@accord/contracts/sync/monitoring/runs";
import { keepPreviousData } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { isBadAddress, isNotFound } from "../../../app/api-error.ts";
import { polling, refreshOn, useEndpoint } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { QueryView } from "../../../shared/query-view.tsx";
import { EntityPages } from "../addresses/entity-pages.tsx";
import { useEntityPage } from "../addresses/use-entity-page.ts";
import { graphVersionOf, type Version } from "../addresses/graph-version.ts";
import { StudioNotFound } from "../addresses/studio-not-found.tsx";
import { usePipelineRow } from "../pipeline-editor/queries.ts";
import { PageTurns } from "../pipelines/parts/page-turns.tsx";
import { filterOf, isNarrowed } from "./logs.model.ts";
import { CycleDrawer } from "./parts/cycle-drawer.tsx";
import { logColumns } from "./parts/log-columns.tsx";
import { LogFilters } from "./parts/log-filters.tsx";
import { LoggedNodes } from "./parts/logged-nodes.tsx";
import type { LogSearch } from "./routes.tsx";
import { useNodes } from "./use-nodes.ts";
import "./pipeline-logs.css";

refreshOn(pipelineStatusChanged, [listPipelineLogs]);
refreshOn(pipelineChanged, [listPipelineLogs]);

const PATH = "/sync-studio/entity/$entityId/pipeline-logs/$graphVersion";
const route = getRouteApi("/signed-in/sync-studio/entity/$entityId/pipeline-logs/$graphVersion");

export function LogsScreen() {
  const { entityId, graphVersion } = route.useParams();
  const version = graphVersionOf(graphVersion);
  return (
    <Demand anyOf={["READ_STUDIO"]}>
      {version ? <Log entityId={entityId} version={version} /> : <StudioNotFound />}
    </Demand>
  );
}

interface LogProps {
  entityId: Id<"entity">;
  version: Version;
}

function Log({ entityId, version }: LogProps) {
  const { t } = useWords("sync");
  const navigate = useNavigate();
  const row = usePipelineRow(entityId);
  const name = row.data?.name ?? "";
  useEntityPage(entityId, t("logs.title", { name }), { label: t("logs.crumb") });
  if (row.isError && (isNotFound(row.error) || isBadAddress(row.error))) return <StudioNotFound />;
  return (
    <PageBody>
      <PageHeader
        title={t("logs.title", { name })}
        tags={<StatusTag tone={version === "draft" ? "warn" : "ok"}>{t(`editor.${version}`)}</StatusTag>}
        subtitle={t("logs.lead")}
        actions={
          <>
            <LoggedNodes entityId={entityId} />
            <SegmentedControl
              aria-label={t("editor.version")}
              data={[
                { value: "draft", label: t("editor.draft") },
                { value: "published", label: t("editor.published") },
              ]}
              value={version}
              onChange={(graphVersion) => void navigate({ to: PATH, params: { entityId, graphVersion } })}
            />
          </>
        }
      />
      <EntityPages entityId={entityId} current="pipeline-logs" />
      <QueryView isScreen query={row} skeleton={<TableSkeleton />}>
        {(data) => (version === "draft" ? <NoLog entityId={entityId} /> : <Entries row={data} />)}
      </QueryView>
    </PageBody>
  );
}

function NoLog({ entityId }: { entityId: Id<"entity"> }) {
  const { t } = useWords("sync");
  return (
    <EmptyState
      icon={<IconListDetails size={22} />}
      title={t("logs.draftNone")}
      body={t("logs.draftHint")}
      action={
        <Button component={Link} to={`/sync-studio/entity/${entityId}/pipeline/draft`} variant="default">
          {t("logs.openTests")}
        </Button>
      }
    />
  );
}

function Entries({ row }: { row: PipelineRow }) {
  const { t } = useWords("sync");
  const navigate = useNavigate();
  const search = route.useSearch();
  const { cursor, direction = "next", cycle, ...narrowed } = search;
  const set = (part: Partial<LogSearch>) =>
    void navigate({ to: ".", search: (old) => ({ ...old, ...part }), replace: true });
  const nodes = useNodes(row.id);
  // A period ends when it was chosen: what is asked for stays the same while it is looked at.
  const [openedAt] = useState(() => Date.now());
  const entries = useEndpoint(
    listPipelineLogs,
    {
      params: { entityId: row.id, graphVersion: "published" },
      query: { cursor, direction },
      body: filterOf(narrowed, openedAt),
    },
    { placeholderData: keepPreviousData, ...(cursor === undefined ? polling() : {}) },
  );
  const columns = logColumns({ row, t, nodeName: nodes.nameOf, onCycle: (chosen) => set({ cycle: chosen }) });
  return (
    <>
      <LogFilters
        search={search}
        nodes={nodes.all}
        onChange={(part) => set({ ...part, cursor: undefined, direction: undefined })}
      />
      <QueryView query={entries} skeleton={<TableSkeleton />}>
        {(data) => (
          <>
            <DataTable
              label={t("logs.title", { name: row.name })}
              columns={columns}
              rows={data.entries}
              rowId={({ id }) => id}
              dense
              stale={entries.isPlaceholderData}
              empty={
                isNarrowed(search) ? (
                  <EmptyState
                    compact
                    title={t("logs.noneFiltered")}
                    action={
                      <Button variant="default" onClick={() => void navigate({ to: ".", search: {}, replace: true })}>
                        {t("logs.clear")}
                      </Button>
                    }
                  />
                ) : (
                  <EmptyState compact title={t("logs.none")} body={t("logs.noneHint")} />
                )
              }
            />
            {data.searchedTo ? (
              <p className="ac-log__searched" role="status">
                {t("logs.searchedTo", { time: new Date(data.searchedTo).toLocaleString() })}
              </p>
            ) : null}
            <PageTurns
              page={data.page}
              onTurn={({ cursor: to, direction: way }) =>
                set({ cursor: to, direction: way === "previous" ? way : undefined })
              }
            />
          </>
        )}
      </QueryView>
      <CycleDrawer row={row} cycleId={cycle} onClose={() => set({ cycle: undefined })} />
    </>
  );
}
