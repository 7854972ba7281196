/** Fields about which two systems disagree: what the record holds, what was kept out, and settling it. */
import { DataTable, EmptyState, RelativeTime, TableSkeleton, type Column } from "@accord/ui";
import { Button, Group } from "@mantine/core";
import { listConnectors } from "@accord/contracts/connections/connectors";
import { getEntity } from "@accord/contracts/data/core-schema";
import { recordsChanged } from "@accord/contracts/data/records";
import {
  listConflicts,
  settleConflicts,
  type CompetingValue,
  type Conflict,
  type Settlement,
} from "@accord/contracts/sync/monitoring/conflicts";
import type { PipelineRow } from "@accord/contracts/sync/pipelines";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { polling, refreshOn, useCall, useEndpoint } from "../../../../app/queries.ts";
import { useCan } from "../../../../app/session.ts";
import { useWords } from "../../../../app/words.ts";
import { QueryView } from "../../../../shared/query-view.tsx";
import { toast } from "../../../../shared/toast.tsx";
import { valueWords } from "./value-words.ts";

refreshOn(recordsChanged, [listConflicts]);

type Words = ReturnType<typeof useWords<"sync">>["t"];

/** As many as can be settled with one call. */
const SHOWN = 200;

/** One value that was kept out, with what stands in its place. */
interface Disagreement {
  key: string;
  conflict: Conflict;
  other: CompetingValue;
}

export function ConflictList({ row }: { row: PipelineRow }) {
  const input = { params: { entityId: row.id }, query: { count: SHOWN } };
  const conflicts = useEndpoint(listConflicts, input, polling());
  return (
    <QueryView query={conflicts} skeleton={<TableSkeleton />}>
      {(data) => <Conflicts row={row} conflicts={data.conflicts} open={data.open} />}
    </QueryView>
  );
}

const keyOf = ({ recordId, field }: Conflict, { connectorId, connectorEntity }: CompetingValue): string =>
  `${recordId} ${field} ${connectorId} ${connectorEntity}`;

const keeping = ({ conflict: { recordId, field } }: Disagreement): Settlement => ({
  recordId,
  field,
  choice: { kind: "keep" },
});

const taking = ({ conflict: { recordId, field }, other }: Disagreement): Settlement => ({
  recordId,
  field,
  choice: { kind: "take", connectorId: other.connectorId, connectorEntity: other.connectorEntity },
});

/** One choice for each field of a record: the first one. */
const once = (settlements: readonly Settlement[]): Settlement[] => [
  ...new Map(settlements.toReversed().map((one) => [`${one.recordId} ${one.field}`, one])).values(),
];

function Conflicts({ row, conflicts, open }: { row: PipelineRow; conflicts: readonly Conflict[]; open: number }) {
  const { t } = useWords("sync");
  const mayWrite = useCan("WRITE_STUDIO");
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const disagreements = conflicts.flatMap((conflict) =>
    conflict.competing.map((other): Disagreement => ({ key: keyOf(conflict, other), conflict, other })),
  );
  const chosen = disagreements.filter(({ key }) => selected.has(key));
  const settle = useCall(settleConflicts, {
    refreshes: [listConflicts],
    onSuccess: ({ settled }, { body }) => {
      setSelected(new Set());
      const isTaken = body.settlements.some(({ choice }) => choice.kind === "take");
      toast.success(t(isTaken ? "conflicts.taken" : "conflicts.kept", { count: settled }));
    },
    onError: (error) => toast.failed(error),
  });
  const send = (settlements: Settlement[]) =>
    settle.mutate({ params: { entityId: row.id }, body: { settlements: once(settlements) } });
  const columns = useColumns(row, {
    isBusy: settle.isPending,
    ...(mayWrite
      ? { onKeep: (one: Disagreement) => send([keeping(one)]), onTake: (one: Disagreement) => send([taking(one)]) }
      : {}),
  });
  return (
    <div className="ac-quarantine">
      <Group gap={8} justify="space-between">
        <span className="ac-quarantine__lead">{t("conflicts.lead")}</span>
        {mayWrite && chosen.length > 0 ? (
          <Group gap={8}>
            <Button variant="default" loading={settle.isPending} onClick={() => send(chosen.map(keeping))}>
              {t("conflicts.keepChosen", { count: chosen.length })}
            </Button>
            <Button variant="default" loading={settle.isPending} onClick={() => send(chosen.map(taking))}>
              {t("conflicts.takeChosen", { count: chosen.length })}
            </Button>
          </Group>
        ) : null}
      </Group>
      <DataTable
        label={t("conflicts.title")}
        columns={columns}
        rows={disagreements}
        rowId={({ key }) => key}
        rowLabel={({ conflict }) => `${nameOf(t, conflict)} ${conflict.field}`}
        {...(mayWrite ? { selected, onSelectedChange: setSelected } : {})}
        empty={<EmptyState compact title={t("conflicts.none")} body={t("conflicts.noneHint")} />}
      />
      {open > conflicts.length ? (
        <p className="ac-quarantine__lead">{t("conflicts.more", { shown: conflicts.length, open })}</p>
      ) : null}
    </div>
  );
}

const nameOf = (t: Words, { recordId, recordName }: Conflict): string =>
  recordName ?? t("conflicts.unnamed", { id: recordId.slice(-6) });

interface Deeds {
  isBusy: boolean;
  onKeep?: (one: Disagreement) => void;
  onTake?: (one: Disagreement) => void;
}

function useColumns(row: PipelineRow, { isBusy, onKeep, onTake }: Deeds): Column<Disagreement>[] {
  const { t } = useWords("sync");
  const connectors = useEndpoint(listConnectors, undefined, { enabled: useCan("READ_CONNECTOR") });
  const entity = useEndpoint(getEntity, { params: { entityId: row.id } });
  const fieldOf = (apiName: string) => entity.data?.fields.find((field) => field.apiName === apiName);
  const systemOf = (connectorId: string, connectorEntity: string): string =>
    connectors.data?.connectors.find(({ id }) => id === connectorId)?.name ?? connectorEntity;
  const words = (field: string, value: Conflict["value"]) => valueWords(fieldOf(field), value, t("conflicts.empty"));
  const setBy = ({ setBy: by }: Conflict): string => {
    if (by.kind === "source") return systemOf(by.connectorId, by.connectorEntity);
    return t(by.kind === "user" ? "conflicts.user" : "conflicts.unknown");
  };
  const claim = (value: string, by: string) => (
    <div className="ac-claim" title={`${value} (${by})`}>
      <span>{value}</span>
      <span className="ac-claim__by">{by}</span>
    </div>
  );
  const columns: Column<Disagreement>[] = [
    {
      id: "record",
      header: t("conflicts.record"),
      grow: 2,
      minWidth: 140,
      cell: ({ conflict }) => (
        <Link
          to="/data-studio/entity/$entityId/record/$recordId"
          params={{ entityId: row.id, recordId: conflict.recordId }}
        >
          {nameOf(t, conflict)}
        </Link>
      ),
    },
    {
      id: "field",
      header: t("conflicts.field"),
      minWidth: 80,
      cell: ({ conflict }) => fieldOf(conflict.field)?.displayName ?? conflict.field,
    },
    {
      id: "held",
      header: t("conflicts.held"),
      grow: 2,
      minWidth: 140,
      cell: ({ conflict }) => claim(words(conflict.field, conflict.value), t("conflicts.by", { who: setBy(conflict) })),
    },
    {
      id: "other",
      header: t("conflicts.other"),
      grow: 2,
      minWidth: 140,
      cell: ({ conflict, other }) => {
        const system = systemOf(other.connectorId, other.connectorEntity);
        const by = t("conflicts.byWhy", { who: system, why: t(`conflicts.reason_${other.reason}`) });
        return claim(words(conflict.field, other.value), by);
      },
    },
    {
      id: "since",
      header: t("conflicts.since"),
      width: 124,
      cell: ({ other }) => <RelativeTime at={other.noticedAt} />,
    },
  ];
  if (!onKeep || !onTake) return columns;
  return [
    ...columns,
    {
      id: "settle",
      header: t("conflicts.settle"),
      width: 136,
      cell: (one) => {
        const { conflict, other } = one;
        const system = systemOf(other.connectorId, other.connectorEntity);
        return (
          <div className="ac-settling">
            <Button
              size="compact-xs"
              variant="default"
              disabled={isBusy}
              aria-label={t("conflicts.keepLabel", { value: words(conflict.field, conflict.value) })}
              onClick={() => onKeep(one)}
            >
              {t("conflicts.keep")}
            </Button>
            <Button
              size="compact-xs"
              variant="default"
              disabled={isBusy}
              aria-label={t("conflicts.takeLabel", { value: words(conflict.field, other.value), system })}
              onClick={() => onTake(one)}
            >
              {t("conflicts.take")}
            </Button>
          </div>
        );
      },
    },
  ];
}
