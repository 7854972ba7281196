/** The log of transactions: which records changed, how, and by what; of all entities, or of the one in the address. */
import type { CoreEntity } from "@accord/contracts/data/entities";
import { listConnectors } from "@accord/contracts/connections/connectors";
import { recordsChanged } from "@accord/contracts/data/records";
import { PERIOD_MS, PERIODS, TRANSACTION_OPERATIONS } from "@accord/contracts/sync/monitoring/page-filters";
import { listTransactions, type ListedTransaction } from "@accord/contracts/sync/monitoring/transactions";
import { type Column, DataTable, EmptyState, RelativeTime, TableSkeleton } from "@accord/ui";
import { keepPreviousData } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { refreshOn, useEndpoint } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { QueryView } from "../../../shared/query-view.tsx";
import { PageTurns } from "../pipelines/parts/page-turns.tsx";
import { EntityChoice, LogChoice } from "../log-choice.tsx";
import { entityColumn, LogPage, useEntityInAddress } from "./log-page.tsx";
import type { TransactionsSearch } from "./routes.tsx";
import "./logs.css";

const SHOWN = 50;

refreshOn(recordsChanged, [listTransactions]);

export function TransactionsScreen() {
  return (
    <Demand anyOf={["VIEW_TRANSACTIONS"]}>
      <Transactions />
    </Demand>
  );
}

function Transactions() {
  const { t } = useWords("sync");
  const search: TransactionsSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const { entity: _entity, cursor, direction, ...filters } = search;
  // Another filter has another first page.
  const narrow = (part: TransactionsSearch) =>
    void navigate({ to: ".", search: { entity: search.entity, ...filters, ...part }, replace: true });
  const { known, entity, isResolved, isUnknown } = useEntityInAddress(search.entity);
  const from = useStartOf(search.within);
  const transactions = useEndpoint(
    listTransactions,
    {
      query: {
        ...(entity ? { entityId: entity.id } : {}),
        ...(search.operation ? { operation: search.operation } : {}),
        ...(from ? { from } : {}),
        ...(cursor ? { cursor, direction: direction ?? "next" } : {}),
        count: SHOWN,
      },
    },
    { placeholderData: keepPreviousData, enabled: isResolved },
  );
  const columns = useColumns(known);
  const isNarrowed = Object.values({ ...filters, entity }).some(Boolean);
  return (
    <LogPage
      title={t("transactions.title")}
      lead={t("transactions.lead")}
      filters={<Filters search={search} entities={known} onChange={narrow} />}
      unknownEntity={isUnknown ? search.entity : undefined}
    >
      <QueryView query={transactions} skeleton={<TableSkeleton />}>
        {({ transactions: rows, page }) => (
          <DataTable
            label={t("transactions.title")}
            columns={columns}
            rows={rows}
            rowId={({ id }) => id}
            stale={transactions.isPlaceholderData}
            empty={<EmptyState title={t(isNarrowed ? "transactions.noneFound" : "transactions.none")} />}
            {...(page.nextCursor || page.previousCursor ? { footer: <PageTurns page={page} onTurn={narrow} /> } : {})}
          />
        )}
      </QueryView>
    </LogPage>
  );
}

interface FiltersProps {
  search: TransactionsSearch;
  entities: readonly CoreEntity[];
  onChange: (part: TransactionsSearch) => void;
}

function Filters({ search, entities, onChange }: FiltersProps) {
  const { t } = useWords("sync");
  return (
    <div className="ac-logs__filters">
      <EntityChoice entities={entities} value={search.entity} onChange={(chosen) => onChange({ entity: chosen })} />
      <LogChoice
        label={t("transactions.operation")}
        any={t("transactions.anyOperation")}
        data={TRANSACTION_OPERATIONS.map((value) => ({ value, label: t(`activity.does_${value}`) }))}
        value={search.operation}
        onChange={(operation) => onChange({ operation })}
      />
      <LogChoice
        label={t("transactions.within")}
        any={t("transactions.anyTime")}
        data={PERIODS.map((value) => ({ value, label: t(`logs.within_${value}`) }))}
        value={search.within}
        onChange={(within) => onChange({ within })}
      />
    </div>
  );
}

/** Counted from when the screen was opened, so that the pages of one list have one beginning. */
function useStartOf(within: TransactionsSearch["within"]): string | undefined {
  const [openedAt] = useState(() => Date.now());
  return within ? new Date(openedAt - PERIOD_MS[within]).toISOString() : undefined;
}

function useColumns(entities: readonly CoreEntity[]): Column<ListedTransaction>[] {
  const { t } = useWords("sync");
  const connectors = useEndpoint(listConnectors, undefined, { enabled: useCan("READ_CONNECTOR") });
  const actorOf = ({ actor }: ListedTransaction): string => {
    if (actor.kind === "user") return actor.name;
    if (actor.kind === "system") return t("transactions.bySystem");
    const system = connectors.data?.connectors.find(({ id }) => id === actor.connectorId);
    return system?.name ?? actor.connectorEntity;
  };
  return [
    { id: "when", header: t("activity.when"), width: 130, cell: ({ at }) => <RelativeTime at={at} /> },
    entityColumn(t, entities),
    {
      id: "record",
      header: t("activity.record"),
      minWidth: 140,
      cell: ({ entityId, recordId, recordName }) => (
        <Link to="/data-studio/entity/$entityId/record/$recordId" params={{ entityId, recordId }}>
          {recordName ?? t("refused.unnamed", { id: recordId.slice(-6) })}
        </Link>
      ),
    },
    {
      id: "change",
      header: t("activity.change"),
      width: 120,
      cell: ({ operation }) => t(`activity.does_${operation}`),
    },
    { id: "by", header: t("transactions.by"), minWidth: 120, cell: actorOf },
    {
      id: "fields",
      header: t("activity.fieldsChanged"),
      grow: 3,
      cell: ({ changes, refused }) => [...changes, ...refused].map(({ field }) => field).join(", "),
    },
  ];
}
