/** Records that were set aside with their reason: what was to be done, why it failed, and trying it again. */
import { DataTable, EmptyState, KeyValueList, RelativeTime, StatusTag, TableSkeleton, type Column } from "@accord/ui";
import { Button, Group } from "@mantine/core";
import { listConnectors } from "@accord/contracts/connections/connectors";
import { getPipeline, listPipelines, type PipelineRow } from "@accord/contracts/sync/pipelines";
import {
  getSyncStatus,
  listQuarantine,
  pipelineStatusChanged,
  replayQuarantine,
  type QuarantineEntry,
} from "@accord/contracts/sync/runs";
import type { Id } from "@accord/contracts";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { polling, refreshOn, useCall, useEndpoint } from "../../../../app/queries.ts";
import { useCan } from "../../../../app/session.ts";
import { useWords } from "../../../../app/words.ts";
import { QueryView } from "../../../../shared/query-view.tsx";
import { toast } from "../../../../shared/toast.tsx";

refreshOn(pipelineStatusChanged, [listQuarantine]);

type Words = ReturnType<typeof useWords<"sync">>["t"];

export function QuarantineList({ row }: { row: PipelineRow }) {
  const [status, setStatus] = useState<"OPEN" | undefined>("OPEN");
  const entries = useEndpoint(listQuarantine, { params: { entityId: row.id }, query: { status } }, polling());
  return (
    <QueryView query={entries} skeleton={<TableSkeleton />}>
      {(data) => (
        <Entries
          row={row}
          entries={data.entries}
          open={data.open}
          settledShown={status === undefined}
          onShowSettled={(all) => setStatus(all ? undefined : "OPEN")}
        />
      )}
    </QueryView>
  );
}

interface Props {
  row: PipelineRow;
  entries: readonly QuarantineEntry[];
  open: number;
  settledShown: boolean;
  onShowSettled: (all: boolean) => void;
}

function Entries({ row, entries, open, settledShown, onShowSettled }: Props) {
  const { t } = useWords("sync");
  const mayWrite = useCan("WRITE_STUDIO");
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [shown, setShown] = useState<string>();
  const names = useConnectorNames();
  const replay = useCall(replayQuarantine, {
    refreshes: [listQuarantine, getSyncStatus, getPipeline, listPipelines],
    onSuccess: ({ replayed, cleared, unreadable }) => {
      setSelected(new Set());
      if (replayed > 0) toast.success(t("quarantine.replayed", { count: replayed }));
      if (cleared > 0) toast.success(t("quarantine.cleared", { count: cleared }));
      if (unreadable > 0) {
        toast.error(t("quarantine.unreadable", { count: unreadable }), { description: t("quarantine.unreadableHint") });
      }
    },
    onError: (error) => toast.failed(error),
  });
  const tryAgain = (ids?: Id<"quarantine">[]) =>
    replay.mutate({ params: { entityId: row.id }, body: ids ? { ids } : {} });
  const chosen = entries.filter((entry) => selected.has(entry.id) && entry.status === "OPEN");
  const active = entries.find((entry) => entry.id === shown);
  return (
    <div className="ac-quarantine">
      <Group gap={8} justify="space-between">
        <span className="ac-quarantine__lead">{t("quarantine.lead")}</span>
        <Group gap={8}>
          <Button variant="subtle" onClick={() => onShowSettled(!settledShown)}>
            {t(settledShown ? "quarantine.onlyOpen" : "quarantine.showSettled")}
          </Button>
          {mayWrite && open > 0 ? (
            <Button
              variant="default"
              loading={replay.isPending}
              onClick={() => tryAgain(chosen.length > 0 ? chosen.map((entry) => entry.id) : undefined)}
            >
              {chosen.length > 0 ? t("quarantine.replaySome", { count: chosen.length }) : t("quarantine.replayAll")}
            </Button>
          ) : null}
        </Group>
      </Group>
      <DataTable
        label={t("quarantine.title")}
        columns={columnsOf(t, row, names)}
        rows={entries}
        rowId={(entry) => entry.id}
        rowLabel={(entry) => entry.externalId ?? entry.recordId ?? entry.id}
        {...(mayWrite ? { selected, onSelectedChange: setSelected } : {})}
        onRowOpen={(entry) => setShown(entry.id === shown ? undefined : entry.id)}
        activeRow={shown}
        rowMenu={(entry) => [
          mayWrite &&
            entry.status === "OPEN" && { label: t("quarantine.replay"), onSelect: () => tryAgain([entry.id]) },
        ]}
        empty={<EmptyState compact title={t("quarantine.none")} body={t("quarantine.noneHint")} />}
      />
      {active ? <Details entry={active} /> : null}
    </div>
  );
}

/** The whole reason, and the values that could not be taken or told. */
function Details({ entry }: { entry: QuarantineEntry }) {
  const { t } = useWords("sync");
  const values = Object.entries(entry.payload ?? {});
  return (
    <section className="ac-quarantine__details" aria-label={t("quarantine.details")}>
      <p>{entry.message}</p>
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
        <div className="ac-claim" title={`${entry.externalId ?? ""} ${from}`.trim()}>
          <span>
            {entry.recordId ? (
              <Link
                className="ac-claim__link"
                to="/data-studio/entity/$entityId/record/$recordId"
                params={{ entityId: row.id, recordId: entry.recordId }}
              >
                {entry.externalId ?? t("quarantine.openRecord")}
              </Link>
            ) : (
              (entry.externalId ?? "–")
            )}
          </span>
          <span className="ac-claim__by">{from}</span>
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
      <div className="ac-reason" title={entry.message}>
        {entry.message}
      </div>
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
