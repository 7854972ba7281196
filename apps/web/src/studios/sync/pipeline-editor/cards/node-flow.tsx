/** What became of records at one node in the cycle that is counted, on its card and in the list; each count leads to what it counts. */
import type { GraphNode } from "@accord/contracts/sync/graph";
import { StatusTag, type Tone } from "@accord/ui";
import { useParams } from "@tanstack/react-router";
import { ReasonLink } from "../../../../shared/health.tsx";
import { useWords } from "../../../../app/words.ts";
import { nodeKind } from "../canvas/canvas.model.ts";
import { useEditor } from "../editor-context.tsx";
import { useShownFlow } from "../flow/flow-context.tsx";
import { countsAt, type NodeCount, type Outcome } from "../flow/flow-counts.model.ts";

const TONES: Record<Outcome, Tone> = {
  read: "info",
  notPassedOn: "idle",
  changed: "ok",
  written: "ok",
  ended: "idle",
  failed: "error",
};

export function NodeFlow({ node }: { node: GraphNode }) {
  const flow = useShownFlow();
  const counts = flow?.counts;
  const edges = useEditor((state) => state.graph.edges);
  const shown = counts ? countsAt(counts, node, nodeKind(node), edges) : [];
  if (shown.length === 0) return null;
  return (
    <span className="ac-node-flow nodrag nopan">
      {shown.map((count) => (
        <Count key={count.outcome} count={count} nodeId={node.id} cycle={flow?.cycle} />
      ))}
    </span>
  );
}

interface CountProps {
  count: NodeCount;
  nodeId: string;
  cycle: string | undefined;
}

/** To the records in quarantine at the node, or to the cycle with what it read and changed. */
function Count({ count: { outcome, records }, nodeId, cycle }: CountProps) {
  const { t } = useWords("sync");
  const { entityId } = useParams({ strict: false });
  const isFailed = outcome === "failed";
  const tag = (
    <StatusTag tone={TONES[outcome]}>{t(`flow.${outcome}`, { shown: records.toLocaleString("en-US") })}</StatusTag>
  );
  if (!entityId) return tag;
  const hint = t(isFailed ? "flow.toQuarantine" : "flow.toCycle", { hint: t(`flow.${outcome}Hint`) });
  const where = isFailed ? { tab: "quarantine" as const, node: nodeId } : { tab: "cycles" as const, cycle };
  return (
    <ReasonLink entityId={entityId} title={hint} {...where}>
      {tag}
    </ReasonLink>
  );
}
