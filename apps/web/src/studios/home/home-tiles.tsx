/** The figures at the top of home, each a way to its studio. */
import { SkeletonBlock, Skeletons, StatusTag } from "@accord/ui";
import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useWords } from "../../app/words.ts";
import { useFailingSystems, usePipelineRows } from "../../shared/failing-systems.tsx";
import { isApart, isAwaitingFirstRun, needsAttention } from "@accord/sync-engine/lifecycle";
import { addressOf, byUrgency, shortCount } from "./home.model.ts";
import { useConnectors, useCounts, useDashboards } from "./queries.ts";

interface TileProps {
  label: string;
  to: string;
  /** Where the note leads, when it counts something else than the figure. */
  noteTo?: { to: string; search: object } | undefined;
  query: UseQueryResult<unknown>;
  value: () => string;
  note: () => ReactNode;
}

function Tile({ label, to, noteTo, query, value, note }: TileProps) {
  if (query.fetchStatus === "idle" && query.data === undefined && !query.isError) return null;
  return (
    <div className="ac-tile">
      <Link to={to} className="ac-tile__label">
        {label}
        {query.data === undefined ? null : <span className="ac-hidden"> {value()}</span>}
      </Link>
      {query.data === undefined ? (
        query.isError ? (
          <span className="ac-tile__value">–</span>
        ) : (
          <Skeletons>
            <SkeletonBlock width={80} height={28} />
          </Skeletons>
        )
      ) : (
        <>
          <span className="ac-tile__value" aria-hidden>
            {value()}
          </span>
          <span className="ac-tile__note">
            {noteTo ? (
              <Link {...noteTo} className="ac-tile__more">
                {note()}
              </Link>
            ) : (
              note()
            )}
          </span>
        </>
      )}
    </div>
  );
}

export function Tiles() {
  const { t } = useWords("identity");
  const pipelines = usePipelineRows();
  const counts = useCounts();
  const connectors = useConnectors();
  const dashboards = useDashboards();
  const published = byUrgency(pipelines.data?.rows ?? []);
  const troubled = published.filter(needsAttention);
  const apart = published.filter(isApart);
  const active = (connectors.data?.connectors ?? []).filter((connector) => connector.status === "ACTIVE").length;
  const failing = useFailingSystems().size;
  return (
    <div className="ac-tiles">
      <Tile
        label={t("home.pipelines")}
        to="/sync-studio/details"
        noteTo={
          troubled.length > 0
            ? addressOf(troubled, "attention")
            : apart.length > 0
              ? addressOf(apart, "apart")
              : undefined
        }
        query={pipelines}
        // As the studio's total: drafts that were never published among them.
        value={() => String(pipelines.data?.rows.length ?? 0)}
        note={() =>
          troubled.length > 0 ? (
            <StatusTag tone="error">{t("home.attention", { count: troubled.length })}</StatusTag>
          ) : apart.length > 0 ? (
            <StatusTag tone="warn">{t("home.apart", { count: apart.length })}</StatusTag>
          ) : (
            <StatusTag tone={published.length === 0 || published.some(isAwaitingFirstRun) ? "idle" : "ok"} plain>
              {published.length === 0
                ? t("home.pipelinesNone")
                : t(published.some(isAwaitingFirstRun) ? "home.firstDue" : "home.allRunning")}
            </StatusTag>
          )
        }
      />
      <Tile
        label={t("home.records")}
        to="/data-studio"
        query={counts}
        value={() => shortCount(counts.data?.totals.active.count ?? 0)}
        note={() => t("home.recordsNote", { count: Object.keys(counts.data?.countMap ?? {}).length })}
      />
      <Tile
        label={t("home.connectors")}
        to="/synapses"
        query={connectors}
        value={() => String(connectors.data?.connectors.length ?? 0)}
        note={() =>
          failing > 0 ? (
            <StatusTag tone="error">{t("home.connectorsFailing", { count: failing })}</StatusTag>
          ) : (
            t("home.connectorsNote", { count: active })
          )
        }
      />
      <Tile
        label={t("home.dashboards")}
        to="/insights-studio"
        query={dashboards}
        value={() => String(dashboards.data?.available ? dashboards.data.dashboards.length : 0)}
        note={() =>
          t("home.dashboardsNote", {
            count: dashboards.data?.dashboards.filter(({ shares }) => shares > 0).length ?? 0,
          })
        }
      />
    </div>
  );
}
