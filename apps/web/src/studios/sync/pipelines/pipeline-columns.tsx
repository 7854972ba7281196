/** Columns of the Pipeline Details table: every fact of a row, those that few need hidden until somebody chooses them. */
import type { PipelineRow } from "@accord/contracts/sync/pipelines";
import { RelativeTime, StatusTag, type Column } from "@accord/ui";
import type { useWords } from "../../../app/words.ts";
import { HealthReasons } from "../../../shared/health.tsx";
import { CellText, CellTip } from "./cell-text.tsx";
import { lagText } from "./lag-text.ts";
import { RecentCycles } from "./parts/cycles/recent-cycles.tsx";
import { STATE_TONES } from "../pipeline-editor/flow/run-strip.tsx";

type Words = ReturnType<typeof useWords<"sync">>["t"];

const RARELY_NEEDED = [
  "apiName",
  "problems",
  "lag",
  "duration",
  "version",
  "realtime",
  "modified",
  "published",
  "publishedBy",
  "pausedBy",
  "merge",
  "resynced",
];

/** Of a first visit: so many that nothing is cut in a window of this width. */
export const hiddenAtFirst = (windowWidth: number): string[] => [
  ...RARELY_NEEDED,
  ...(windowWidth < 1600 ? ["recent"] : []),
  ...(windowWidth < 1520 ? ["transactions"] : []),
  ...(windowWidth < 1440 ? ["fields"] : []),
  ...(windowWidth < 700 ? ["status"] : []),
  // On a phone the name and the state fit beside the row's menu.
  ...(windowWidth < 500 ? ["activity", "sources", "destinations", "last"] : []),
];

interface Deeds {
  t: Words;
  showActivity: (row: PipelineRow, shown?: { tab: "problems" } | { cycle: "latest" }) => void;
}

export const columnsOf = (deeds: Deeds): Column<PipelineRow>[] => [
  ...stateColumns(deeds),
  ...placeColumns(deeds),
  ...cycleColumns(deeds),
  ...versionColumns(deeds),
];

const stateColumns = ({ t, showActivity }: Deeds): Column<PipelineRow>[] => [
  {
    id: "name",
    header: t("table.name"),
    minWidth: 100,
    cell: (row) => (
      <strong className="ac-pipelines__name">
        <CellText text={row.name} />
      </strong>
    ),
    sortable: true,
    always: true,
    sticky: true,
  },
  {
    id: "apiName",
    header: t("table.apiName"),
    minWidth: 100,
    mono: true,
    cell: (row) => <CellText text={row.apiName} />,
    sortable: true,
  },
  {
    id: "state",
    header: t("table.state"),
    // Two tags side by side, and below them what stands between the pipeline and agreement.
    width: 192,
    cell: (row) => (
      <span className="ac-pipelines__state">
        <span className="ac-pipelines__tags">
          {row.pipelineStateTagData.map((tag) => (
            <StatusTag key={tag} tone={STATE_TONES[tag]} busy={tag === "Resyncing"}>
              {tag}
            </StatusTag>
          ))}
        </span>
        <HealthReasons plain max={1} entityId={row.id} health={row.health} />
      </span>
    ),
  },
  {
    id: "status",
    header: t("table.status"),
    width: 170,
    cell: (row) => (
      <span className="ac-pipelines__tags">
        {row.pipelineStatusTagData.map((tag) => (
          <StatusTag key={tag} tone={tag === "Draft" ? "warn" : tag === "Published" ? "ok" : "idle"}>
            {tag}
          </StatusTag>
        ))}
      </span>
    ),
  },
  {
    id: "problems",
    header: t("table.problems"),
    width: 80,
    align: "end",
    cell: (row) => (
      <button type="button" className="ac-pipelines__activity" onClick={() => showActivity(row, { tab: "problems" })}>
        {(row.errorCount + row.warningCount).toLocaleString("en-US")}
      </button>
    ),
    sortable: true,
  },
  {
    id: "activity",
    header: t("table.activity"),
    minWidth: 102,
    grow: 1.2,
    cell: (row) => (
      <CellTip
        label={
          <>
            {row.currentActivity}
            <br />
            {t("activity.open")}
          </>
        }
      >
        <button type="button" className="ac-pipelines__activity ac-pipelines__text" onClick={() => showActivity(row)}>
          {row.currentActivity}
        </button>
      </CellTip>
    ),
  },
  {
    id: "realtime",
    header: t("table.realtime"),
    width: 100,
    cell: (row) => t(row.settings.realtimePipeline ? "table.realtime_yes" : "table.realtime_no"),
  },
];

const placeColumns = ({ t }: Deeds): Column<PipelineRow>[] => [
  {
    id: "sources",
    header: t("table.sources"),
    minWidth: 92,
    grow: 2.4,
    cell: (row) => <CellText text={row.sources.map((place) => place.connectorName).join(", ")} />,
  },
  {
    id: "destinations",
    header: t("table.destinations"),
    minWidth: 100,
    grow: 2.4,
    cell: (row) => <CellText text={row.destinations.map((place) => place.connectorName).join(", ")} />,
  },
];

const cycleColumns = ({ t, showActivity }: Deeds): Column<PipelineRow>[] => [
  {
    id: "last",
    header: t("table.lastSync"),
    width: 110,
    cell: (row) => <RelativeTime at={row.lastCompletedSync} />,
    sortable: true,
  },
  {
    id: "lag",
    header: t("table.lag"),
    width: 76,
    align: "end",
    cell: ({ lagInSeconds: lag }) => (lag === null ? "" : lagText(lag)),
    sortable: true,
  },
  {
    id: "duration",
    header: t("table.duration"),
    width: 110,
    align: "end",
    cell: ({ lastCycleDuration: took }) =>
      took ? `${took.duration.toLocaleString("en-US")} ${took.durationUnit}` : "",
    sortable: true,
  },
  {
    id: "transactions",
    header: t("table.transactions"),
    width: 90,
    align: "end",
    cell: (row) => (
      <CellTip label={t("activity.openCycle")}>
        <button
          type="button"
          className="ac-pipelines__activity"
          onClick={() => showActivity(row, row.transactionsInLastCycle > 0 ? { cycle: "latest" } : undefined)}
        >
          {row.transactionsInLastCycle.toLocaleString("en-US")}
        </button>
      </CellTip>
    ),
    sortable: true,
  },
  {
    id: "recent",
    header: t("table.recent"),
    width: 112,
    cell: (row) =>
      row.recentCycles.length > 0 ? (
        <button type="button" className="ac-pipelines__activity" onClick={() => showActivity(row)}>
          <RecentCycles cycles={row.recentCycles} />
        </button>
      ) : null,
  },
  {
    id: "resynced",
    header: t("table.resynced"),
    width: 116,
    cell: (row) => <RelativeTime at={row.resyncDetails?.lastResyncTime} />,
  },
];

const versionColumns = ({ t }: Deeds): Column<PipelineRow>[] => [
  {
    id: "fields",
    header: t("table.fields"),
    width: 76,
    align: "end",
    cell: (row) => row.fieldsMapped,
    sortable: true,
  },
  {
    id: "merge",
    header: t("table.merge"),
    width: 110,
    cell: (row) => t("table.merge", { count: row.mergeConfig.retainFields.length }),
  },
  {
    id: "version",
    header: t("table.version"),
    width: 76,
    align: "end",
    cell: (row) => row.numberOfVersions,
    sortable: true,
  },
  {
    id: "modified",
    header: t("table.modified"),
    width: 210,
    cell: ({ lastModifiedBy: by, lastModifiedOn }) => (
      <span>
        {by ? `${by.firstName} ${by.lastName}`.trim() : ""} <RelativeTime at={lastModifiedOn} none="" />
      </span>
    ),
    sortable: true,
  },
  {
    id: "published",
    header: t("table.published"),
    width: 124,
    cell: (row) => <RelativeTime at={row.lastPublishedOn} />,
    sortable: true,
  },
  {
    id: "publishedBy",
    header: t("table.publishedBy"),
    width: 140,
    cell: ({ lastPublishedBy: by }) => (by ? <CellText text={`${by.firstName} ${by.lastName}`.trim()} /> : null),
    sortable: true,
  },
  {
    id: "pausedBy",
    header: t("table.pausedBy"),
    width: 140,
    cell: ({ pausedBy }) => (pausedBy ? <CellText text={pausedBy} /> : null),
    sortable: true,
  },
];
