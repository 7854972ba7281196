/** A record's way through the graph: what each node changed, and whether it leads to the core or the destination. Pure. */
import type { Graph } from "@accord/contracts/sync/graph";
import { takesEdge } from "@accord/sync-engine/functions";
import { upstreamOf } from "@accord/sync-engine/graph";
import type { LedgerEntry, TraceStep } from "@accord/sync-engine/run";

type Left = Pick<TraceStep, "nodeId" | "route" | "failure">;

export const coreOf = (graph: Graph): string =>
  graph.nodes.find(({ nodeType }) => nodeType === "CORE_ENTITY")?.id ?? "";

export function changesAt({ before, after }: Pick<TraceStep, "before" | "after">): LedgerEntry["changes"] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries(
    [...fields]
      .filter((field) => before[field] !== after[field])
      .map((field) => [field, [before[field] ?? null, after[field] ?? null]]),
  );
}

/** Whether no connection that the record takes out of this node leads on to the goal. */
export function endsAt(graph: Graph, { nodeId, route, failure }: Left, goal: string): boolean {
  if (route === null || failure) return true;
  const towards = upstreamOf(graph, goal);
  return !graph.edges.some(
    ({ source, destination, edgeType }) =>
      source.nodeId === nodeId && takesEdge(route, edgeType) && towards.has(destination.nodeId),
  );
}

/** Whether the record came to the destination: straight from the core, or by a node that sent it there. */
export function arrivesAt(graph: Graph, steps: readonly Left[], sinkId: string): boolean {
  const core = coreOf(graph);
  return graph.edges.some(
    ({ source, destination, edgeType }) =>
      destination.nodeId === sinkId &&
      (source.nodeId === core ||
        steps.some(
          ({ nodeId, route, failure }) =>
            nodeId === source.nodeId && route !== null && !failure && takesEdge(route, edgeType),
        )),
  );
}
