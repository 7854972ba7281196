/** Columns of a pipeline's log; each entry leads to its node, its record and its cycle. */
import type { Id } from "@accord/contracts";
import type { LogSeverity } from "@accord/contracts/sync/monitoring/page-filters";
import type { PipelineLogEntry } from "@accord/contracts/sync/monitoring/pipeline-logs";
import type { PipelineRow } from "@accord/contracts/sync/pipelines";
import { StatusTag, type Column, type Tone } from "@accord/ui";
import { Link } from "@tanstack/react-router";
import type { useWords } from "../../../../app/words.ts";
import { ReasonLink } from "../../../../shared/health.tsx";
import { LongText } from "../../pipelines/parts/long-text.tsx";
import { entryDetail, entryText } from "../logs.model.ts";

const TONES: Record<LogSeverity, Tone> = { info: "idle", warning: "warn", error: "error" };

interface Parts {
  row: PipelineRow;
  t: ReturnType<typeof useWords<"sync">>["t"];
  nodeName: (nodeId: string) => string;
  onCycle: (cycleId: Id<"run">) => void;
}

export const logColumns = ({ row, t, nodeName, onCycle }: Parts): Column<PipelineLogEntry>[] => [
  {
    id: "time",
    header: t("logs.time"),
    width: 196,
    cell: ({ timestamp }) => <time dateTime={timestamp}>{new Date(timestamp).toLocaleString()}</time>,
  },
  {
    id: "severity",
    header: t("logs.severity"),
    width: 92,
    cell: ({ severity }) => <StatusTag tone={TONES[severity]}>{t(`logs.severity_${severity}`)}</StatusTag>,
  },
  {
    id: "entry",
    header: t("logs.entry"),
    grow: 4,
    minWidth: 260,
    cell: (entry) => (
      <div className="ac-log__entry">
        <LongText text={entryText(entry, t)} />
        <span className="ac-log__detail">{entryDetail(entry, t)}</span>
      </div>
    ),
  },
  {
    id: "node",
    header: t("logs.node"),
    minWidth: 110,
    cell: ({ nodeId }) =>
      nodeId === null ? null : (
        <Link
          to="/sync-studio/entity/$entityId/pipeline/$graphVersion"
          params={{ entityId: row.id, graphVersion: "published" }}
          search={{ focusNodeId: nodeId }}
          title={t("activity.toNode")}
        >
          {nodeName(nodeId)}
        </Link>
      ),
  },
  { id: "kind", header: t("logs.kind"), width: 96, cell: ({ kind }) => t(`logs.kind_${kind}`) },
  {
    id: "leads",
    header: t("logs.leads"),
    width: 150,
    cell: ({ kind, recordId, cycleId, nodeId }) => (
      <span className="ac-log__leads">
        {recordId ? (
          <Link to="/data-studio/entity/$entityId/record/$recordId" params={{ entityId: row.id, recordId }}>
            {t("logs.record")}
          </Link>
        ) : null}
        {kind === "record" && !recordId ? (
          <ReasonLink entityId={row.id} tab="quarantine" node={nodeId ?? undefined}>
            {t("logs.quarantine")}
          </ReasonLink>
        ) : null}
        {cycleId ? (
          <button type="button" onClick={() => onCycle(cycleId)}>
            {t("logs.cycle")}
          </button>
        ) : null}
      </span>
    ),
  },
];
