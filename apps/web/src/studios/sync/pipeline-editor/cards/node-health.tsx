/** Health of one source or destination, on its node and in the list, and of the nodes of a collapsed group. */
import type { HealthReason } from "@accord/contracts/sync/monitoring/health";
import { reasonsAt } from "@accord/sync-engine/lifecycle";
import { StatusTag } from "@accord/ui";
import { useParams } from "@tanstack/react-router";
import { useContext } from "react";
import { ReasonLink, reasonTone, useReasonText } from "../../../../shared/health.tsx";
import { HealthContext } from "./health-context.ts";

export const NodeHealth = ({ nodeId }: { nodeId: string }) => <HealthOf nodeIds={[nodeId]} />;

/** The worst that is known of any of them, leading to where it is shown. */
export function HealthOf({ nodeIds }: { nodeIds: readonly string[] }) {
  const health = useContext(HealthContext);
  const reasons = nodeIds.flatMap((nodeId) => reasonsAt(health, nodeId));
  const worst = reasons.find((reason) => reasonTone(reason) === "error") ?? reasons[0];
  return worst ? <Worst worst={worst} /> : null;
}

/** On its own: of a thousand nodes few have a reason, and the others watch no address. */
function Worst({ worst }: { worst: HealthReason }) {
  const textOf = useReasonText();
  const { entityId } = useParams({ strict: false });
  const tag = (
    <StatusTag tone={reasonTone(worst)} title={String(worst.facts["reason"] ?? "")}>
      {textOf(worst)}
    </StatusTag>
  );
  if (!entityId) return tag;
  return (
    <span className="nodrag nopan">
      <ReasonLink entityId={entityId} tab={worst.tab} node={worst.nodeId ?? undefined}>
        {tag}
      </ReasonLink>
    </span>
  );
}
