/** Health of one source or destination, on its node and in the list. */
import { reasonsAt } from "@accord/sync-engine/lifecycle";
import { StatusTag } from "@accord/ui";
import { useParams } from "@tanstack/react-router";
import { useContext } from "react";
import { ReasonLink, reasonTone, useReasonText } from "../../../../shared/health.tsx";
import { HealthContext } from "./health-context.ts";

export function NodeHealth({ nodeId }: { nodeId: string }) {
  const textOf = useReasonText();
  const [worst] = reasonsAt(useContext(HealthContext), nodeId);
  const { entityId } = useParams({ strict: false });
  if (!worst) return null;
  const tag = (
    <StatusTag tone={reasonTone(worst)} title={String(worst.facts["reason"] ?? "")}>
      {textOf(worst)}
    </StatusTag>
  );
  if (!entityId) return tag;
  return (
    <span className="nodrag nopan">
      <ReasonLink entityId={entityId} tab={worst.tab} node={nodeId}>
        {tag}
      </ReasonLink>
    </span>
  );
}
