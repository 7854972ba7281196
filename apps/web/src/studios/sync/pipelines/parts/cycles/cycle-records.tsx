/** Records that one cycle changed, page by page, each a way to its page. */
import { type Cycle } from "@accord/contracts/sync/monitoring/runs";
import { listTransactions, Transaction, type ListedTransaction } from "@accord/contracts/sync/monitoring/transactions";
import type { PipelineRow } from "@accord/contracts/sync/pipelines";
import { DataTable, EmptyState, RelativeTime, TableSkeleton, type Column } from "@accord/ui";
import { Select } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { polling, useEndpoint } from "../../../../../app/queries.ts";
import { useWords } from "../../../../../app/words.ts";
import { QueryView } from "../../../../../shared/query-view.tsx";
import { PageTurns, type Turn } from "../page-turns.tsx";

const SHOWN = 25;

interface Props {
  row: PipelineRow;
  cycle: Cycle;
  /** Only records that it did this to. */
  change?: Transaction["operation"] | undefined;
  /** Offers to list others. */
  onChange?: (change: Transaction["operation"] | undefined) => void;
}

/** Give it the cycle's id and the change as key: another cycle begins with its first page. */
export function CycleRecords({ row, cycle, change, onChange }: Props) {
  const { t } = useWords("sync");
  const [turn, setTurn] = useState<Turn>({});
  const query = {
    entityId: row.id,
    cycleId: cycle.id,
    count: SHOWN,
    ...turn,
    ...(change ? { operation: change } : {}),
  };
  const changes = useEndpoint(
    listTransactions,
    { query },
    // A cycle that runs changes more of them.
    { placeholderData: keepPreviousData, ...(cycle.outcome === "running" ? polling() : {}) },
  );
  const columns: Column<ListedTransaction>[] = [
    {
      id: "record",
      header: t("activity.record"),
      minWidth: 140,
      cell: ({ recordId, recordName }) => (
        <Link to="/data-studio/entity/$entityId/record/$recordId" params={{ entityId: row.id, recordId }}>
          {recordName ?? t("refused.unnamed", { id: recordId.slice(-6) })}
        </Link>
      ),
    },
    {
      id: "change",
      header: t("activity.change"),
      width: 110,
      cell: ({ operation }) => t(`activity.does_${operation}`),
    },
    {
      id: "fields",
      header: t("activity.fieldsChanged"),
      grow: 3,
      cell: ({ changes: changed, refused }) => [...changed, ...refused].map(({ field }) => field).join(", "),
    },
    { id: "when", header: t("activity.when"), width: 124, cell: ({ at }) => <RelativeTime at={at} /> },
  ];
  return (
    <QueryView query={changes} skeleton={<TableSkeleton rows={3} />}>
      {({ transactions, page }) => (
        <>
          {onChange ? (
            <Select
              aria-label={t("activity.change")}
              placeholder={t("activity.allChanges")}
              data={Transaction.shape.operation.options.map((value) => ({ value, label: t(`activity.does_${value}`) }))}
              value={change ?? null}
              clearable
              clearButtonProps={{ "aria-label": t("activity.allChanges"), "aria-hidden": false, tabIndex: 0 }}
              w={180}
              mb={8}
              onChange={(chosen) => onChange(Transaction.shape.operation.safeParse(chosen).data)}
            />
          ) : null}
          <DataTable
            label={t("activity.recordsOf")}
            columns={columns}
            rows={transactions}
            rowId={({ id }) => id}
            dense
            empty={<EmptyState compact title={t(change ? "activity.noSuchRecords" : "activity.noRecords")} />}
          />
          <PageTurns page={page} onTurn={setTurn} />
        </>
      )}
    </QueryView>
  );
}
