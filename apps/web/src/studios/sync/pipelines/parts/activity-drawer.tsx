/** What a pipeline has been doing: its cycles, what went wrong in the last one, and what was set aside. */
import { DataTable, EmptyState, RelativeTime, StatusTag, TableSkeleton, type Column, type Tone } from "@accord/ui";
import { Drawer, Tabs } from "@mantine/core";
import { useEffect, useEffectEvent, type ComponentProps } from "react";
import type { PipelineRow } from "@accord/contracts/sync/pipelines";
import { listCycles, pipelineStatusChanged, type Cycle } from "@accord/contracts/sync/monitoring/runs";
import { polling, refreshOn, useEndpoint } from "../../../../app/queries.ts";
import { useCan } from "../../../../app/session.ts";
import { useWords } from "../../../../app/words.ts";
import { QueryView } from "../../../../shared/query-view.tsx";
import { ACTIVITY_TABS, type ActivityNarrowing, type ActivityTab } from "../activity-tabs.ts";
import { ConflictList } from "./conflict-list.tsx";
import { CycleById, CycleDetails } from "./cycles/cycle-by-id.tsx";
import { MergeList } from "./merges/merge-list.tsx";
import { QuarantineList } from "./quarantine/quarantine-list.tsx";
import { RefusedList } from "./refused-list.tsx";
import { RunProblems } from "./run-problems.tsx";
import { WaitingList } from "./waiting/waiting-list.tsx";
import "./activity-drawer.css";

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

interface Props {
  row: PipelineRow | undefined;
  tab: ActivityTab;
  narrowing: ActivityNarrowing;
  onNarrow: (narrowing: ActivityNarrowing) => void;
  onTab: (tab: ActivityTab) => void;
  onClose: () => void;
  /** A link leads to a node: over its graph the drawer closes. */
  onLeave?: (() => void) | undefined;
}

export function ActivityDrawer({ row, tab, narrowing, onNarrow, onTab, onClose, onLeave }: Props) {
  const { t } = useWords("sync");
  const { node: nodeId, field } = narrowing;
  return (
    <Drawer
      opened={row !== undefined}
      onClose={onClose}
      size={WIDTH}
      position="right"
      title={row ? t("activity.title", { name: row.name }) : ""}
    >
      {row ? (
        <Tabs
          value={tab}
          keepMounted={false}
          onChange={(value) => onTab(ACTIVITY_TABS.find((one) => one === value) ?? "cycles")}
        >
          <Tabs.List mb={16}>
            {ACTIVITY_TABS.map((one) => (
              <Tabs.Tab key={one} value={one}>
                {t(`activity.tab_${one}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value="cycles">
            <Cycles row={row} narrowing={narrowing} onNarrow={onNarrow} onLeave={onLeave} />
          </Tabs.Panel>
          <Tabs.Panel value="problems">
            <RunProblems row={row} onLeave={onLeave} />
          </Tabs.Panel>
          <Tabs.Panel value="refused">
            <RefusedList key={`${nodeId} ${field}`} row={row} narrowing={narrowing} onNarrow={onNarrow} />
          </Tabs.Panel>
          <Tabs.Panel value="waiting">
            <WaitingList key={nodeId} row={row} nodeId={nodeId} onNode={(node) => onNarrow({ node })} />
          </Tabs.Panel>
          <Tabs.Panel value="conflicts">
            <ConflictList row={row} />
          </Tabs.Panel>
          <Tabs.Panel value="merges">
            <MergeList row={row} />
          </Tabs.Panel>
          <Tabs.Panel value="quarantine">
            <QuarantineList key={nodeId} row={row} nodeId={nodeId} />
          </Tabs.Panel>
        </Tabs>
      ) : null}
    </Drawer>
  );
}

type CyclesProps = Pick<Props, "narrowing" | "onNarrow" | "onLeave"> & { row: PipelineRow };

function Cycles({ row, narrowing, onNarrow, onLeave }: CyclesProps) {
  const { t } = useWords("sync");
  const mayTrace = useCan("VIEW_TRANSACTIONS");
  const cycles = useEndpoint(listCycles, { params: { entityId: row.id }, query: {} }, polling());
  const problems = (cycle: Cycle) => [...cycle.errors, ...cycle.warnings].reduce((sum, { count }) => sum + count, 0);
  const seconds = (cycle: Cycle) =>
    cycle.finishedAt ? `${((Date.parse(cycle.finishedAt) - Date.parse(cycle.startedAt)) / 1000).toFixed(1)} s` : "";
  const read = (cycle: Cycle) => Object.values(cycle.read).reduce((sum, count) => sum + count, 0);
  const told = (cycle: Cycle) => Object.values(cycle.delivered).reduce((sum, count) => sum + count, 0);
  const count = (id: string, header: string, of: (cycle: Cycle) => number, open?: Opens): Column<Cycle> => ({
    id,
    header,
    // So many of them that the last is not cut in the drawer.
    width: 74,
    align: "end",
    cell: (cycle) => <CycleCount name={header} count={of(cycle)} onOpen={open && (() => open(cycle))} />,
  });
  const whole: Opens = (cycle) => onNarrow({ cycle: cycle.id, change: undefined });
  const listing = (change: ActivityNarrowing["change"]): Opens | undefined =>
    mayTrace ? (cycle) => onNarrow({ cycle: cycle.id, change }) : undefined;
  const columns: Column<Cycle>[] = [
    {
      id: "started",
      header: t("activity.started"),
      width: 124,
      cell: (cycle) => <RelativeTime at={cycle.startedAt} />,
    },
    {
      id: "outcome",
      header: t("activity.outcome"),
      width: 136,
      cell: (cycle) => (
        <StatusTag tone={OUTCOME_TONES[cycle.outcome]} busy={cycle.outcome === "running"}>
          {t(`activity.${cycle.kind}`)} {t(`activity.outcome_${cycle.outcome}`)}
        </StatusTag>
      ),
    },
    { id: "took", header: t("activity.took"), width: 70, align: "end", cell: seconds },
    // Which records were read, refused or quarantined by this cycle is known of none: what waits by now is listed in tabs.
    count("read", t("activity.read"), read),
    count("created", t("activity.created"), (cycle) => cycle.created, listing("create")),
    count("updated", t("activity.updated"), (cycle) => cycle.updated, listing("update")),
    count("deleted", t("activity.deleted"), (cycle) => cycle.deleted, listing("delete")),
    count("told", t("activity.told"), told, listing("write")),
    count("refused", t("activity.refused"), (cycle) => cycle.refused),
    count("quarantined", t("activity.quarantined"), (cycle) => cycle.quarantined),
    count("problems", t("activity.problems"), problems, whole),
  ];
  const newest = cycles.data?.cycles[0]?.id;
  const shownId = narrowing.cycle === "latest" ? newest : narrowing.cycle;
  useNamedCycle(narrowing.cycle === "latest" ? newest : undefined, onNarrow);
  return (
    <QueryView query={cycles} skeleton={<TableSkeleton />}>
      {(data) => (
        <>
          <DataTable
            label={t("activity.title", { name: row.name })}
            columns={columns}
            rows={data.cycles}
            rowId={(cycle) => cycle.id}
            dense
            onRowOpen={(cycle) => onNarrow({ cycle: cycle.id === shownId ? undefined : cycle.id, change: undefined })}
            activeRow={shownId}
            empty={<EmptyState compact title={t("activity.none")} />}
          />
          <OpenedCycle
            row={row}
            listed={data.cycles}
            cycleId={shownId}
            change={narrowing.change}
            onChange={(change) => onNarrow({ ...narrowing, change })}
            onLeave={onLeave}
          />
        </>
      )}
    </QueryView>
  );
}

type Opens = (cycle: Cycle) => void;

/** The latest cycle, once it is known which that is: later ones don't take its place while somebody reads. */
function useNamedCycle(cycleId: string | undefined, onNarrow: Props["onNarrow"]): void {
  const name = useEffectEvent((cycle: string) => onNarrow({ cycle }));
  useEffect(() => {
    if (cycleId !== undefined) name(cycleId);
  }, [cycleId]);
}

interface OpenedCycleProps extends Omit<ComponentProps<typeof CycleDetails>, "cycle"> {
  listed: readonly Cycle[];
  cycleId: string | undefined;
}

/** Also one that is not among the newest, which the list has. */
function OpenedCycle({ listed, cycleId, ...rest }: OpenedCycleProps) {
  if (cycleId === undefined) return null;
  const cycle = listed.find(({ id }) => id === cycleId);
  return cycle ? <CycleDetails {...rest} cycle={cycle} /> : <CycleById key={cycleId} {...rest} cycleId={cycleId} />;
}

/** A number of a cycle that leads to what it counts; nought leads nowhere. */
function CycleCount({ name, count, onOpen }: { name: string; count: number; onOpen: (() => void) | undefined }) {
  const shown = count.toLocaleString("en-US");
  if (count === 0 || !onOpen) return shown;
  return (
    <button type="button" className="ac-activity-count" aria-label={`${name}: ${shown}`} onClick={onOpen}>
      {shown}
    </button>
  );
}
