/** How an action ended the last time that a pipeline performed it, with its reason; it leads to that pipeline's problems. */
import { RelativeTime, StatusTag } from "@accord/ui";
import type { LastActionResult } from "@accord/contracts/sync/custom-action-checks";
import { Link } from "@tanstack/react-router";
import { useWords } from "../../../../app/words.ts";

const TONE = { DUE: "idle", BEGUN: "info", DONE: "ok", FAILED: "error", UNKNOWN: "warn" } as const;

export function LastResult({ result }: { result: LastActionResult | null }) {
  const { t } = useWords("customActions");
  if (!result) return <span className="ac-quiet">{t("list.never")}</span>;
  const tag = (
    <StatusTag plain tone={TONE[result.state]} {...(result.message ? { title: result.message } : {})}>
      {t(`state.${result.state}`)}
    </StatusTag>
  );
  const isFailed = result.state === "FAILED" || result.state === "UNKNOWN";
  return (
    <span className="ac-action-result">
      {isFailed ? (
        <Link
          to="/sync-studio/entity/$entityId/pipeline/$graphVersion/pipeline-error"
          params={{ entityId: result.entityId, graphVersion: "published" }}
          title={result.message ?? undefined}
        >
          {tag}
        </Link>
      ) : (
        tag
      )}
      <RelativeTime at={result.endedAt} />
    </span>
  );
}
