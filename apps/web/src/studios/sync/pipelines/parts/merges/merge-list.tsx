/** Records found to be the same thing: merged into one or only reported, what changed, and taking a merge back. */
import { DataTable, EmptyState, RelativeTime, StatusTag, TableSkeleton, type Column } from "@accord/ui";
import { Group, Select } from "@mantine/core";
import { recordsChanged } from "@accord/contracts/data/records";
import {
  dismissDuplicates,
  listMerges,
  MERGE_STATUSES,
  mergeDuplicates,
  undoMerge,
  type Merge,
  type MergeStatus,
} from "@accord/contracts/sync/merges";
import type { PipelineRow } from "@accord/contracts/sync/pipelines";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../../../../../app/api.ts";
import { polling, refresh, refreshOn, useCall, useEndpoint } from "../../../../../app/queries.ts";
import { useCan } from "../../../../../app/session.ts";
import { useWords } from "../../../../../app/words.ts";
import { QueryView } from "../../../../../shared/query-view.tsx";
import { toast } from "../../../../../shared/toast.tsx";
import { MergeDetails } from "./merge-details.tsx";
import { mergeName } from "./merge-name.ts";
import { ConfirmDialog } from "../../../../../shared/refusal/confirm-dialog.tsx";

refreshOn(recordsChanged, [listMerges]);

type Words = ReturnType<typeof useWords<"sync">>["t"];

const TONES = { MERGED: "ok", REPORTED: "info", TOO_MANY: "warn", UNDONE: "idle", DISMISSED: "idle" } as const;

const isReported = ({ status }: Merge): boolean => status === "REPORTED" || status === "TOO_MANY";

export function MergeList({ row }: { row: PipelineRow }) {
  const { t } = useWords("sync");
  const [status, setStatus] = useState<MergeStatus>();
  const merges = useEndpoint(listMerges, { params: { entityId: row.id }, query: { status, count: 200 } }, polling());
  return (
    <div className="ac-quarantine">
      <Group gap={8} justify="space-between">
        <span className="ac-quarantine__lead">{t("merges.lead")}</span>
        <Select
          aria-label={t("merges.outcome")}
          data={[
            { value: "", label: t("merges.all") },
            ...MERGE_STATUSES.map((value) => ({ value, label: t(`merges.status_${value}`) })),
          ]}
          value={status ?? ""}
          allowDeselect={false}
          w={140}
          onChange={(value) => setStatus(MERGE_STATUSES.find((one) => one === value))}
        />
      </Group>
      <QueryView query={merges} skeleton={<TableSkeleton />}>
        {(data) => <Merges row={row} merges={data.merges} isFiltered={status !== undefined} />}
      </QueryView>
    </div>
  );
}

function Merges({ row, merges, isFiltered }: { row: PipelineRow; merges: readonly Merge[]; isFiltered: boolean }) {
  const { t } = useWords("sync");
  const mayWrite = useCan("WRITE_STUDIO");
  const [shown, setShown] = useState<string>();
  const [undone, setUndone] = useState<Merge>();
  const [merged, setMerged] = useState<Merge>();
  const dismiss = useCall(dismissDuplicates, {
    refreshes: [listMerges],
    onSuccess: () => toast.success(t("merges.dismissDone")),
    onError: (error) => toast.failed(error),
  });
  const deedsOn = (merge: Merge) => ({
    undo: () => setUndone(merge),
    merge: () => setMerged(merge),
    dismiss: () => dismiss.mutate({ params: { entityId: row.id, mergeId: merge.id }, body: {} }),
  });
  const active = merges.find(({ id }) => id === shown);
  return (
    <>
      <DataTable
        label={t("merges.title")}
        columns={columnsOf(t, row)}
        rows={merges}
        rowId={({ id }) => id}
        rowLabel={(merge) => mergeName(t, merge, merge.winnerId)}
        onRowOpen={({ id }) => setShown(id === shown ? undefined : id)}
        activeRow={shown}
        rowMenu={(merge) => [
          mayWrite && isReported(merge) && { label: t("merges.merge"), onSelect: deedsOn(merge).merge },
          mayWrite && isReported(merge) && { label: t("merges.dismiss"), onSelect: deedsOn(merge).dismiss },
          mayWrite && merge.status === "MERGED" && { label: t("merges.undo"), onSelect: deedsOn(merge).undo },
        ]}
        empty={
          isFiltered ? (
            <EmptyState compact title={t("merges.noneOfStatus")} />
          ) : (
            <EmptyState compact title={t("merges.none")} body={t("merges.noneHint")} />
          )
        }
      />
      {active ? <MergeDetails row={row} merge={active} {...(mayWrite ? { deeds: deedsOn(active) } : {})} /> : null}
      <ConfirmDialog
        opened={merged !== undefined}
        onClose={() => setMerged(undefined)}
        title={t("merges.mergeTitle")}
        action={t("merges.merge")}
        danger={false}
        onConfirm={async () => {
          if (!merged) return;
          await call(mergeDuplicates, { params: { entityId: row.id, mergeId: merged.id }, body: {} });
          await refresh(listMerges);
          toast.success(t("merges.mergeDone"));
        }}
      >
        {t("merges.mergeBody", { count: (merged?.loserIds.length ?? 0) + 1 })}
      </ConfirmDialog>
      <ConfirmDialog
        opened={undone !== undefined}
        onClose={() => setUndone(undefined)}
        title={t("merges.undoTitle")}
        action={t("merges.undo")}
        danger={false}
        onConfirm={async () => {
          if (!undone) return;
          await call(undoMerge, { params: { entityId: row.id, mergeId: undone.id }, body: {} });
          await refresh(listMerges);
          toast.success(t("merges.undone"));
        }}
      >
        {t("merges.undoBody", { count: (undone?.loserIds.length ?? 0) + 1 })}
      </ConfirmDialog>
    </>
  );
}

const columnsOf = (t: Words, row: PipelineRow): Column<Merge>[] => [
  {
    id: "winner",
    header: t("merges.winner"),
    minWidth: 150,
    cell: (merge) => (
      <Link to="/data-studio/entity/$entityId/record/$recordId" params={{ entityId: row.id, recordId: merge.winnerId }}>
        {mergeName(t, merge, merge.winnerId)}
      </Link>
    ),
  },
  {
    id: "losers",
    header: t("merges.losers"),
    grow: 2,
    minWidth: 180,
    cell: (merge) => merge.loserIds.map((id) => mergeName(t, merge, id)).join(", "),
  },
  {
    id: "changes",
    header: t("merges.changes"),
    width: 100,
    cell: ({ changes, status }) =>
      status === "MERGED" || status === "UNDONE" ? t("merges.changeCount", { count: changes.length }) : "–",
  },
  { id: "when", header: t("merges.when"), width: 120, cell: ({ at }) => <RelativeTime at={at} /> },
  {
    id: "status",
    header: t("merges.outcome"),
    width: 124,
    cell: ({ status }) => <StatusTag tone={TONES[status]}>{t(`merges.status_${status}`)}</StatusTag>,
  },
];
