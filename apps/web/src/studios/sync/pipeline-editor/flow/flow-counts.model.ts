/** What the graph shows of a cycle's counts: on each node what became of records there, on each edge how many passed. Pure. */
import type { PipelineFlowCounts } from "@accord/contracts/sync/monitoring/flow";
import type { GraphNode } from "@accord/contracts/sync/graph";
import type { NodeKind } from "../canvas/canvas.model.ts";

export type Outcome = "read" | "changed" | "written" | "ended" | "failed";

export interface NodeCount {
  outcome: Outcome;
  records: number;
}

/** Nothing where nothing happened; failures last, where they are looked for. */
export function countsAt(counts: PipelineFlowCounts, node: Pick<GraphNode, "id">, kind: NodeKind): NodeCount[] {
  const all: NodeCount[] = [
    { outcome: "read", records: kind === "source" ? (counts.read[node.id] ?? 0) : 0 },
    { outcome: "changed", records: kind === "core" ? counts.changed : 0 },
    { outcome: "written", records: kind === "sink" ? (counts.written[node.id] ?? 0) : 0 },
    { outcome: "ended", records: counts.ended[node.id] ?? 0 },
    { outcome: "failed", records: counts.failed[node.id] ?? 0 },
  ];
  return all.filter(({ records }) => records > 0);
}

/** Counts of a cycle that runs stand for what is shown once a record has passed: cycles that find nothing are many. */
export const isTelling = ({ passed, failed }: PipelineFlowCounts): boolean =>
  Object.keys(passed).length + Object.keys(failed).length > 0;
