/** One cycle of the sync world's pipeline, run here and now: for tests that look at what single cycles do. */
import type { CycleSummary } from "@accord/sync-engine/run";
import type { RunsDependencies } from "../../src/modules/sync/runs/index.ts";
import { runCycle } from "../../src/modules/sync/runs/worker/cycle.ts";
import { LEASE_MS } from "../../src/modules/sync/runs/storage/lease-guard.store.ts";
import { databaseTime } from "../../src/modules/sync/runs/schedule/database-time.ts";
import { pipelinePlans } from "../../src/modules/sync/runs/worker/plans.ts";
import { scheduleStore } from "../../src/modules/sync/runs/schedule/schedule.store.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { LeaseDeadline, readClocks } from "../../src/platform/lease-deadline.ts";
import type { Pool } from "../../src/platform/db/db.ts";
import type { Deps } from "../../src/platform/deps.ts";
import { ENTITY, INSTANCE } from "./sync-world.ts";
import { testSecrets } from "../test-secrets.ts";

export interface CycleWorld extends Pick<Deps, "log" | "newId"> {
  pool: Pool;
  needs: RunsDependencies;
}

/** Reads every source from its last checkpoint, so that pages which changed nothing come again. Throws when the pipeline is held by somebody else. */
export async function runOneCycle({ pool, needs, log, newId }: CycleWorld): Promise<CycleSummary> {
  const schedule = scheduleStore(pool);
  await schedule.requestCycle(INSTANCE, ENTITY);
  const acquired = await schedule.acquire("test", []);
  if (!acquired) throw new Error("the pipeline is not free");
  const pipeline = await pipelinePlans({ dataPool: pool, secrets: testSecrets }, needs, schedule).load(
    INSTANCE,
    ENTITY,
  );
  const { positions, replays } = await schedule.beginning(INSTANCE, ENTITY);
  const time = databaseTime(acquired.acquiredAt, systemClock);
  // What waits to be taken up was asked for by whatever left it, just now.
  const replayReadAt = time();
  const summary = await runCycle({
    deps: { clock: systemClock, newId, log },
    needs,
    schedule,
    pipeline,
    acquired,
    lease: new LeaseDeadline(systemClock, LEASE_MS, readClocks(systemClock)),
    time,
    start: {
      cycleId: String(acquired.cycleNumber),
      epoch: acquired.epoch,
      sources: pipeline.plan.sources.map(({ nodeId, place, canGetById }) => ({
        nodeId,
        cursor: positions.get(nodeId)?.cursor ?? null,
        isComplete: positions.get(nodeId)?.isComplete === true,
        knownUntil: positions.get(nodeId)?.knownUntil ?? null,
        since: null,
        due: true,
        replay: replays.get(place.id) ?? [],
        ...(canGetById ? { replayReadAt } : {}),
      })),
      resync: null,
      failures: {},
    },
    onProgress: () => {},
    onCommitted: () => {},
    signal: new AbortController().signal,
  });
  await pool.query("UPDATE sync_pipeline SET owner = NULL, lease_until = NULL");
  if (!summary) throw new Error("the cycle broke off");
  return summary;
}

/** Cycles until two in a row had nothing to do. Throws when one fails or there is no end to them. */
export async function untilIdle(world: CycleWorld): Promise<CycleSummary[]> {
  const summaries: CycleSummary[] = [];
  for (let quiet = 0; quiet < 2;) {
    const summary = await runOneCycle(world);
    summaries.push(summary);
    const { created, updated, deleted, delivered } = summary.counts;
    const done = created + updated + deleted + Object.values(delivered).reduce((sum, count) => sum + count, 0);
    quiet = done === 0 ? quiet + 1 : 0;
    if (summary.outcome !== "finished" || summaries.length > 20) {
      throw new Error(`did not come to rest: ${JSON.stringify(summary)}`);
    }
  }
  return summaries;
}
