/** A worker inside the test's own process, on the sync world or other needs: for stories about what it takes up, and when. */
import { onTestFinished } from "vitest";
import { deletionDetectionStore } from "../../src/modules/sync/runs/deletions/deletion-detection.store.ts";
import { pipelinePlans, type RunsDependencies } from "../../src/modules/sync/runs/worker/plans.ts";
import { replicationSlotsStore } from "../../src/modules/sync/runs/monitoring/replication-slots.store.ts";
import type { ScheduleStore } from "../../src/modules/sync/runs/schedule/schedule.store.ts";
import { startWorker, type WorkerContext } from "../../src/modules/sync/runs/worker/worker.ts";
import { systemClock } from "../../src/platform/clock.ts";
import type { Pool } from "../../src/platform/db/db.ts";
import { makeNewId } from "../../src/platform/ids.ts";
import { makeLog } from "../../src/platform/log/log.ts";
import { testSecrets } from "../test-secrets.ts";

const NOBODY_LISTENS = { publish: async () => {}, publishToUser: async () => {}, disconnect: async () => {} };

/** Works until the test ends. */
export async function runWorker(
  pool: Pool,
  { needs, schedule }: { needs: RunsDependencies; schedule: ScheduleStore },
  realtime: WorkerContext["deps"]["realtime"] = NOBODY_LISTENS,
): Promise<void> {
  const log = makeLog({ logLevel: "silent" });
  const newId = makeNewId(systemClock);
  const deps = { clock: systemClock, newId, log, dataPool: pool, realtime, secrets: testSecrets };
  const followUps = {
    newReader: replicationSlotsStore(pool).expected,
    missedDeletes: deletionDetectionStore(pool).hurryPlace,
  };
  const plans = pipelinePlans(deps, needs, schedule);
  onTestFinished(await startWorker({ deps, needs, schedule, plans, followUps }));
}
