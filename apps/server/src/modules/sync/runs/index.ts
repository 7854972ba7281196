/** Running pipelines: the module, and what the data studio and pipelines call. */
import type { Deps } from "../../../platform/deps.ts";
import type { Module } from "../../../platform/module.ts";
import { subscribeToChanges } from "./schedule/notifications/change-notifications.ts";
import { explainStore } from "./dry-run/explain.store.ts";
import { detectDeletions } from "./deletions/deletion-detection.ts";
import { deletionDetectionStore } from "./deletions/deletion-detection.store.ts";
import { type PipelinePlans, pipelinePlans, type RunsDependencies } from "./worker/plans.ts";
import { quarantineStore } from "./quarantine/quarantine.store.ts";
import { pipelineLogStore } from "./monitoring/log/pipeline-log.store.ts";
import { runsRoutes } from "./runs.routes.ts";
import { runsService, type RunsService } from "./runs.service.ts";
import { runsStore } from "./monitoring/runs.store.ts";
import { sealStoredValues } from "./secrets/seal-stored-values.store.ts";
import { watchSlots } from "./monitoring/replication-slots.ts";
import { replicationSlotsStore } from "./monitoring/replication-slots.store.ts";
import { type ScheduleStore, scheduleStore } from "./schedule/schedule.store.ts";
import { monitorStalledCycles } from "./schedule/stalled-cycles.ts";
import { standingProblemsStore } from "./monitoring/standing-problems.store.ts";
import { startWorker } from "./worker/worker.ts";

export { configurationMarks } from "./schedule/configuration-marks.store.ts";
export { numberEntity } from "./storage/entity-number.store.ts";
export type { DuplicateMerger } from "./edits/user-merges.ts";
export type { MergeRefusal } from "./edits/user-merges.store.ts";
export type { MovedLink } from "./storage/merge-storage.store.ts";
export { noteRepointed, type Repointed } from "./storage/pages/repoint-references.store.ts";
export { deletePipelineData } from "./schedule/delete-pipeline-data.store.ts";
export { isTooManyMissing } from "./deletions/deletion-detection.ts";
export { dryResults } from "./dry-run/dry-results.ts";
export { type DryPipeline, type DryPorts, dryRun, NOTHING_CLAIMED, singleRecordSource } from "./dry-run/dry-run.ts";
export {
  countDiffering,
  destinationMessage,
  destinationOutcome,
  type DryRunContext,
  dryRunSink,
  edgesTaken,
  nothingToRead,
  operationFor,
  schemaAt,
} from "./dry-run/explain-runs.ts";
export { arrivesAt } from "./dry-run/explain-paths.ts";
export { maskedLinks, StoredState } from "./dry-run/stored-state.ts";
export { type ChosenKey, type ChosenOrder, isQueryTimeout, storedStateStore } from "./dry-run/stored-state.store.ts";
export { compileTest, type TestNeeds, type TestPipeline } from "./dry-run/test-pipelines.ts";
export { secretNames, type TestGraphs, testSecrets } from "./dry-run/test-secrets.ts";
export { PipelineNotRunnable } from "./worker/pipeline-endpoints.ts";
export type { PipelinePlans, CompiledPipeline, RunsDependencies } from "./worker/plans.ts";
export { systemFailure } from "./worker/system-failure.ts";
export { type ScheduleStore, wakeSql } from "./schedule/schedule.store.ts";
export type { RunsService } from "./runs.service.ts";
export { cursors, type PageQuery } from "./keyset-paging.ts";
export { isStillUnfit } from "./monitoring/standing-problems.store.ts";
export { LIFE_OPERATIONS } from "./life-operations.ts";
export { inOrder } from "./monitoring/runs.store.ts";
export { fenceRun } from "./schedule/fence-run.store.ts";
export { readSingle } from "./worker/single-records.ts";
export { transferUncertain, RENEW_DELIVERY_SQL, enqueueSql } from "./storage/deliveries/enqueue-deliveries.store.ts";

export interface RunsModule extends Module {
  service: RunsService;
  /** For what looks at pipelines as they run. */
  plans: PipelinePlans;
  schedule: ScheduleStore;
}

export function runsModule(deps: Deps, needs: RunsDependencies): RunsModule {
  const schedule = scheduleStore(deps.dataPool);
  const plans = pipelinePlans(deps, needs, schedule);
  const store = runsStore(deps.dataPool, deps.dataReads);
  const known = explainStore(deps.dataPool);
  const quarantineEntries = quarantineStore(deps.dataPool, deps.dataReads);
  const missing = deletionDetectionStore(deps.dataPool);
  const slots = replicationSlotsStore(deps.dataPool);
  const standing = standingProblemsStore(deps.dataReads);
  const service = runsService({
    deps,
    needs,
    schedule,
    store,
    plans,
    known,
    quarantineEntries,
    log: pipelineLogStore(deps.dataReads),
    metricReads: deps.dataReads,
    missing,
    slots,
    standing,
  });
  return {
    name: "sync/runs",
    service,
    plans,
    schedule,
    routes: runsRoutes(service),
    start: () => sealStoredValues(deps.dataPool, deps.secrets, (at) => needs.schema.listEntities(at)),
    async startWorker() {
      const stopWatching = monitorStalledCycles(deps, schedule);
      const stopListening = await subscribeToChanges({ deps, needs, schedule });
      const { deletionDetectionMs, replicationSlotsMs } = deps.config.intervals;
      const stopLooking = detectDeletions({ deps, needs, schedule, store, missing }, deletionDetectionMs);
      const stopSlots = watchSlots({ deps, needs, schedule, slots }, replicationSlotsMs);
      const followUps = { newReader: slots.expected, missedDeletes: missing.hurryPlace };
      const stop = await startWorker({ deps, needs, schedule, plans, followUps });
      return async () => {
        stopWatching();
        await stopLooking();
        await stopSlots();
        await stopListening();
        await stop();
      };
    },
  };
}
