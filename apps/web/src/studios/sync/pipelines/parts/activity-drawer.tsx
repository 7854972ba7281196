/** What a pipeline has been doing: its cycles, newest first, with counts and problems. */
import { DataTable, EmptyState, RelativeTime, StatusTag, TableSkeleton, type Column, type Tone } from "@accord/ui";
import { Drawer } from "@mantine/core";
import type { PipelineRow } from "@accord/contracts/sync/pipelines";
import { listCycles, pipelineStatusChanged, type Cycle } from "@accord/contracts/sync/runs";
import { polling, refreshOn, useEndpoint } from "../../../../app/queries.ts";
import { useWords } from "../../../../app/words.ts";
import { QueryView } from "../../../../shared/query-view.tsx";

refreshOn(pipelineStatusChanged, [listCycles]);
const WIDTH = 1000;

const OUTCOME_TONES: Record<Cycle["outcome"], Tone> = {
  running: "info",
  finished: "ok",
  paused: "idle",
  cancelled: "idle",
  failed: "error",
  lost: "warn",
};

export function ActivityDrawer({ row, onClose }: { row: PipelineRow | undefined; onClose: () => void }) {
  const { t } = useWords("sync");
  return (
    <Drawer
      opened={row !== undefined}
      onClose={onClose}
      size={WIDTH}
      position="right"
      title={row ? t("activity.title", { name: row.name }) : ""}
    >
      {row ? <Cycles row={row} /> : null}
    </Drawer>
  );
}

function Cycles({ row }: { row: PipelineRow }) {
  const { t } = useWords("sync");
  const cycles = useEndpoint(listCycles, { params: { entityId: row.id }, query: {} }, polling());
  const seconds = (cycle: Cycle) =>
    cycle.finishedAt ? `${((Date.parse(cycle.finishedAt) - Date.parse(cycle.startedAt)) / 1000).toFixed(1)} s` : "";
  const read = (cycle: Cycle) => Object.values(cycle.read).reduce((sum, count) => sum + count, 0);
  const told = (cycle: Cycle) => Object.values(cycle.delivered).reduce((sum, count) => sum + count, 0);
  const count = (id: string, header: string, of: (cycle: Cycle) => number): Column<Cycle> => ({
    id,
    header,
    width: 90,
    align: "end",
    cell: (cycle) => of(cycle).toLocaleString("en-US"),
  });
  const columns: Column<Cycle>[] = [
    {
      id: "started",
      header: t("activity.started"),
      width: 130,
      cell: (cycle) => <RelativeTime at={cycle.startedAt} />,
    },
    {
      id: "outcome",
      header: t("activity.outcome"),
      width: 160,
      cell: (cycle) => (
        <StatusTag tone={OUTCOME_TONES[cycle.outcome]} busy={cycle.outcome === "running"}>
          {t(`activity.${cycle.kind}`)} {t(`activity.outcome_${cycle.outcome}`)}
        </StatusTag>
      ),
    },
    { id: "took", header: t("activity.took"), width: 80, align: "end", cell: seconds },
    count("read", t("activity.read"), read),
    count("created", t("activity.created"), (cycle) => cycle.created),
    count("updated", t("activity.updated"), (cycle) => cycle.updated),
    count("deleted", t("activity.deleted"), (cycle) => cycle.deleted),
    count("told", t("activity.told"), told),
    count("quarantined", t("activity.quarantined"), (cycle) => cycle.quarantined),
  ];
  return (
    <QueryView query={cycles} skeleton={<TableSkeleton />}>
      {(data) => (
        <DataTable
          label={t("activity.title", { name: row.name })}
          columns={columns}
          rows={data.cycles}
          rowId={(cycle) => cycle.id}
          dense
          empty={<EmptyState compact title={t("activity.none")} />}
        />
      )}
    </QueryView>
  );
}
