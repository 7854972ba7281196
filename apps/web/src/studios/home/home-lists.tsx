/** What home lists: pipelines, latest changes, connections, dashboards. */
import { SkeletonBlock, Card, EmptyState, RelativeTime, Skeletons, StatusTag } from "@accord/ui";
import { Button } from "@mantine/core";
import { IconChartHistogram, IconHistory, IconPlug, IconSchema } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useWords } from "../../app/words.ts";
import { FailingSince, useFailingSystems, usePipelineRows } from "../../shared/failing-systems.tsx";
import { HealthReasons } from "../../shared/health.tsx";
import { QueryView } from "../../shared/query-view.tsx";
import { ChangeList } from "./change-list.tsx";
import { isInAgreement } from "@accord/sync-engine/lifecycle";
import { openedVersion, byUrgency } from "./home.model.ts";
import { useConnectors, useDashboards, useLatestChanges } from "./queries.ts";

function AllLink({ to }: { to: string }) {
  const { t } = useWords("identity");
  return (
    <Link to={to} className="ac-home__all">
      {t("home.all")}
    </Link>
  );
}

const ListSkeleton = () => (
  <Skeletons>
    {Array.from({ length: 4 }, (_, row) => (
      <div key={row} className="ac-home__row">
        <SkeletonBlock width={`${30 + row * 9}%`} />
      </div>
    ))}
  </Skeletons>
);

const SHOWN = 6;

export function Pipelines() {
  const { t } = useWords("identity", "sync");
  const pipelines = usePipelineRows();
  return (
    <Card flush title={t("home.pipelines")} actions={<AllLink to="/sync-studio" />}>
      <QueryView query={pipelines} skeleton={<ListSkeleton />}>
        {({ rows }) => {
          const published = byUrgency(rows).slice(0, SHOWN);
          if (published.length === 0)
            return (
              <EmptyState
                compact
                icon={<IconSchema size={20} />}
                title={t("home.pipelinesNone")}
                body={t("home.pipelinesNoneHint")}
                action={
                  <Button component={Link} to="/sync-studio" variant="default">
                    {t("home.openStudio")}
                  </Button>
                }
              />
            );
          return (
            <ul className="ac-home__list">
              {published.map((row) => (
                <li key={row.id} className="ac-home__row">
                  <Link
                    to="/sync-studio/entity/$entityId/pipeline/$graphVersion"
                    params={{ entityId: row.id, graphVersion: openedVersion(row) }}
                  >
                    {row.name}
                  </Link>
                  <span className="ac-home__systems">
                    {[...new Set([...row.sources, ...row.destinations].map((place) => place.connectorName))].join(", ")}
                  </span>
                  <span className="ac-home__when">
                    {row.lastCompletedSync ? (
                      <>
                        {t("home.lastSync")} <RelativeTime at={row.lastCompletedSync} />
                      </>
                    ) : (
                      t("home.neverSynced")
                    )}
                  </span>
                  {isInAgreement(row) ? (
                    <StatusTag tone="ok">{t("sync:health.IN_AGREEMENT")}</StatusTag>
                  ) : (
                    <HealthReasons entityId={row.id} health={row.health} max={1} />
                  )}
                </li>
              ))}
            </ul>
          );
        }}
      </QueryView>
    </Card>
  );
}

export function Changes() {
  const { t } = useWords("identity");
  const changes = useLatestChanges();
  return (
    <Card flush title={t("home.changes")}>
      <QueryView query={changes} skeleton={<ListSkeleton />}>
        {({ transactions }) =>
          transactions.length === 0 ? (
            <EmptyState
              compact
              icon={<IconHistory size={20} />}
              title={t("home.changesNone")}
              body={t("home.changesNoneHint")}
            />
          ) : (
            <ChangeList transactions={transactions} />
          )
        }
      </QueryView>
    </Card>
  );
}

const CONNECTOR_TONE = { ACTIVE: "ok", ERROR: "error", ACTIVATING: "ember" } as const;

export function Connectors() {
  const { t } = useWords("identity", "connections");
  const connectors = useConnectors();
  const failing = useFailingSystems();
  return (
    <Card flush title={t("home.connectors")} actions={<AllLink to="/synapses" />}>
      <QueryView query={connectors} skeleton={<ListSkeleton />}>
        {({ connectors: rows }) =>
          rows.length === 0 ? (
            <EmptyState
              compact
              icon={<IconPlug size={20} />}
              title={t("home.connectorsNone")}
              body={t("home.connectorsNoneHint")}
              action={
                <Button component={Link} to="/synapses">
                  {t("home.connect")}
                </Button>
              }
            />
          ) : (
            <ul className="ac-home__list">
              {rows.slice(0, SHOWN).map((connector) => (
                <li key={connector.id} className="ac-home__row">
                  <Link to="/synapses/connections/$connectorId" params={{ connectorId: connector.id }}>
                    {connector.name}
                  </Link>
                  <span className="ac-home__systems">{connector.typeName}</span>
                  {failing.has(connector.id) ? (
                    <FailingSince reason={failing.get(connector.id)} />
                  ) : (
                    <StatusTag
                      tone={
                        connector.status === "ACTIVE" ||
                        connector.status === "ERROR" ||
                        connector.status === "ACTIVATING"
                          ? CONNECTOR_TONE[connector.status]
                          : "idle"
                      }
                      busy={connector.status === "ACTIVATING"}
                    >
                      {t(`connections:status.${connector.status}`)}
                    </StatusTag>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </Card>
  );
}

export function Dashboards() {
  const { t } = useWords("identity");
  const dashboards = useDashboards();
  return (
    <Card flush title={t("home.dashboards")} actions={<AllLink to="/insights-studio" />}>
      <QueryView query={dashboards} skeleton={<ListSkeleton />}>
        {({ dashboards: rows }) =>
          rows.length === 0 ? (
            <EmptyState
              compact
              icon={<IconChartHistogram size={20} />}
              title={t("home.dashboardsNone")}
              body={t("home.dashboardsNoneHint")}
              action={
                <Button component={Link} to="/insights-studio" variant="default">
                  {t("home.createDashboard")}
                </Button>
              }
            />
          ) : (
            <ul className="ac-home__list">
              {rows.slice(0, SHOWN).map((dashboard) => (
                <li key={dashboard.id} className="ac-home__row">
                  <Link to="/insights-studio/$dashboardId" params={{ dashboardId: dashboard.id }}>
                    {dashboard.displayName}
                  </Link>
                  <span className="ac-home__systems">{t("home.cards", { count: dashboard.cards })}</span>
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </Card>
  );
}
