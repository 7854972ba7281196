/** Background work: takes pipelines that are due, runs their cycles side by side, and says what they are doing. */
import { randomUUID } from "node:crypto";
import { type CycleSlot, CycleSlots, type RunStart } from "@accord/sync-engine/run";
import type { Deps } from "../../../../platform/deps.ts";
import { LeaseDeadline, readClocks } from "../../../../platform/lease-deadline.ts";
import { runCycle } from "./cycle.ts";
import { abortCycle } from "./aborted-cycles.ts";
import { finishCycle, notifyCannotRun } from "./cycle-finish.ts";
import { announceState, cycleAnnouncer } from "./cycle-announcer.ts";
import { type DatabaseTime, databaseTime } from "../schedule/database-time.ts";
import { LEASE_MS } from "../storage/lease-guard.store.ts";
import { emptySummary, standingAfter } from "./cycle-summaries.ts";
import { backAgain, refreshReplays, type Replays } from "../schedule/refresh-replays.ts";
import { awaitsHistory, historyStarts, unreadOfResync } from "../schedule/history-start.ts";
import type { FollowUps } from "./calls/calls-context.ts";
import { PipelineNotRunnable } from "./pipeline-endpoints.ts";
import type { PipelinePlans, CompiledPipeline, RunsDependencies } from "./plans.ts";
import { withIdleEndpoints } from "./idle-endpoints.ts";
import type { Acquired } from "../schedule/pipeline-rows.store.ts";
import type { ScheduleStore } from "../schedule/schedule.store.ts";
import type { CycleBeginning } from "../schedule/cycle-starts.store.ts";
import { type ScheduleContext, isDue } from "../schedule/source-schedule.ts";
import { listenForWork } from "../schedule/notifications/work-listener.store.ts";

const POLL_MS = 1_000;
/** A pipeline that can't run as things are is looked at again after this. */
const NOT_READY_MS = 60_000;

export interface WorkerContext {
  deps: Pick<Deps, "clock" | "newId" | "log" | "realtime" | "dataPool">;
  needs: RunsDependencies;
  schedule: ScheduleStore;
  plans: PipelinePlans;
  followUps: FollowUps;
}

/** Starts working; answers how to stop, which waits for pages under way to end or be dropped. */
export async function startWorker(parts: WorkerContext): Promise<() => Promise<void>> {
  const worker = new Worker(parts);
  await worker.start();
  return () => worker.stop();
}

/** A pipeline this worker holds, for one cycle. */
interface Held {
  acquired: Acquired;
  lease: LeaseDeadline;
  time: DatabaseTime;
  slot: CycleSlot;
}

interface Beginning {
  pipeline: CompiledPipeline;
  positions: ScheduleContext["positions"];
  /** Of `positions`. */
  now: number;
  replays: Replays;
  quiet: ReadonlySet<number>;
  lostFields: CycleBeginning["lostFields"];
}

class Worker {
  readonly #parts: WorkerContext;
  readonly #owner = randomUUID();
  /** Cycles under way. One that has given its lease back may wind down beside the next one of its pipeline. */
  readonly #running = new Set<Promise<void>>();
  readonly #slots: CycleSlots;
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  /** Looks again once a cycle under way only waits. */
  #room: NodeJS.Timeout | undefined;
  #isLooking = false;
  /** Its latest look for due pipelines. */
  #looked: Promise<void> = Promise.resolve();
  #pollAgain = false;
  #stopListening: () => Promise<void> = async () => {};

  constructor(parts: WorkerContext) {
    this.#parts = parts;
    this.#slots = new CycleSlots(() => parts.deps.clock.monotonicMs());
  }

  async start(): Promise<void> {
    this.#stopListening = await listenForWork(this.#parts.deps.dataPool, this.#parts.deps.log, () => this.#poll());
    this.#timer = setInterval(() => this.#poll(), POLL_MS);
    this.#poll();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    clearTimeout(this.#room);
    this.#stopping.abort();
    await this.#stopListening();
    // It may be taking one.
    await this.#looked;
    await Promise.allSettled(this.#running);
  }

  /** Takes what is due while there is room. One look at a time; a call meanwhile makes it look once more. */
  #poll(): void {
    this.#pollAgain = true;
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#looked = this.#look();
  }

  async #look(): Promise<void> {
    try {
      while (this.#pollAgain && !this.#stopping.signal.aborted) {
        this.#pollAgain = false;
        while (this.#slots.canBegin() && (await this.#take()));
        this.#lookWhenOneWaits();
      }
    } catch (error) {
      this.#parts.deps.log.warn({ err: error }, "looking for due pipelines failed");
    } finally {
      this.#isLooking = false;
    }
  }

  /** Takes the pipeline that has been due for longest; answers whether there may be another one. */
  async #take(): Promise<boolean> {
    const { schedule, deps } = this.#parts;
    const askedAt = readClocks(deps.clock);
    const acquired = await schedule.acquire(this.#owner, this.#slots.running, this.#slots.heldUp());
    if (!acquired) return false;
    const lease = new LeaseDeadline(deps.clock, LEASE_MS, askedAt);
    const slot = this.#slots.begin(`${acquired.instanceId}/${acquired.pipelineId}`);
    this.#begin({ acquired, lease, slot, time: databaseTime(acquired.acquiredAt, deps.clock) });
    return acquired.isMoreDue;
  }

  #lookWhenOneWaits(): void {
    clearTimeout(this.#room);
    const inMs = this.#slots.canBegin() ? null : this.#slots.nextWaitingIn;
    if (inMs !== null && inMs > 0) this.#room = setTimeout(() => this.#poll(), inMs);
  }

  #begin(held: Held): void {
    const { acquired, slot } = held;
    const work = this.#work(held)
      .catch(async (error: unknown) => {
        this.#parts.deps.log.error({ err: error, ...named(acquired) }, "a cycle failed");
        await this.#abortCycle(held, error);
      })
      .finally(() => {
        this.#running.delete(work);
        slot.end();
        if (!this.#stopping.signal.aborted) this.#poll();
      });
    this.#running.add(work);
  }

  async #abortCycle({ acquired, time }: Held, error: unknown): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    // Where the database is away nothing is due either.
    await abortCycle(this.#parts, { acquired, time }, error).catch(() => {});
  }

  async #work(held: Held): Promise<void> {
    const { schedule, plans } = this.#parts;
    const { acquired } = held;
    const at = acquired.instanceId;
    try {
      if (await this.#isHeldUp(held)) {
        await schedule.putBack(acquired);
        return;
      }
      // Both at once: each cycle begins with this.
      const stored = schedule.beginning(at, acquired.pipelineId).then((found) => ({ ...found, now: held.time() }));
      // Where the pipeline can't run, that is what counts.
      stored.catch(() => {});
      const pipeline = await plans.load(at, acquired.pipelineId);
      await this.#cycle(held, { pipeline, ...(await stored) });
    } catch (error) {
      if (!(error instanceof PipelineNotRunnable)) throw error;
      const summary = emptySummary({ code: "not_ready", message: error.message }, acquired.failures);
      await schedule.finish({ ...acquired, versionNumber: acquired.versionNumber }, summary, {
        dueInMs: NOT_READY_MS,
        isResync: false,
        error: null,
        isProbing: false,
        isWorthKeeping: false,
        standing: standingAfter(summary, acquired.lastCycle, null),
      });
      await notifyCannotRun(this.#parts, acquired, error.message);
      await announceState(this.#parts, acquired);
    }
  }

  /** Whether so many cycles wait for one of its connectors that this one would only wait too. */
  async #isHeldUp({ acquired, slot }: Held): Promise<boolean> {
    const { instanceId, pipelineId, versionNumber } = acquired;
    if (!this.#slots.knows(slot.pipeline, versionNumber)) {
      const connectorIds = await this.#parts.plans.connectorsOf(instanceId, pipelineId);
      this.#slots.learn(slot.pipeline, versionNumber, connectorIds);
    }
    return this.#slots.isHeldUp(slot.pipeline);
  }

  async #cycle(held: Held, beginning: Beginning): Promise<void> {
    const { acquired, lease, time, slot } = held;
    const { pipeline, positions, now } = beginning;
    const { deps, needs, schedule, followUps } = this.#parts;
    const { isReadAll } = acquired;
    // What is to be sent again is told only where it was read again.
    const wasRequested = acquired.wasRequested || (acquired.lastCycle?.nextAt ?? null) !== null;
    const turns: ScheduleContext = {
      positions,
      now,
      publishedAt: Date.parse(pipeline.publishedAt),
      wasRequested,
      isReadAll,
    };
    const start = await this.#start(held, beginning, turns);
    const isResync = start.resync !== null;
    if (start.resync) {
      const { nodeIds } = start.resync;
      const chosen = pipeline.plan.sources.filter(({ nodeId }) => nodeIds.includes(nodeId));
      await schedule.beginResync(
        acquired,
        chosen.map(({ place }) => place.id),
      );
    }
    const announcer = cycleAnnouncer(this.#parts, acquired, {
      isResync,
      sinks: new Map(pipeline.plan.sinks.map(({ place, nodeId }) => [place.id, nodeId])),
    });
    let broken: unknown;
    const summary = await runCycle({
      deps,
      needs,
      schedule,
      pipeline: { ...pipeline, storage: withIdleEndpoints(pipeline, beginning.quiet) },
      acquired,
      lease,
      slot,
      followUps,
      time,
      start,
      onProgress: announcer.progress,
      onCommitted: announcer.committed,
      onBreak: (error) => void (broken = error),
      signal: this.#stopping.signal,
    });
    announcer.stop();
    if (summary === null) await this.#abortCycle(held, broken);
    else if (summary.outcome !== "lost") await finishCycle(this.#parts, { acquired, pipeline, summary, turns, time });
    await announcer.flush();
  }

  /** Which sources have their turn. A resync alternates with normal cycles so that live changes go on. */
  async #start({ acquired, slot, time }: Held, beginning: Beginning, turns: ScheduleContext): Promise<RunStart> {
    const [{ needs }, { pipeline }] = [this.#parts, beginning];
    const replayReadAt = time();
    const asked = slot.calls(null);
    const replays = await refreshReplays(needs, acquired.instanceId, pipeline, beginning.replays).finally(asked);
    for (const [placeId, ids] of backAgain(beginning.replays, replays))
      await this.#parts.schedule.forgetMissing(acquired.instanceId, placeId, ids);
    const historyStart = await historyStarts(needs, acquired, pipeline, turns.positions);
    const unread = unreadOfResync(acquired, pipeline, turns.positions);
    const resync = acquired.resync && acquired.isResyncTurn && unread.size === 0 ? acquired.resync : null;
    return {
      cycleId: String(acquired.cycleNumber),
      epoch: acquired.epoch,
      sources: pipeline.plan.sources.map((source) => {
        const position = turns.positions.get(source.nodeId);
        const replay = replays.get(source.place.id) ?? [];
        return {
          nodeId: source.nodeId,
          cursor: position?.cursor ?? null,
          isComplete: position?.isComplete === true,
          knownUntil: position?.knownUntil ?? null,
          awaitsHistory: awaitsHistory(acquired, source.nodeId),
          isReadWhole: acquired.wholeSources.includes(source.nodeId),
          ...historyStart(source.nodeId),
          lostFields: beginning.lostFields.get(source.place.id) ?? {},
          due: replay.length > 0 || unread.has(source.nodeId) || isDue(source, turns),
          replay,
          ...(source.canGetById ? { replayReadAt } : {}),
        };
      }),
      resync,
      // A person who asks for it wants to know now.
      failures: acquired.isReadAll ? askedNow(acquired.failures) : acquired.failures,
    };
  }
}

const askedNow = (failures: Acquired["failures"]): Acquired["failures"] =>
  Object.fromEntries(Object.entries(failures).map(([placeId, failed]) => [placeId, { ...failed, nextAt: 0 }]));

const named = ({ instanceId, pipelineId }: Acquired): object => ({ instanceId, pipelineId });
