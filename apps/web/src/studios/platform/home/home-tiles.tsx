/** The figures at the top of home, each a way to its studio. */
import { SkeletonBlock, Skeletons, StatusTag } from "@accord/ui";
import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useWords } from "../../../app/words.ts";
import { useFailingSystems, usePipelineRows } from "../../../shared/failing-systems.tsx";
import { addressOf, isAwaitingFirstRun, isInAgreement, needsAttention, shortCount, byUrgency } from "./home.model.ts";
import { useConnectors, useCounts, useDashboards } from "./queries.ts";

interface TileProps {
  label: string;
  to: string;
  search?: { pipelineState?: string };
  query: UseQueryResult<unknown>;
  value: () => string;
  note: () => ReactNode;
}

function Tile({ label, to, search = {}, query, value, note }: TileProps) {
  if (query.fetchStatus === "idle" && query.data === undefined && !query.isError) return null;
  return (
    <Link to={to} search={search} className="ac-tile">
      <span className="ac-tile__label">{label}</span>
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
          <span className="ac-tile__value">{value()}</span>
          <span className="ac-tile__note">{note()}</span>
        </>
      )}
    </Link>
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
  const apart = published.filter((row) => !isInAgreement(row) && !isAwaitingFirstRun(row));
  const active = (connectors.data?.connectors ?? []).filter((connector) => connector.status === "ACTIVE").length;
  const failing = useFailingSystems().size;
  return (
    <div className="ac-tiles">
      <Tile
        label={t("home.pipelines")}
        {...addressOf(troubled.length > 0 ? troubled : apart)}
        query={pipelines}
        value={() => String(published.length)}
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
