/** Records that destinations still have to be sent: since when, what each waits for, and when it is tried next. */
import { listConnectors } from "@accord/contracts/connections/connectors";
import type { PipelineRow } from "@accord/contracts/sync/pipelines";
import { pipelineStatusChanged } from "@accord/contracts/sync/monitoring/runs";
import {
  listWaitingDeliveries,
  type WaitingDelivery,
  type WaitingDestination,
} from "@accord/contracts/sync/monitoring/waiting-deliveries";
import { DataTable, EmptyState, RelativeTime, TableSkeleton, type Column } from "@accord/ui";
import { Select } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { polling, refreshOn, useEndpoint } from "../../../../../app/queries.ts";
import { useCan } from "../../../../../app/session.ts";
import { useWords } from "../../../../../app/words.ts";
import { ReasonLink, useCountText } from "../../../../../shared/health.tsx";
import { QueryView } from "../../../../../shared/query-view.tsx";
import { Since } from "../../../../../shared/since.tsx";
import { LongText } from "../long-text.tsx";
import { PageTurns, type Turn } from "../page-turns.tsx";

refreshOn(pipelineStatusChanged, [listWaitingDeliveries]);

interface Props {
  row: PipelineRow;
  /** Destination that the list is narrowed to. */
  nodeId: string | undefined;
  onNode: (nodeId: string | undefined) => void;
}

export function WaitingList({ row, nodeId, onNode }: Props) {
  const { t } = useWords("sync");
  const [turn, setTurn] = useState<Turn>({});
  const waiting = useEndpoint(
    listWaitingDeliveries,
    { params: { entityId: row.id }, query: { nodeId, ...turn } },
    { placeholderData: keepPreviousData, ...polling() },
  );
  const columns = useColumns(row, waiting.data?.destinations ?? []);
  return (
    <QueryView query={waiting} skeleton={<TableSkeleton />}>
      {({ deliveries, destinations, page }) => (
        <div className="ac-quarantine">
          <span className="ac-quarantine__lead">{t("waitingList.lead")}</span>
          <DestinationFilter destinations={destinations} nodeId={nodeId} onNode={onNode} />
          <DataTable
            label={t("waitingList.title")}
            columns={columns}
            rows={deliveries}
            rowId={({ recordId, connectorId, connectorEntity }) => `${recordId} ${connectorId} ${connectorEntity}`}
            stale={waiting.isPlaceholderData}
            empty={
              nodeId !== undefined && destinations.length > 0 ? (
                <EmptyState compact title={t("waitingList.noneThere")} />
              ) : (
                <EmptyState compact title={t("waitingList.none")} body={t("waitingList.noneHint")} />
              )
            }
          />
          <PageTurns
            page={page}
            onTurn={setTurn}
            labels={{ before: t("waitingList.earlier"), after: t("waitingList.later") }}
          />
        </div>
      )}
    </QueryView>
  );
}

/** Where something waits, each with its number; nothing where that is one destination and all of it is shown. */
function DestinationFilter({
  destinations,
  nodeId,
  onNode,
}: Omit<Props, "row"> & { destinations: readonly WaitingDestination[] }) {
  const { t } = useWords("sync");
  const countText = useCountText();
  const nodes = destinations.flatMap(({ nodeId: id, name, connectorEntity, ...counted }) =>
    id === null
      ? []
      : [
          {
            value: id,
            label: t("waitingList.destinationCount", { name: name ?? connectorEntity, shown: countText(counted) }),
          },
        ],
  );
  if (nodeId === undefined && nodes.length < 2) return null;
  return (
    <div className="ac-quarantine__filters">
      <Select
        aria-label={t("waitingList.destination")}
        placeholder={t("waitingList.allDestinations")}
        clearable
        data={nodes}
        value={nodes.some(({ value }) => value === nodeId) ? (nodeId ?? null) : null}
        onChange={(chosen) => onNode(chosen ?? undefined)}
      />
    </div>
  );
}

function useColumns(row: PipelineRow, destinations: readonly WaitingDestination[]): Column<WaitingDelivery>[] {
  const { t } = useWords("sync");
  const connectors = useEndpoint(listConnectors, undefined, { enabled: useCan("READ_CONNECTOR") });
  const systemOf = ({ connectorId, connectorEntity }: WaitingDelivery): string =>
    connectors.data?.connectors.find(({ id }) => id === connectorId)?.name ?? connectorEntity;
  const nameOf = ({ nodeId, connectorEntity }: WaitingDelivery): string =>
    destinations.find((one) => one.nodeId === nodeId)?.name ?? connectorEntity;
  return [
    {
      id: "record",
      header: t("waitingList.record"),
      grow: 2,
      minWidth: 150,
      cell: ({ recordId, recordName, externalId }) => (
        <div className="ac-claim">
          <span>
            <Link
              className="ac-claim__link"
              to="/data-studio/entity/$entityId/record/$recordId"
              params={{ entityId: row.id, recordId }}
              title={recordName ?? undefined}
            >
              {recordName ?? t("waitingList.unnamed", { id: recordId.slice(-6) })}
            </Link>
          </span>
          <span className="ac-claim__by">{externalId ?? t("waitingList.notThere")}</span>
        </div>
      ),
    },
    {
      id: "destination",
      header: t("waitingList.destination"),
      minWidth: 130,
      grow: 1.4,
      cell: (one) => (
        <div className="ac-claim">
          <span>{nameOf(one)}</span>
          <span className="ac-claim__by">{systemOf(one)}</span>
        </div>
      ),
    },
    {
      id: "since",
      header: t("waitingList.since"),
      width: 116,
      cell: ({ since }) => (since === null ? t("waitingList.sinceUnknown") : <RelativeTime at={since} />),
    },
    { id: "attempts", header: t("waitingList.attempts"), width: 64, align: "end", cell: ({ attempts }) => attempts },
    { id: "next", header: t("waitingList.nextTry"), width: 112, cell: (one) => <NextTryAt delivery={one} /> },
    {
      id: "for",
      header: t("waitingList.waitsFor"),
      minWidth: 180,
      grow: 2.4,
      cell: (one) => <Reason row={row} delivery={one} system={systemOf(one)} />,
    },
  ];
}

function NextTryAt({ delivery: { nextTryAt, waitsFor } }: { delivery: WaitingDelivery }) {
  const { t } = useWords("sync");
  if (nextTryAt !== null) return <Since at={nextTryAt} words={(time) => time} />;
  return waitsFor === "pause" || waitsFor === "quarantine" ? t("waitingList.noTry") : t("waitingList.nextCycle");
}

/** What is to happen before it is sent, and what the system said the last time. */
function Reason({ row, delivery, system }: { row: PipelineRow; delivery: WaitingDelivery; system: string }) {
  const { t } = useWords("sync");
  const { waitsFor, lastError, lacksReference } = delivery;
  const text = [
    t(`waitingList.for_${waitsFor}`, { system }),
    lastError,
    lacksReference ? t("waitingList.lacksReference") : null,
  ].filter(Boolean);
  return (
    <LongText text={text.join("\n")}>
      {waitsFor === "quarantine" ? (
        <ReasonLink entityId={row.id} tab="quarantine">
          {t("waitingList.toQuarantine")}
        </ReasonLink>
      ) : undefined}
    </LongText>
  );
}
