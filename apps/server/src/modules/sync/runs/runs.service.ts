/** Use cases of running pipelines, each in a file of its own: states, control, resync, history, quarantine, changes by hand. */
import type { Caller } from "../../../platform/ctx.ts";
import type { Pool } from "../../../platform/db/db.ts";
import type { PipelineRuns } from "../pipelines/index.ts";
import { asOf } from "./as-of.ts";
import { type ExplainParts, explanations } from "./dry-run/explain.ts";
import { userEdits } from "./edits/user-edits.ts";
import { userMerges } from "./edits/user-merges.ts";
import { pipelineControl } from "./pipeline-control.ts";
import { pipelineStates } from "./monitoring/pipeline-states.ts";
import type { PipelinePlans } from "./worker/plans.ts";
import { type EntityId, type ServiceContext, sourceIds } from "./published-pipelines.ts";
import type { QuarantineStore } from "./quarantine/quarantine.store.ts";
import { quarantines } from "./quarantine/quarantine.ts";
import { refusedValues } from "./refused-values.ts";
import { newResync, resyncs } from "./resync.ts";
import { realtimeRuns } from "./webhook-replies.ts";
import { resyncPreviews } from "./dry-run/resync-preview.ts";
import { edgeRecords } from "./dry-run/edge-records.ts";
import { pipelineFlow } from "./monitoring/pipeline-flow.ts";
import { pipelineLog } from "./monitoring/log/pipeline-log.ts";
import { metricHistory } from "./monitoring/metrics/metric-history.ts";
import type { PipelineLogStore } from "./monitoring/log/pipeline-log.store.ts";
import { recordHistory, runHistory } from "./monitoring/run-history.ts";
import { syncMetrics } from "./monitoring/metrics/sync-metrics.ts";
import { waitingDeliveries } from "./waiting-deliveries.ts";

export type RunsService = ReturnType<typeof runsService>;

export function runsService(
  parts: ServiceContext &
    ExplainParts & {
      plans: PipelinePlans;
      quarantineEntries: QuarantineStore;
      log: PipelineLogStore;
      metricReads: Pool;
    },
) {
  const states = pipelineStates(parts);
  const quarantine = quarantines(parts);
  return {
    ...pipelineRuns(parts, states.all),
    ...userEdits(parts),
    ...userMerges(parts),
    ...recordHistory(parts),
    ...pipelineControl(parts, states),
    ...resyncs(parts, states),
    ...runHistory(parts),
    ...quarantine,
    ...refusedValues(parts),
    ...waitingDeliveries(parts),
    ...explanations(parts),
    ...asOf(parts, parts.known),
    ...resyncPreviews(parts),
    ...realtimeRuns(parts),
    ...syncMetrics(parts),
    ...metricHistory(parts),
    ...pipelineFlow(parts),
    ...pipelineLog({ ...parts, ...quarantine }),
    ...edgeRecords(parts),
    stateOf: (ctx: Caller, entityId: EntityId) => states.one(ctx.instanceId, entityId),
    listStates: async (ctx: Caller) => ({ statuses: await states.all(ctx.instanceId) }),
  };
}

/** Milliseconds that publishing waits for its sources' first positions. */
const FIRST_POSITIONS_MS = 3_000;
const ASK_AGAIN_MS = 50;

/**
 * Waits until a worker has taken the position of each source: changes made once publishing has answered come after it.
 * Not for long: systems that are down, or that a timetable reads later, begin with what they can tell of themselves.
 */
async function historyBegins(
  store: Pick<ServiceContext["store"], "readTimes">,
  instanceId: string,
  pipelineId: string,
  sources: readonly string[],
): Promise<void> {
  for (let waited = 0; waited < FIRST_POSITIONS_MS; waited += ASK_AGAIN_MS) {
    const times = await store.readTimes(instanceId, pipelineId);
    if (sources.every((nodeId) => times.has(nodeId))) return;
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
  }
}

/** What publishing tells us. */
function pipelineRuns({ deps, needs, schedule, store }: ServiceContext, states: PipelineRuns["states"]): PipelineRuns {
  return {
    async published({ instanceId, entityId, versionId, bringInExisting }) {
      const version = await needs.pipelines.publishedVersion(instanceId, entityId);
      if (!version) return;
      const sources = sourceIds(version.graph.nodes);
      const resync = bringInExisting && sources.length > 0 ? newResync(deps, { scope: "all", nodeIds: sources }) : null;
      await schedule.publish({ instanceId, pipelineId: entityId, versionId, versionNumber: version.number }, resync);
      if (!resync) await historyBegins(store, instanceId, entityId, sources);
    },
    unpublished: ({ instanceId, entityId }) => schedule.unpublish(instanceId, entityId),
    states,
  };
}
