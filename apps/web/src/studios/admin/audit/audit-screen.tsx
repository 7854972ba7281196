/** Who changed what in the administration, and when. */
import { listAuditEntries, type AuditEntry } from "@accord/contracts/operations/audit";
import { DataTable, EmptyState, PageBody, PageHeader, RelativeTime, TableSkeleton, type Column } from "@accord/ui";
import { IconHistory } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { usePage } from "../../../app/page.ts";
import { useEndpoint } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { NewerOlder } from "../../../shared/newer-older.tsx";
import { QueryView } from "../../../shared/query-view.tsx";

const route = getRouteApi("/signed-in/settings/audit-log");

export function AuditScreen() {
  return (
    <Demand anyOf={["LIST_USERS"]}>
      <AuditLog />
    </Demand>
  );
}

/** "changeUserRoles" → "Change user roles" */
function wordsOfAction(action: string): string {
  const text = action.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function AuditLog() {
  const { t } = useWords("identity");
  usePage({
    title: t("audit.title"),
    crumbs: [{ label: t("settings.title"), to: "/settings" }, { label: t("audit.title") }],
  });
  const { cursor } = route.useSearch();
  const navigate = route.useNavigate();
  const entries = useEndpoint(
    listAuditEntries,
    { query: cursor ? { cursor } : {} },
    { placeholderData: keepPreviousData },
  );
  const columns: Column<AuditEntry>[] = [
    { id: "at", header: t("audit.when"), width: 150, cell: (entry) => <RelativeTime at={entry.at} /> },
    { id: "who", header: t("audit.who"), minWidth: 180, cell: (entry) => <span>{entry.user.email}</span> },
    {
      id: "what",
      header: t("audit.what"),
      minWidth: 170,
      cell: (entry) => <strong>{wordsOfAction(entry.action)}</strong>,
    },
    {
      id: "target",
      header: t("audit.target"),
      minWidth: 200,
      grow: 1.4,
      cell: (entry) => <span>{entry.target.name ?? entry.target.id ?? "–"}</span>,
    },
    { id: "address", header: t("audit.address"), width: 140, mono: true, cell: (entry) => entry.address },
  ];
  return (
    <PageBody fill>
      <PageHeader title={t("audit.title")} subtitle={t("audit.lead")} />
      <QueryView query={entries} skeleton={<TableSkeleton columns={5} />}>
        {({ entries: rows, pageInfo }) => (
          <DataTable
            fill
            label={t("audit.title")}
            columns={columns}
            rows={rows}
            rowId={(entry) => entry.id}
            stale={entries.isPlaceholderData}
            empty={<EmptyState icon={<IconHistory size={22} />} title={t("audit.none")} />}
            footer={
              pageInfo.nextCursor || cursor ? (
                <NewerOlder
                  onNewer={cursor ? () => history.back() : undefined}
                  onOlder={
                    pageInfo.nextCursor
                      ? () => void navigate({ search: { cursor: pageInfo.nextCursor ?? undefined } })
                      : undefined
                  }
                />
              ) : null
            }
          />
        )}
      </QueryView>
    </PageBody>
  );
}
