/** What the graph shows of a cycle's counts: on each node what became of records there, on each edge how many passed. Pure. */
import type { PipelineFlowCounts } from "@accord/contracts/sync/monitoring/flow";
import type { GraphEdge, GraphNode } from "@accord/contracts/sync/graph";
import type { NodeKind } from "../canvas/canvas.model.ts";

export type Outcome = "read" | "notPassedOn" | "changed" | "written" | "ended" | "failed";

type LeavingEdge = Pick<GraphEdge, "id" | "source">;

export interface NodeCount {
  outcome: Outcome;
  records: number;
}

/** Nothing where nothing happened; failures last, where they are looked for. */
export function countsAt(
  counts: PipelineFlowCounts,
  node: Pick<GraphNode, "id">,
  kind: NodeKind,
  edges: readonly LeavingEdge[],
): NodeCount[] {
  const all: NodeCount[] = [
    { outcome: "read", records: kind === "source" ? (counts.read[node.id] ?? 0) : 0 },
    { outcome: "notPassedOn", records: kind === "source" ? notPassedOn(counts, node.id, edges) : 0 },
    { outcome: "changed", records: kind === "core" ? counts.changed : 0 },
    { outcome: "written", records: kind === "sink" ? (counts.written[node.id] ?? 0) : 0 },
    { outcome: "ended", records: counts.ended[node.id] ?? 0 },
    { outcome: "failed", records: counts.failed[node.id] ?? 0 },
  ];
  return all.filter(({ records }) => records > 0);
}

/** What was read less what left the source, stopped there or failed: records as they were last seen or written. */
function notPassedOn(counts: PipelineFlowCounts, nodeId: string, edges: readonly LeavingEdge[]): number {
  const left = edges.filter(({ source }) => source.nodeId === nodeId).map(({ id }) => counts.passed[id] ?? 0);
  const others = (counts.ended[nodeId] ?? 0) + (counts.failed[nodeId] ?? 0);
  // Records of quarantine that are tried again pass without being read.
  return Math.max(0, (counts.read[nodeId] ?? 0) - Math.max(0, ...left) - others);
}

/** Counts of a cycle that runs stand for what is shown once a record has passed: cycles that find nothing are many. */
export const isTelling = ({ passed, failed }: PipelineFlowCounts): boolean =>
  Object.keys(passed).length + Object.keys(failed).length > 0;
