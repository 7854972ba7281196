/** Use cases of running pipelines, each in a file of its own: states, control, resync, history, quarantine, changes by hand. */
import type { Caller } from "../../../platform/ctx.ts";
import type { PipelineRuns } from "../pipelines/index.ts";
import { asOf } from "./as-of.ts";
import { type ExplainParts, explanations } from "./explain.ts";
import { manualChanges } from "./manual-changes.ts";
import { manualMerges } from "./manual-merges.ts";
import { pipelineControl } from "./pipeline-control.ts";
import { pipelineStates } from "./pipeline-states.ts";
import type { PipelinePlans } from "./plans.ts";
import { type EntityId, type ServiceParts, sourceIds } from "./published-pipelines.ts";
import type { QuarantineStore } from "./quarantine.store.ts";
import { quarantines } from "./quarantine.ts";
import { newResync, resyncs } from "./resync.ts";
import { realtimeRuns } from "./realtime.ts";
import { resyncPreviews } from "./resync-preview.ts";
import { recordHistory, runHistory } from "./run-history.ts";
import { syncMetrics } from "./sync-metrics.ts";

export type RunsService = ReturnType<typeof runsService>;

export function runsService(parts: ServiceParts & ExplainParts & { plans: PipelinePlans; aside: QuarantineStore }) {
  const states = pipelineStates(parts);
  return {
    ...pipelineRuns(parts, states.all),
    ...manualChanges(parts),
    ...manualMerges(parts),
    ...recordHistory(parts),
    ...pipelineControl(parts, states),
    ...resyncs(parts, states),
    ...runHistory(parts),
    ...quarantines(parts),
    ...explanations(parts),
    ...asOf(parts, parts.known),
    ...resyncPreviews(parts),
    ...realtimeRuns(parts),
    ...syncMetrics(parts),
    stateOf: (ctx: Caller, entityId: EntityId) => states.one(ctx.instanceId, entityId),
    listStates: async (ctx: Caller) => ({ statuses: await states.all(ctx.instanceId) }),
  };
}

/** What publishing tells us. */
function pipelineRuns({ deps, needs, schedule }: ServiceParts, states: PipelineRuns["states"]): PipelineRuns {
  return {
    async published({ instanceId, entityId, versionId, bringInExisting }) {
      const version = await needs.pipelines.publishedVersion(instanceId, entityId);
      if (!version) return;
      const sources = sourceIds(version.graph.nodes);
      const resync = bringInExisting && sources.length > 0 ? newResync(deps, { scope: "all", nodeIds: sources }) : null;
      await schedule.publish({ instanceId, pipelineId: entityId, versionId, versionNumber: version.number }, resync);
    },
    unpublished: ({ instanceId, entityId }) => schedule.unpublish(instanceId, entityId),
    states,
  };
}
