/** Records in quarantine by cause: what was to be done, why it failed, trying it again and letting it go. */
import { DataTable, EmptyState, KeyValueList, RelativeTime, StatusTag, TableSkeleton, type Column } from "@accord/ui";
import { listConnectors } from "@accord/contracts/connections/connectors";
import { getPipeline, listPipelines, type PipelineRow } from "@accord/contracts/sync/pipelines";
import { getPipelineErrors, getSyncStatus, pipelineStatusChanged } from "@accord/contracts/sync/monitoring/runs";
import {
  dismissQuarantine,
  listQuarantine,
  replayQuarantine,
  type QuarantineCause,
  type QuarantineEntry,
  type QuarantineFilter,
} from "@accord/contracts/sync/monitoring/quarantine";
import type { Id } from "@accord/contracts";
import type { PageInfo } from "@accord/contracts/paging";
import { keepPreviousData } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { polling, refreshOn, useCall, useEndpoint } from "../../../../../app/queries.ts";
import { useCan } from "../../../../../app/session.ts";
import { useWords } from "../../../../../app/words.ts";
import { QueryView } from "../../../../../shared/query-view.tsx";
import { toast } from "../../../../../shared/toast.tsx";
import { LongText } from "../long-text.tsx";
import { PageTurns, type Turn } from "../page-turns.tsx";
import { useNodeNames } from "../node-names.ts";
import { hasPublished, QuarantineFix } from "./quarantine-fix.tsx";
import { QuarantineFilters } from "./quarantine-filters.tsx";
import { QuarantineHead } from "./quarantine-head.tsx";

refreshOn(pipelineStatusChanged, [listQuarantine]);

type Words = ReturnType<typeof useWords<"sync">>["t"];

export function QuarantineList({ row, nodeId }: { row: PipelineRow; nodeId?: string | undefined }) {
  const [status, setStatus] = useState<"UNRESOLVED" | undefined>("UNRESOLVED");
  const [filter, setFilter] = useState<QuarantineFilter>(nodeId ? { nodeId } : {});
  const [turn, setTurn] = useState<Turn>({});
  const entries = useEndpoint(
    listQuarantine,
    { params: { entityId: row.id }, query: { status, ...filter, ...turn } },
    { placeholderData: keepPreviousData, ...polling() },
  );
  return (
    <QueryView query={entries} skeleton={<TableSkeleton />}>
      {(data) => (
        <Entries
          row={row}
          entries={data.entries}
          open={data.open}
          causes={data.causes}
          filter={filter}
          onFilter={(next) => {
            setFilter(next);
            setTurn({});
          }}
          page={data.page}
          onTurn={setTurn}
          settledShown={status === undefined}
          onShowSettled={(all) => {
            setStatus(all ? undefined : "UNRESOLVED");
            setTurn({});
          }}
        />
      )}
    </QueryView>
  );
}

interface Props {
  row: PipelineRow;
  entries: readonly QuarantineEntry[];
  open: number;
  causes: readonly QuarantineCause[];
  filter: QuarantineFilter;
  onFilter: (filter: QuarantineFilter) => void;
  page: PageInfo;
  onTurn: (turn: Turn) => void;
  settledShown: boolean;
  onShowSettled: (all: boolean) => void;
}

type Choice = { ids: Id<"quarantine">[] } | { filter: QuarantineFilter };

function useQuarantineCalls(row: PipelineRow, onDone: () => void) {
  const { t } = useWords("sync");
  const refreshes = [listQuarantine, getSyncStatus, getPipeline, listPipelines, getPipelineErrors];
  const replay = useCall(replayQuarantine, {
    refreshes,
    onSuccess: ({ replayed, cleared, unreadable }) => {
      onDone();
      if (replayed > 0) toast.success(t("quarantine.replayed", { count: replayed }));
      if (cleared > 0) toast.success(t("quarantine.cleared", { count: cleared }));
      if (unreadable > 0) {
        toast.error(t("quarantine.unreadable", { count: unreadable }), { description: t("quarantine.unreadableHint") });
      }
    },
    onError: (error) => toast.failed(error),
  });
  const dismiss = useCall(dismissQuarantine, {
    refreshes,
    onSuccess: ({ dismissed }) => {
      onDone();
      toast.success(t("quarantine.dismissed", { count: dismissed }));
    },
    onError: (error) => toast.failed(error),
  });
  const params = { entityId: row.id };
  return {
    isReplaying: replay.isPending,
    tryAgain: (choice: Choice | undefined) => replay.mutate({ params, body: choice ?? {} }),
    dismiss: (choice: Choice) => dismiss.mutate({ params, body: choice }),
  };
}

function Entries({ row, entries, open, causes, filter, onFilter, page, onTurn, settledShown, onShowSettled }: Props) {
  const { t } = useWords("sync");
  const mayWrite = useCan("WRITE_STUDIO");
  const isPublished = hasPublished(row);
  const mayReplay = mayWrite && isPublished;
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [shown, setShown] = useState<string>();
  const names = useConnectorNames();
  const nodeName = useNodeNames(row);
  const calls = useQuarantineCalls(row, () => setSelected(new Set()));
  const chosen = entries.filter((entry) => selected.has(entry.id) && entry.status === "OPEN").map(({ id }) => id);
  const active = entries.find((entry) => entry.id === shown);
  const isFiltered = Object.values(filter).some(Boolean);
  return (
    <div className="ac-quarantine">
      <QuarantineHead
        settledShown={settledShown}
        isPublished={isPublished}
        canReplay={mayReplay && open > 0}
        chosen={chosen.length}
        isFiltered={isFiltered}
        isReplaying={calls.isReplaying}
        onShowSettled={onShowSettled}
        onReplay={() => calls.tryAgain(chosen.length > 0 ? { ids: chosen } : isFiltered ? { filter } : undefined)}
      />
      <QuarantineFilters
        causes={causes}
        filter={filter}
        nodeName={nodeName}
        mayReplay={mayReplay}
        onFilter={onFilter}
        onReplay={(wanted) => calls.tryAgain({ filter: wanted })}
      />
      <DataTable
        label={t("quarantine.title")}
        columns={columnsOf(t, row, names)}
        rows={entries}
        rowId={(entry) => entry.id}
        rowLabel={(entry) => entry.recordName ?? entry.externalId ?? entry.recordId ?? entry.id}
        {...(mayReplay ? { selected, onSelectedChange: setSelected } : {})}
        onRowOpen={(entry) => setShown(entry.id === shown ? undefined : entry.id)}
        activeRow={shown}
        rowMenu={(entry) => (mayWrite ? entryMenu(t, entry, { ...calls, isPublished }) : [])}
        empty={
          isFiltered ? (
            <EmptyState compact title={t("quarantine.noneFound")} />
          ) : (
            <EmptyState compact title={t("quarantine.none")} body={t("quarantine.noneHint")} />
          )
        }
      />
      <PageTurns
        page={page}
        onTurn={(turn) => {
          // What is selected is what can be seen.
          setSelected(new Set());
          onTurn(turn);
        }}
      />
      {active ? <Details entry={active} /> : null}
    </div>
  );
}

type EntryCalls = Pick<ReturnType<typeof useQuarantineCalls>, "tryAgain" | "dismiss"> & { isPublished: boolean };

const entryMenu = (t: Words, entry: QuarantineEntry, { isPublished, ...calls }: EntryCalls) => [
  isPublished &&
    entry.status === "OPEN" && { label: t("quarantine.replay"), onSelect: () => calls.tryAgain({ ids: [entry.id] }) },
  entry.status !== "RESOLVED" && { label: t("quarantine.dismiss"), onSelect: () => calls.dismiss({ ids: [entry.id] }) },
];

/** The whole reason, and the values that could not be taken or told. */
function Details({ entry }: { entry: QuarantineEntry }) {
  const { t } = useWords("sync");
  const values = Object.entries(entry.payload ?? {});
  return (
    <section className="ac-quarantine__details" aria-label={t("quarantine.details")}>
      <h3>{entry.recordName ?? entry.externalId ?? entry.recordId}</h3>
      <p>{entry.message}</p>
      {entry.dismissedBy ? <p>{t("quarantine.dismissedBy", { who: entry.dismissedBy })}</p> : null}
      {values.length > 0 ? (
        <KeyValueList
          facts={values.map(([name, value]) => ({
            key: name,
            value: typeof value === "string" ? value : JSON.stringify(value),
          }))}
        />
      ) : null}
    </section>
  );
}

function useConnectorNames(): ReadonlyMap<string, string> {
  const connectors = useEndpoint(listConnectors, undefined, { enabled: useCan("READ_CONNECTOR") });
  return new Map(connectors.data?.connectors.map(({ id, name }) => [id, name]));
}

const TONES = { OPEN: "warn", RETRYING: "info", RESOLVED: "ok" } as const;

const columnsOf = (t: Words, row: PipelineRow, names: ReadonlyMap<string, string>): Column<QuarantineEntry>[] => [
  {
    id: "record",
    header: t("quarantine.record"),
    grow: 2,
    minWidth: 170,
    cell: (entry) => {
      const place = `${names.get(entry.connectorId) ?? ""} ${entry.connectorEntity}`.trim();
      const from = t(`quarantine.${entry.direction}`, { place });
      return (
        <div className="ac-claim" title={`${entry.recordName ?? ""} ${entry.externalId ?? ""} ${from}`.trim()}>
          <span>
            {entry.recordId ? (
              <Link
                className="ac-claim__link"
                to="/data-studio/entity/$entityId/record/$recordId"
                params={{ entityId: row.id, recordId: entry.recordId }}
              >
                {entry.recordName ?? entry.externalId ?? t("quarantine.openRecord")}
              </Link>
            ) : (
              (entry.recordName ?? entry.externalId ?? "–")
            )}
          </span>
          <span className="ac-claim__by">
            {entry.recordName && entry.externalId ? `${entry.externalId} ${from}` : from}
          </span>
        </div>
      );
    },
  },
  {
    id: "why",
    header: t("quarantine.why"),
    grow: 4,
    minWidth: 220,
    cell: (entry) => (
      <LongText text={entry.message}>
        <QuarantineFix row={row} entry={entry} />
      </LongText>
    ),
  },
  { id: "attempts", header: t("quarantine.attempts"), width: 84, align: "end", cell: (entry) => entry.attempts },
  { id: "at", header: t("quarantine.since"), width: 120, cell: (entry) => <RelativeTime at={entry.at} /> },
  {
    id: "status",
    header: t("quarantine.status"),
    width: 116,
    cell: (entry) => (
      <StatusTag tone={TONES[entry.status]} busy={entry.status === "RETRYING"}>
        {t(`quarantine.status_${entry.status}`)}
      </StatusTag>
    ),
  },
];
