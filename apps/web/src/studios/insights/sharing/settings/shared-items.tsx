/** Who has access to which dashboard, on all dashboards; each row leads to the sharing details, where it can be taken back. */
import { listSharedItems, type SharedItem } from "@accord/contracts/insights/allowed-domains";
import { formatDate } from "@accord/cards/definitions";
import { Card, DataTable, EmptyState, StatusTag, TableSkeleton, Toolbar } from "@accord/ui";
import { SegmentedControl } from "@mantine/core";
import { IconUsers } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useEndpoint } from "../../../../app/queries.ts";
import { useCan } from "../../../../app/session.ts";
import { useWords } from "../../../../app/words.ts";
import { NewerOlder } from "../../../../shared/newer-older.tsx";
import { QueryView } from "../../../../shared/query-view.tsx";
import { SharingSettingsSearch } from "./search.ts";

export function SharedItems() {
  const { t } = useWords("insights");
  const { outside, cursor } = SharingSettingsSearch.parse(useSearch({ strict: false }));
  const navigate = useNavigate();
  const go = (search: SharingSettingsSearch): void =>
    void navigate({ to: "/insights-studio/sharing", search, hash: "access" });
  const query = useEndpoint(
    listSharedItems,
    { query: { outside: outside ? "true" : "false", ...(cursor ? { cursor } : {}) } },
    { placeholderData: keepPreviousData },
  );
  return (
    <section id="access" aria-label={t("domains.access")}>
      <Card title={t("domains.access")}>
        <div className="ac-form">
          <Toolbar
            end={
              query.data ? (
                <span className="ac-quiet">{t("domains.accessPeople", { count: query.data.people })}</span>
              ) : null
            }
          >
            <SegmentedControl
              aria-label={t("domains.accessFilter")}
              value={outside ? "outside" : "all"}
              onChange={(next) => go(next === "outside" ? { outside: true } : {})}
              data={[
                { value: "all", label: t("domains.accessAll") },
                { value: "outside", label: t("domains.accessOutside") },
              ]}
            />
          </Toolbar>
          <QueryView query={query} skeleton={<TableSkeleton rows={3} columns={3} />}>
            {({ items, nextCursor }) =>
              items.length === 0 ? (
                <EmptyState
                  compact
                  icon={<IconUsers size={22} />}
                  title={outside ? t("domains.accessNoneOutside") : t("domains.accessNone")}
                />
              ) : (
                <ItemsTable
                  items={items}
                  footer={
                    nextCursor || cursor ? (
                      <NewerOlder
                        labels={{ before: t("details.previous"), after: t("details.next") }}
                        onNewer={cursor ? () => history.back() : undefined}
                        onOlder={
                          nextCursor ? () => go({ ...(outside ? { outside } : {}), cursor: nextCursor }) : undefined
                        }
                      />
                    ) : null
                  }
                />
              )
            }
          </QueryView>
        </div>
      </Card>
    </section>
  );
}

function ItemsTable({ items, footer }: { items: readonly SharedItem[]; footer: ReactNode }) {
  const { t } = useWords("insights");
  const seesDetails = useCan("READ_SHARED_DASHBOARD_DETAILS");
  return (
    <DataTable
      label={t("domains.access")}
      rows={items}
      rowId={({ sharedItemId }) => sharedItemId}
      rowLabel={({ email }) => email}
      footer={footer}
      columns={[
        { id: "email", header: t("details.person"), cell: ({ email }) => email, grow: 2, minWidth: 190 },
        {
          id: "dashboard",
          header: t("domains.dashboard"),
          grow: 2,
          minWidth: 150,
          cell: ({ dashboardId, dashboardName, email }) =>
            seesDetails ? (
              <Link
                to="/insights-studio/$dashboardId/published/sharing-details"
                params={{ dashboardId }}
                search={{ q: email }}
              >
                {dashboardName}
              </Link>
            ) : (
              dashboardName
            ),
        },
        {
          id: "expiry",
          header: t("details.expiry"),
          width: 120,
          cell: ({ expiryDate }) => (expiryDate ? formatDate(expiryDate.slice(0, 10), "day") : t("details.noExpiry")),
        },
        {
          id: "list",
          header: t("domains.allowed"),
          width: 140,
          cell: ({ isAllowed }) => (isAllowed ? null : <StatusTag tone="warn">{t("domains.isOutside")}</StatusTag>),
        },
      ]}
    />
  );
}
