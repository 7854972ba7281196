/** Tells open screens what a cycle does, at most a few times a second, and how it ended. */
import { recordsChanged } from "@accord/contracts/data/records";
import { pipelineStatusChanged, resyncStatusUpdate } from "@accord/contracts/sync/monitoring/runs";
import { flowCounted } from "@accord/contracts/sync/monitoring/flow";
import type { Run } from "@accord/sync-engine/run";
import type { Deps } from "../../../../platform/deps.ts";
import { total } from "./cycle-summaries.ts";
import type { Acquired } from "../schedule/pipeline-rows.store.ts";
import type { ScheduleStore } from "../schedule/schedule.store.ts";
import { toFlowCounts } from "../monitoring/pipeline-flow.ts";
import { syncState } from "../monitoring/sync-state.ts";

const ANNOUNCE_MS = 400;
/** Counts on edges grow that often; what a message can't hold is read when the cycle has ended. */
const FLOW_MS = 1_000;
const MAX_FLOW_BYTES = 7_000;
/** How far a resync is, is written down every few seconds. */
const RESYNC_NEWS_MS = 2_000;

export interface AnnouncerParts {
  deps: Pick<Deps, "clock" | "log" | "realtime">;
  schedule: Pick<ScheduleStore, "find">;
}

export interface CycleAnnouncer {
  progress(run: Run, activity: string): void;
  committed(count: number): void;
  stop(): void;
  /** Says what is left to say, and that the cycle is over. */
  flush(): Promise<void>;
}

/** What a pipeline does while no cycle runs. */
export async function announceState({ deps, schedule }: AnnouncerParts, acquired: Acquired): Promise<void> {
  const row = await schedule.find(acquired.instanceId, acquired.pipelineId);
  if (!row) return;
  const { status, currentActivity } = syncState(row);
  await deps.realtime.publish(acquired.instanceId, pipelineStatusChanged, {
    entityId: row.pipelineId,
    syncStatus: status,
    currentActivity,
    read: 0,
    changed: 0,
    delivered: 0,
  });
}

/** What the announcer knows of the graph that runs. */
interface Announced {
  isResync: boolean;
  /** Node ids of destinations, by place number. */
  sinks: ReadonlyMap<number, string>;
}

export function cycleAnnouncer(
  parts: AnnouncerParts,
  acquired: Acquired,
  { isResync, sinks }: Announced,
): CycleAnnouncer {
  const { clock, realtime, log } = parts.deps;
  const { instanceId, pipelineId: entityId } = acquired;
  let changed = 0;
  let last: { run: Run; activity: string } | null = null;
  let resyncToldAt = -Infinity;
  let flowSentAt = -Infinity;
  const tell = async (): Promise<void> => {
    const news = last;
    last = null;
    const count = changed;
    changed = 0;
    if (news) {
      const { created, updated, deleted, read, delivered } = news.run.counts;
      await realtime.publish(instanceId, pipelineStatusChanged, {
        entityId,
        syncStatus: isResync ? "RESYNCING" : "RUNNING",
        currentActivity: news.activity,
        read: total(read),
        changed: created + updated + deleted,
        delivered: total(delivered),
      });
      if (clock.monotonicMs() - flowSentAt > FLOW_MS) await notifyFlow(news.run);
    }
    if (count > 0) await realtime.publish(instanceId, recordsChanged, { entityId, count });
    if (isResync && clock.monotonicMs() - resyncToldAt > RESYNC_NEWS_MS) await notifyResync();
  };
  const notifyResync = async (): Promise<void> => {
    resyncToldAt = clock.monotonicMs();
    const row = await parts.schedule.find(instanceId, entityId);
    const resync = row ? syncState(row).resync : null;
    await realtime.publish(instanceId, resyncStatusUpdate, { entityId, resync });
  };
  const notifyFlow = async ({ counts }: Run): Promise<void> => {
    flowSentAt = clock.monotonicMs();
    const flow = toFlowCounts(counts, (placeId) => sinks.get(Number(placeId)));
    if (!flow || Buffer.byteLength(JSON.stringify(flow)) > MAX_FLOW_BYTES) return;
    const { versionNumber } = acquired;
    await realtime.publish(instanceId, flowCounted, { entityId, versionNumber, counts: flow });
  };
  const failed = (error: unknown): void => log.warn({ err: error }, "a status message was not sent");
  const timer = setInterval(() => void tell().catch(failed), ANNOUNCE_MS);
  return {
    progress: (run, activity) => void (last = { run, activity }),
    committed: (count) => void (changed += count),
    stop: () => clearInterval(timer),
    async flush() {
      last = null;
      await tell().catch(failed);
      await announceState(parts, acquired).catch(failed);
      if (isResync) await notifyResync().catch(failed);
    },
  };
}
