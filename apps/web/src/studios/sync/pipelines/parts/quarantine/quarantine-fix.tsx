/** Where the cause of a quarantine entry is mended, as far as its code tells. */
import type { PipelineRow } from "@accord/contracts/sync/pipelines";
import type { QuarantineEntry } from "@accord/contracts/sync/monitoring/quarantine";
import { Link } from "@tanstack/react-router";
import { useWords } from "../../../../../app/words.ts";

/** Without a published version nothing is tried, and only a draft can be opened. */
export const hasPublished = ({ pipelineStatus }: Pick<PipelineRow, "pipelineStatus">): boolean =>
  pipelineStatus === "PUBLISHED" || pipelineStatus === "PUBLISHED_WITH_DRAFT";

export function QuarantineFix({ row, entry }: { row: PipelineRow; entry: QuarantineEntry }) {
  const { t } = useWords("sync");
  const { code, connectorId, direction, nodeId, recordId, status } = entry;
  if (status === "RESOLVED") return null;
  if (code === "already_linked" || code === "several_matches")
    return (
      <Link to="/sync-studio/details" search={{ panel: "activity", activity: row.id, tab: "merges" }}>
        {t("quarantine.fix_duplicates")}
      </Link>
    );
  if (code === "unreadable" || code === "field_missing")
    return (
      <Link to="/synapses/connections/$connectorId" params={{ connectorId }}>
        {t("quarantine.fix_connector")}
      </Link>
    );
  if (direction === "destination" && recordId)
    return (
      <Link to="/data-studio/entity/$entityId/record/$recordId" params={{ entityId: row.id, recordId }}>
        {t("quarantine.fix_record")}
      </Link>
    );
  if (!nodeId) return null;
  return (
    <Link
      to="/sync-studio/entity/$entityId/pipeline/$graphVersion"
      params={{ entityId: row.id, graphVersion: hasPublished(row) ? "published" : "draft" }}
      search={{ focusNodeId: nodeId }}
    >
      {t("quarantine.fix_node")}
    </Link>
  );
}
