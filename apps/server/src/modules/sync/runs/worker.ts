/** Background work: takes pipelines that are due, runs their cycles side by side, and says what they are doing. */
import { randomUUID } from "node:crypto";
import { recordsChanged } from "@accord/contracts/data/records";
import { pipelineStatusChanged, resyncStatusUpdate } from "@accord/contracts/sync/runs";
import { type CycleSummary, RETRY_WINDOW, type Run, type RunStart } from "@accord/sync-engine/run";
import type { Deps } from "../../../platform/deps.ts";
import { runCycle } from "./cycle.ts";
import { type DatabaseTime, databaseTime } from "./database-time.ts";
import { hasDone, summaryOfNone, total } from "./cycle-summaries.ts";
import { freshReplays } from "./fresh-replays.ts";
import { newsOf } from "./news.ts";
import { NotReady, type PipelinePlans, type ReadyPipeline, type RunsNeeds } from "./plans.ts";
import type { Acquired } from "./pipeline-rows.store.ts";
import type { ScheduleStore } from "./schedule.store.ts";
import { type CycleTurns, isDue, nextTurnIn } from "./source-turns.ts";
import { syncState } from "./sync-state.ts";
import { listenForWork } from "./wake.store.ts";

const POLL_MS = 1_000;
const AT_ONCE = 4;
const ANNOUNCE_MS = 400;
/** How far a resync is, is written down every few seconds. */
const RESYNC_NEWS_MS = 2_000;
/** A pipeline that can't run as things are is looked at again after this. */
const NOT_READY_MS = 60_000;

export interface WorkerParts {
  deps: Pick<Deps, "clock" | "newId" | "log" | "realtime" | "dataPool">;
  needs: RunsNeeds;
  schedule: ScheduleStore;
  plans: PipelinePlans;
}

/** Starts working; answers how to stop, which waits for pages under way to end or be dropped. */
export async function startWorker(parts: WorkerParts): Promise<() => Promise<void>> {
  const worker = new Worker(parts);
  await worker.start();
  return () => worker.stop();
}

/** A cycle that came to its end. */
interface Ended {
  acquired: Acquired;
  pipeline: ReadyPipeline;
  summary: CycleSummary;
  turns: CycleTurns;
  time: DatabaseTime;
}

class Worker {
  readonly #parts: WorkerParts;
  readonly #owner = randomUUID();
  /** Cycles with their pipelines. One that has given its lease back may wind down beside the next one of its pipeline. */
  readonly #running = new Map<Promise<void>, string>();
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #mustLook = false;
  #stopListening: () => Promise<void> = async () => {};

  constructor(parts: WorkerParts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    this.#stopListening = await listenForWork(this.#parts.deps.dataPool, this.#parts.deps.log, () => void this.#look());
    this.#timer = setInterval(() => void this.#look(), POLL_MS);
    void this.#look();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort();
    await this.#stopListening();
    await Promise.allSettled(this.#running.keys());
  }

  /** Takes what is due while there is room. One look at a time; a call meanwhile makes it look once more. */
  async #look(): Promise<void> {
    this.#mustLook = true;
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      while (this.#mustLook && !this.#stopping.signal.aborted) {
        this.#mustLook = false;
        while (this.#running.size < AT_ONCE) {
          const acquired = await this.#parts.schedule.acquire(this.#owner, [...this.#running.values()]);
          if (!acquired) break;
          this.#begin(acquired);
        }
      }
    } catch (error) {
      this.#parts.deps.log.warn({ err: error }, "looking for due pipelines failed");
    } finally {
      this.#isLooking = false;
    }
  }

  #begin(acquired: Acquired): void {
    const key = `${acquired.instanceId}/${acquired.pipelineId}`;
    const work = this.#work(acquired, databaseTime(acquired.acquiredAt, this.#parts.deps.clock))
      .catch((error: unknown) => this.#parts.deps.log.error({ err: error, ...named(acquired) }, "a cycle failed"))
      .finally(() => {
        this.#running.delete(work);
        if (!this.#stopping.signal.aborted) void this.#look();
      });
    this.#running.set(work, key);
  }

  async #work(acquired: Acquired, time: DatabaseTime): Promise<void> {
    const { schedule, plans } = this.#parts;
    const at = acquired.instanceId;
    try {
      const pipeline = await plans.load(at, acquired.pipelineId);
      await this.#cycle(acquired, pipeline, time);
    } catch (error) {
      if (!(error instanceof NotReady)) throw error;
      await schedule.finish(
        { ...acquired, versionNumber: acquired.versionNumber },
        summaryOfNone(error.message, acquired.failures),
        {
          dueInMs: NOT_READY_MS,
          isResync: false,
          error: null,
          isWorthKeeping: false,
        },
      );
      await this.#announce(acquired);
    }
  }

  async #cycle(acquired: Acquired, pipeline: ReadyPipeline, time: DatabaseTime): Promise<void> {
    const { deps, needs, schedule } = this.#parts;
    const { isReadAll } = acquired;
    // What is to be told again is told only where it was read again.
    const wasPoked = acquired.wasPoked || (acquired.lastCycle?.nextAt ?? null) !== null;
    const turns: CycleTurns = {
      positions: await schedule.positions(acquired.instanceId, acquired.pipelineId),
      now: time(),
      publishedAt: Date.parse(pipeline.publishedAt),
      wasPoked,
      isReadAll,
    };
    const start = await this.#start(acquired, pipeline, turns);
    const isResync = start.resync !== null;
    if (start.resync) {
      const { nodeIds } = start.resync;
      const chosen = pipeline.plan.sources.filter(({ nodeId }) => nodeIds.includes(nodeId));
      await schedule.beginResync(
        acquired,
        chosen.map(({ place }) => place.id),
      );
    }
    const announcer = this.#announcer(acquired, pipeline, isResync);
    const summary = await runCycle({
      deps,
      needs,
      schedule,
      pipeline,
      acquired,
      time,
      start,
      onProgress: announcer.progress,
      onCommitted: announcer.committed,
      signal: this.#stopping.signal,
    });
    announcer.stop();
    if (summary && summary.outcome !== "lost") await this.#finish({ acquired, pipeline, summary, turns, time });
    await announcer.flush();
  }

  /** Which sources have their turn. A resync alternates with normal cycles so that live changes go on. */
  async #start(acquired: Acquired, pipeline: ReadyPipeline, turns: CycleTurns): Promise<RunStart> {
    const { schedule, needs } = this.#parts;
    const kept = await schedule.replays(acquired.instanceId, acquired.pipelineId);
    const replays = await freshReplays(needs, acquired.instanceId, pipeline, kept);
    const resync = acquired.resync && acquired.isResyncTurn ? acquired.resync : null;
    return {
      cycleId: String(acquired.cycleNumber),
      epoch: acquired.epoch,
      sources: pipeline.plan.sources.map((source) => {
        const position = turns.positions.get(source.nodeId);
        const replay = replays.get(source.place.id) ?? [];
        return {
          nodeId: source.nodeId,
          cursor: position?.cursor ?? null,
          isThrough: position?.isThrough === true,
          since: pipeline.publishedAt,
          due: replay.length > 0 || isDue(source, turns),
          replay,
        };
      }),
      resync,
      failures: acquired.failures,
    };
  }

  async #finish({ acquired, pipeline, summary, turns, time }: Ended): Promise<void> {
    const { needs, schedule } = this.#parts;
    const now = time();
    const shortest = nextTurnIn(pipeline.plan.sources, turns, now);
    const isGoingOn = acquired.resync !== null && !summary.resync?.done && summary.outcome === "finished";
    const own = summary.nextAt === null ? shortest : Math.min(shortest, Math.max(0, summary.nextAt - now));
    const tooLong = Object.values(summary.failures).some(({ since }) => now - since > RETRY_WINDOW);
    const flood = summary.problems.find(({ code }) => code === "too_many_failures");
    const worst = flood ?? (tooLong ? summary.problems.find(({ severity }) => severity === "error") : undefined);
    await schedule.finish({ ...acquired, versionNumber: pipeline.plan.versionNumber }, summary, {
      dueInMs: isGoingOn || summary.resync?.done ? 0 : Number.isFinite(own) ? own : 60_000,
      isResync: summary.resync !== null,
      error: worst ? { message: worst.message, detail: worst.detail } : null,
      isWorthKeeping: summary.resync !== null || hasDone(summary),
    });
    await this.#tell({ acquired, pipeline, summary, turns, time }, worst ?? null);
    if (!summary.problems.some(({ severity }) => severity === "error")) {
      for (const connectorId of pipeline.connectors.keys()) {
        const facts = pipeline.connectors.get(connectorId);
        if (facts?.status === "ERROR") await needs.connectors.reportWorking(acquired.instanceId, connectorId);
      }
    }
  }

  /** Being told is no part of the cycle: where it fails, the cycle has ended all the same. */
  async #tell({ acquired, pipeline, summary }: Ended, stopped: { message: string } | null): Promise<void> {
    const { deps, needs } = this.#parts;
    const { cycleNumber } = acquired;
    const instanceId = acquired.instanceId;
    try {
      const news = newsOf({ instanceId, entity: pipeline.entity, cycleNumber, summary, stopped });
      for (const told of news) await needs.tell(told);
    } catch (error) {
      deps.log.warn({ err: error, ...named(acquired) }, "people were not told of a cycle");
    }
  }

  async #announce(acquired: Acquired): Promise<void> {
    const row = await this.#parts.schedule.find(acquired.instanceId, acquired.pipelineId);
    if (!row) return;
    const { status, currentActivity } = syncState(row);
    await this.#parts.deps.realtime.publish(acquired.instanceId, pipelineStatusChanged, {
      entityId: row.pipelineId,
      syncStatus: status,
      currentActivity,
      read: 0,
      changed: 0,
      delivered: 0,
    });
  }

  /** Tells open screens what goes on, at most a few times a second, and the last word for sure. */
  #announcer(acquired: Acquired, pipeline: ReadyPipeline, isResync: boolean) {
    const { clock, realtime, log } = this.#parts.deps;
    const at = acquired.instanceId;
    const entityId = pipeline.entity.id;
    let changed = 0;
    let last: { run: Run; activity: string } | null = null;
    let resyncToldAt = -Infinity;
    const tell = async (): Promise<void> => {
      const news = last;
      last = null;
      const count = changed;
      changed = 0;
      if (news) {
        const { created, updated, deleted, read, delivered } = news.run.counts;
        await realtime.publish(at, pipelineStatusChanged, {
          entityId,
          syncStatus: isResync ? "RESYNCING" : "RUNNING",
          currentActivity: news.activity,
          read: total(read),
          changed: created + updated + deleted,
          delivered: total(delivered),
        });
      }
      if (count > 0) await realtime.publish(at, recordsChanged, { entityId, count });
      if (isResync && clock.monotonicMs() - resyncToldAt > RESYNC_NEWS_MS) await tellResync();
    };
    const tellResync = async (): Promise<void> => {
      resyncToldAt = clock.monotonicMs();
      const row = await this.#parts.schedule.find(at, acquired.pipelineId);
      const resync = row ? syncState(row).resync : null;
      await realtime.publish(at, resyncStatusUpdate, { entityId, resync });
    };
    const failed = (error: unknown): void => log.warn({ err: error }, "a status message was not sent");
    const timer = setInterval(() => void tell().catch(failed), ANNOUNCE_MS);
    return {
      progress: (run: Run, activity: string): void => void (last = { run, activity }),
      committed: (count: number): void => void (changed += count),
      stop: (): void => clearInterval(timer),
      flush: async (): Promise<void> => {
        last = null;
        await tell().catch(failed);
        await this.#announce(acquired).catch(failed);
        if (isResync) await tellResync().catch(failed);
      },
    };
  }
}

const named = ({ instanceId, pipelineId }: Acquired): object => ({ instanceId, pipelineId });
