/** Differences of a report, page by page: what the system holds beside what the core holds, and what may be asked for. */
import { DataTable, EmptyState, StatusTag, TableSkeleton, Toolbar, type Column } from "@accord/ui";
import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import {
  type Difference,
  listDifferences,
  type Reconciliation,
  type RepairChoice,
} from "@accord/contracts/sync/reconciliation";
import { keepPreviousData } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { useEndpoint } from "../../../../app/queries.ts";
import { useCan } from "../../../../app/session.ts";
import { useWords } from "../../../../app/words.ts";
import { QueryView } from "../../../../shared/query-view.tsx";
import { csvAddress, isRepairable } from "../report.model.ts";
import { RepairDialog } from "./repair-dialog.tsx";

const route = getRouteApi("/signed-in/sync-studio/entity/$entityId/reconciliation/$reconciliationId");
const PAGE_SIZE = 100;

type Words = ReturnType<typeof useWords<"reconciliation">>["t"];

export function DifferenceTable({ report }: { report: Reconciliation }) {
  const { t } = useWords("reconciliation");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayWrite = useCan("WRITE_STUDIO");
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [choice, setChoice] = useState<RepairChoice | null>(null);
  const rows = useEndpoint(
    listDifferences,
    { params: { reconciliationId: report.id }, query: { ...search, count: PAGE_SIZE } },
    { placeholderData: keepPreviousData },
  );
  const { kind, reason } = search;
  const numbers = [...selected];
  const turn = (cursor: string | null, direction: "next" | "previous") => {
    setSelected(new Set());
    if (cursor !== null) void navigate({ search: { ...search, cursor, direction } });
  };
  return (
    <>
      <Toolbar
        end={
          <>
            {mayWrite && numbers.length > 0 ? (
              <Button variant="default" onClick={() => setChoice({ numbers })}>
                {t("repair.some", { count: numbers.length })}
              </Button>
            ) : mayWrite && kind && (!reason || isRepairable({ kind, reason })) ? (
              <Button variant="default" onClick={() => setChoice({ kind, reason })}>
                {t("repair.kind")}
              </Button>
            ) : null}
            <Button
              variant="default"
              component="a"
              href={csvAddress(report.id, search)}
              download
              leftSection={<IconDownload size={15} />}
            >
              {t("download")}
            </Button>
          </>
        }
      />
      <QueryView query={rows} skeleton={<TableSkeleton />}>
        {({ differences, page }) => (
          <DataTable
            label={t("row.label")}
            columns={columnsOf(t, report)}
            rows={differences}
            rowId={({ number }) => number}
            rowLabel={({ externalId, recordId }) => externalId ?? recordId ?? ""}
            {...(mayWrite ? { selected, onSelectedChange: setSelected } : {})}
            rowMenu={(row) => [
              mayWrite &&
                isRepairable(row) && {
                  label: t("repair.one"),
                  onSelect: () => setChoice({ numbers: [row.number] }),
                },
            ]}
            stale={rows.isPlaceholderData}
            empty={<EmptyState compact title={t("row.empty")} />}
            footer={
              page.nextCursor || page.previousCursor ? (
                <div className="ac-reconciliation__paging">
                  <Button
                    size="xs"
                    variant="default"
                    disabled={!page.previousCursor}
                    onClick={() => turn(page.previousCursor, "previous")}
                  >
                    {t("previous")}
                  </Button>
                  <Button
                    size="xs"
                    variant="default"
                    disabled={!page.nextCursor}
                    onClick={() => turn(page.nextCursor, "next")}
                  >
                    {t("next")}
                  </Button>
                </div>
              ) : undefined
            }
          />
        )}
      </QueryView>
      <RepairDialog
        report={report}
        choice={choice}
        onClose={() => setChoice(null)}
        onDone={() => {
          setChoice(null);
          setSelected(new Set());
        }}
      />
    </>
  );
}

const textOf = (value: Difference["coreValue"], t: Words): string =>
  value === null ? t("row.nothing") : typeof value === "string" ? value : JSON.stringify(value);

const columnsOf = (t: Words, { entityId }: Reconciliation): Column<Difference>[] => [
  {
    id: "what",
    header: t("row.what"),
    width: 200,
    cell: (row) => (
      <div className="ac-reconciliation__pair">
        <span>{t(`kind.${row.kind}`)}</span>
        <small>{`${row.connectorName} ${row.entityName}`}</small>
      </div>
    ),
  },
  {
    id: "record",
    header: t("row.record"),
    minWidth: 140,
    cell: (row) => (
      <div className="ac-reconciliation__pair">
        <span>{row.externalId ?? "–"}</span>
        {row.recordId ? (
          <Link to="/data-studio/entity/$entityId/record/$recordId" params={{ entityId, recordId: row.recordId }}>
            {t("row.openRecord")}
          </Link>
        ) : null}
      </div>
    ),
  },
  { id: "field", header: t("row.field"), minWidth: 110, cell: (row) => row.field ?? row.connectorField ?? "–" },
  {
    id: "outside",
    header: t("row.outside"),
    grow: 2,
    cell: (row) => (row.kind === "different" || row.kind === "doubled" ? textOf(row.outsideValue, t) : "–"),
  },
  {
    id: "core",
    header: t("row.core"),
    grow: 2,
    cell: (row) => (row.kind === "different" || row.kind === "doubled" ? textOf(row.coreValue, t) : "–"),
  },
  {
    id: "reason",
    header: t("row.reason"),
    width: 210,
    cell: (row) => (
      <div className="ac-reconciliation__pair">
        <StatusTag tone={row.reason === "unexplained" ? "error" : "idle"}>{t(`reason.${row.reason}`)}</StatusTag>
        {row.repairRequestedAt ? <small>{t("row.repaired")}</small> : null}
      </div>
    ),
  },
];
