/** What a cycle counts on the edges and nodes of its graph, page by page, and what comes of it for the graph as a whole. */
import type { PathCounts } from "../graph/path-counts.ts";
import type { CycleCounts, FlowCounts } from "../protocol/protocol.ts";

type Numbers = { [id: string]: number };

const noPathCounts = (): PathCounts => ({ passed: {}, ended: {} });

const flowOf = (counts: CycleCounts): FlowCounts =>
  (counts.flow ??= { sources: noPathCounts(), sinks: {}, failed: {} });

function addAll(sums: Numbers, more: Numbers): void {
  for (const [id, records] of Object.entries(more)) sums[id] = (sums[id] ?? 0) + records;
}

function addPath(sums: PathCounts, more: PathCounts): void {
  addAll(sums.passed, more.passed);
  addAll(sums.ended, more.ended);
}

const hasAny = ({ passed, ended }: PathCounts): boolean => Object.keys(passed).length + Object.keys(ended).length > 0;

/** A page of a source got through. */
export function countSourcePath(counts: CycleCounts, path: PathCounts | undefined): void {
  if (path && hasAny(path)) addPath(flowOf(counts).sources, path);
}

/** A batch of a destination got through. */
export function countSinkPath(counts: CycleCounts, nodeId: string, path: PathCounts | undefined): void {
  if (!path || !hasAny(path)) return;
  const { sinks } = flowOf(counts);
  addPath((sinks[nodeId] ??= noPathCounts()), path);
}

/** Records were quarantined, at the node that each failed at. */
export function countFailed(
  counts: CycleCounts,
  entries: readonly { nodeId: string | null }[],
  otherwise: string,
): void {
  if (entries.length === 0) return;
  const { failed } = flowOf(counts);
  for (const { nodeId } of entries) {
    const at = nodeId ?? otherwise;
    failed[at] = (failed[at] ?? 0) + 1;
  }
}

/**
 * One number for each edge and node. Several sources add up; where ways to several destinations share an edge, the same
 * records pass it once for each, so that the largest number counts.
 */
export function wholeFlow({ sources, sinks, failed }: FlowCounts): PathCounts & { failed: Numbers } {
  const behindCore = noPathCounts();
  for (const { passed, ended } of Object.values(sinks)) {
    takeLarger(behindCore.passed, passed);
    takeLarger(behindCore.ended, ended);
  }
  const whole = noPathCounts();
  addPath(whole, sources);
  addPath(whole, behindCore);
  return { ...whole, failed };
}

function takeLarger(largest: Numbers, others: Numbers): void {
  for (const [id, records] of Object.entries(others)) largest[id] = Math.max(largest[id] ?? 0, records);
}
