/** Use case of what flows through a published graph: counts of the last cycle in which records passed. */
import type { PipelineFlowCounts } from "@accord/contracts/sync/monitoring/flow";
import { type CycleCounts, wholeFlow } from "@accord/sync-engine/run";
import type { Caller } from "../../../../platform/ctx.ts";
import { type EntityId, requirePublishedPipeline, type ServiceContext } from "../published-pipelines.ts";
import { nodeNames, toCycle } from "./run-history.ts";

/** For the graph as a whole; null where the cycle was run by a version of the product that counted no edges. */
export function toFlowCounts(
  { read, created, updated, deleted, delivered, flow }: CycleCounts,
  nodeOf: (placeId: string) => string | undefined,
): PipelineFlowCounts | null {
  if (!flow) return null;
  const written = Object.entries(delivered).flatMap(([placeId, records]): [string, number][] => {
    const nodeId = nodeOf(placeId);
    return nodeId === undefined || records === 0 ? [] : [[nodeId, records]];
  });
  return { read, changed: created + updated + deleted, written: Object.fromEntries(written), ...wholeFlow(flow) };
}

export function pipelineFlow(parts: ServiceContext) {
  return {
    async flow({ instanceId }: Caller, entityId: EntityId) {
      const { versionNumber } = await requirePublishedPipeline(parts, instanceId, entityId);
      const row = await parts.store.lastFlow(instanceId, entityId, versionNumber);
      if (!row) return { versionNumber, cycle: null };
      const names = await nodeNames(parts, instanceId, entityId);
      const counts = toFlowCounts(row.counts, (placeId) => names.get(placeId));
      if (!counts) return { versionNumber, cycle: null };
      const { id, kind, startedAt, finishedAt, outcome } = toCycle(row, names);
      return { versionNumber, cycle: { id, kind, startedAt, finishedAt, outcome, counts } };
    },
  };
}
