/** The studio's home: every dashboard as a small picture of its layout. */
import type { listDashboards } from "@accord/contracts/insights/dashboards";
import type { ReplyOf } from "@accord/contracts";
import {
  CardSkeleton,
  EmptyState,
  ErrorBox,
  PageBody,
  PageHeader,
  RelativeTime,
  SearchBox,
  StatusTag,
  Toolbar,
} from "@accord/ui";
import { Button, SegmentedControl } from "@mantine/core";
import { IconChartHistogram, IconPlus, IconSearchOff } from "@tabler/icons-react";
import { Link, getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { usePage } from "../../../app/page.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { QueryView } from "../../../shared/query-view.tsx";
import { ExternalViewButton } from "../external-view/external-view-button.tsx";
import { useDashboards } from "../parts/queries.ts";
import { DashboardForm } from "./dashboard-form.tsx";
import { DashboardMenu } from "./dashboard-menu.tsx";
import { LayoutThumbnail } from "./layout-thumbnail.tsx";
import "./dashboards.css";

const route = getRouteApi("/signed-in/insights-studio");
type Summary = ReplyOf<typeof listDashboards>["dashboards"][number];

export function DashboardsScreen() {
  const { t } = useWords("insights");
  const { q = "", category } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useDashboards();
  const available = query.data?.available ?? true;
  const mayCreate = useCan("CREATE_DASHBOARD") && available;
  const seesDrafts = useCan("READ_INSIGHTS");
  const seesCards = useCan("VIEW_DATACARD");
  const seesSharing = useCan("READ_ALLOWED_DOMAINS");
  const [creating, setCreating] = useState(false);
  usePage({ title: t("title") });
  const create = mayCreate ? (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
      {t("home.new")}
    </Button>
  ) : null;
  const lists = (
    <>
      {seesDrafts && available ? (
        <Button variant="default" component={Link} to="/insights-studio/datasets">
          {t("definitions.datasets")}
        </Button>
      ) : null}
      {seesCards && available ? (
        <Button variant="default" component={Link} to="/insights-studio/cards">
          {t("definitions.cards")}
        </Button>
      ) : null}
      <ExternalViewButton />
      {seesSharing && available ? (
        <Button variant="default" component={Link} to="/insights-studio/sharing">
          {t("domains.title")}
        </Button>
      ) : null}
    </>
  );
  return (
    <Demand anyOf={["READ_DASHBOARD"]}>
      <PageBody>
        <PageHeader
          title={t("home.title")}
          subtitle={t("home.subtitle")}
          actions={
            <>
              {lists}
              {create}
            </>
          }
        />
        <QueryView query={query} skeleton={<CardSkeleton />}>
          {({ dashboards, lastVisited, available }) => {
            if (!available) return <TurnedOff dashboards={dashboards} />;
            const shown = dashboards.filter((one) => fits(one, q, category));
            if (dashboards.length === 0)
              return (
                <EmptyState
                  icon={<IconChartHistogram size={22} />}
                  title={t("home.emptyTitle")}
                  body={t("home.emptyBody")}
                  action={create}
                />
              );
            return (
              <>
                <Toolbar
                  end={
                    seesDrafts ? (
                      <SegmentedControl
                        value={category ?? "all"}
                        onChange={(next) =>
                          void navigate({
                            search: (old) => ({ ...old, category: next === "all" ? undefined : (next as "draft") }),
                            replace: true,
                          })
                        }
                        data={(["all", "published", "draft", "shared"] as const).map((value) => ({
                          value,
                          label: t(`home.${value}`),
                        }))}
                      />
                    ) : null
                  }
                >
                  <SearchBox
                    value={q}
                    placeholder={t("home.search")}
                    onChange={(text) =>
                      void navigate({ search: (old) => ({ ...old, q: text || undefined }), replace: true })
                    }
                  />
                </Toolbar>
                {shown.length === 0 ? (
                  <EmptyState
                    icon={<IconSearchOff size={22} />}
                    title={t("home.noneTitle")}
                    body={t("home.noneBody")}
                    action={
                      <Button variant="default" onClick={() => void navigate({ search: {} })}>
                        {t("home.all")}
                      </Button>
                    }
                  />
                ) : (
                  <ul className="ac-dashboards">
                    {shown.map((one) => (
                      <DashboardCard key={one.id} dashboard={one} visited={one.id === lastVisited} />
                    ))}
                  </ul>
                )}
              </>
            );
          }}
        </QueryView>
      </PageBody>
      {creating ? <DashboardForm onClose={() => setCreating(false)} /> : null}
    </Demand>
  );
}

/** While Insights is off: why, and the sample. */
function TurnedOff({ dashboards }: { dashboards: readonly Summary[] }) {
  const { t } = useWords("insights");
  return (
    <>
      <ErrorBox tone="info" title={t("home.offTitle")} message={t("home.offBody")} />
      <ul className="ac-dashboards">
        {dashboards.map((one) => (
          <li key={one.id} className="ac-dashboards__card">
            <LayoutThumbnail layout={one.layout} />
            <span className="ac-dashboards__words">
              <strong>{one.displayName}</strong>
              <span className="ac-dashboards__about">{one.description}</span>
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function DashboardCard({ dashboard, visited }: { dashboard: Summary; visited: boolean }) {
  const { t } = useWords("insights");
  const isDraft = dashboard.draftStatus === "NEW";
  const to = isDraft ? "/insights-studio/$dashboardId/$version" : "/insights-studio/$dashboardId";
  return (
    <li>
      <Link to={to} params={{ dashboardId: dashboard.id, version: "draft" }} className="ac-dashboards__card">
        <LayoutThumbnail layout={dashboard.layout} />
        <span className="ac-dashboards__words">
          <strong>{dashboard.displayName}</strong>
          {dashboard.description ? <span className="ac-dashboards__about">{dashboard.description}</span> : null}
          <span className="ac-dashboards__facts">
            {isDraft ? (
              <StatusTag tone="warn">{t("tag.draft")}</StatusTag>
            ) : (
              <StatusTag tone="ok">{t("tag.published")}</StatusTag>
            )}
            {dashboard.draft ? (
              <StatusTag tone="warn" plain>
                {t("tag.draftToo")}
              </StatusTag>
            ) : null}
            {dashboard.shares > 0 ? (
              <StatusTag tone="info" plain>
                {t("tag.shared", { count: dashboard.shares })}
              </StatusTag>
            ) : null}
            {visited ? (
              <StatusTag tone="idle" plain>
                {t("home.lastVisited")}
              </StatusTag>
            ) : null}
          </span>
          <span className="ac-dashboards__when">
            {t("home.cards", { count: dashboard.cards })} · {t("home.updated")}{" "}
            <RelativeTime at={dashboard.updatedAt} />
          </span>
        </span>
      </Link>
      <DashboardMenu summary={dashboard} />
    </li>
  );
}

function fits(one: Summary, text: string, category: string | undefined): boolean {
  const words = `${one.displayName} ${one.description} ${one.tags.join(" ")}`.toLowerCase();
  if (!words.includes(text.toLowerCase())) return false;
  if (category === "published") return one.draftStatus === "APPROVED";
  if (category === "draft") return one.draftStatus === "NEW" || one.draft !== null;
  return category !== "shared" || one.shares > 0;
}
