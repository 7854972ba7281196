/** The systems of a report: how many records were read of each, and which could not be compared. */
import { DataTable, type Column } from "@accord/ui";
import type { ReconciledSystem, Reconciliation } from "@accord/contracts/sync/reconciliation";
import { useWords } from "../../../../app/words.ts";

type Words = ReturnType<typeof useWords<"reconciliation">>["t"];

export function SystemTable({ report }: { report: Reconciliation }) {
  const { t } = useWords("reconciliation");
  return (
    <DataTable
      dense
      label={t("systems.label")}
      columns={columnsOf(t)}
      rows={report.systems}
      rowId={({ connectorId, entityName }) => `${connectorId} ${entityName}`}
    />
  );
}

const roleOf = ({ isSource, isDestination }: ReconciledSystem): "both" | "source" | "destination" =>
  isSource ? (isDestination ? "both" : "source") : "destination";

function columnsOf(t: Words): Column<ReconciledSystem>[] {
  const number = (id: "listed" | "filtered" | "unknown" | "unreadable"): Column<ReconciledSystem> => ({
    id,
    header: t(`systems.${id}`),
    width: 112,
    align: "end",
    cell: (system) => (system.problem === null ? system[id].toLocaleString() : "–"),
  });
  return [
    {
      id: "name",
      header: t("systems.name"),
      grow: 2,
      cell: ({ connectorName, entityName }) => `${connectorName} ${entityName}`,
    },
    { id: "role", header: t("systems.role"), width: 170, cell: (system) => t(`systems.${roleOf(system)}`) },
    number("listed"),
    number("filtered"),
    number("unknown"),
    number("unreadable"),
    {
      id: "problem",
      header: t("systems.compared"),
      grow: 2,
      cell: ({ problem, isFailed }) => (
        <span className={isFailed ? "ac-reconciliation__problem" : undefined}>{problem ?? "✓"}</span>
      ),
    },
  ];
}
