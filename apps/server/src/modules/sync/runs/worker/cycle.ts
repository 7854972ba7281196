/** One cycle: gives the core what happened and does what it answers, until it says finish. */
import {
  advance,
  beginRun,
  type CycleSlot,
  type CycleSummary,
  type Effect,
  type Input,
  type Run,
  type RunStart,
} from "@accord/sync-engine/run";
import type { Deps } from "../../../../platform/deps.ts";
import { type LeaseDeadline, readClocks } from "../../../../platform/lease-deadline.ts";
import type { DatabaseTime } from "../schedule/database-time.ts";
import type { FollowUps } from "./calls/calls-context.ts";
import { ConnectorCalls } from "./calls/connector-calls.ts";
import { matchPage } from "./page-matches.ts";
import type { CompiledPipeline, RunsDependencies } from "./plans.ts";
import { resolveReferences } from "./resolve-references.ts";
import { reviewDeliveries } from "./review-deliveries.ts";
import { LEASE_MS, type RunIdentity } from "../storage/lease-guard.store.ts";
import type { Acquired } from "../schedule/pipeline-rows.store.ts";
import type { ScheduleStore } from "../schedule/schedule.store.ts";
import { dueAgain } from "../schedule/source-schedule.ts";
import { asUnstorable } from "../storage/unstorable-values.store.ts";

const RENEW_MS = LEASE_MS / 6;
/** While calls wait, people who pause the pipeline are heard this soon. */
const PATIENT_MS = 1_000;

export interface CycleContext {
  deps: Pick<Deps, "clock" | "newId" | "log">;
  needs: Pick<RunsDependencies, "connectors" | "answers">;
  schedule: ScheduleStore;
  pipeline: CompiledPipeline;
  acquired: Acquired;
  lease: LeaseDeadline;
  /** Told what is under way, so that a worker knows whether the cycle works or waits. */
  slot?: CycleSlot;
  followUps?: FollowUps;
  time: DatabaseTime;
  start: RunStart;
  /** Told what the cycle is doing, often. */
  onProgress: (run: Run, activity: string) => void;
  /** Records changed by a page that was committed. */
  onCommitted: (count: number) => void;
  /** Told why the cycle breaks off: the database failed, or the engine. */
  onBreak?: (error: unknown) => void;
  signal: AbortSignal;
}

/**
 * Runs one cycle to its end. Answers its summary, or null when the database failed or the server stops: then nothing
 * more is written and the next owner of the lease goes on from the last checkpoint.
 */
export function runCycle(parts: CycleContext): Promise<CycleSummary | null> {
  return new Cycle(parts).run();
}

class Cycle {
  readonly #parts: CycleContext;
  readonly #run: Run;
  readonly #identity: RunIdentity;
  readonly #outside: ConnectorCalls;
  #activity = "Waiting";
  #finish: (summary: CycleSummary | null) => void = () => {};
  #isOver = false;
  /** Something happened since the lease was last renewed. */
  #hasGotOn = false;
  /** Batches on their way out or being written down. */
  #unsettled = 0;

  constructor(parts: CycleContext) {
    const { acquired, pipeline, start, needs, signal, lease, slot } = parts;
    this.#parts = parts;
    this.#run = beginRun(pipeline.plan, start);
    const { versionNumber } = pipeline.plan;
    this.#identity = { epoch: acquired.epoch, cycleNumber: acquired.cycleNumber, versionNumber };
    this.#outside = new ConnectorCalls({
      needs,
      pipeline,
      acquired,
      traffic: start.resync ? "resync" : "live",
      signal: AbortSignal.any([signal, lease.signal]),
      doing: (activity) => this.#doing(activity),
      now: () => parts.deps.clock.now().getTime(),
      lease,
      slot,
      followUps: parts.followUps,
    });
    for (const { nodeId, cursor } of start.sources) if (cursor !== null) this.#outside.committed(nodeId, cursor);
  }

  async run(): Promise<CycleSummary | null> {
    const over = new Promise<CycleSummary | null>((resolve) => (this.#finish = resolve));
    const stop = (): void => this.#end(null);
    this.#parts.signal.addEventListener("abort", stop, { once: true });
    const timer = setInterval(() => void this.#renew(), RENEW_MS);
    const patient = setInterval(() => {
      if (this.#parts.lease.isOver) this.#stopWhenSettled();
      else if (this.#outside.isWaiting) void this.#renew();
    }, PATIENT_MS);
    await this.#begin();
    const summary = await over;
    clearInterval(timer);
    clearInterval(patient);
    this.#parts.signal.removeEventListener("abort", stop);
    await this.#parts.pipeline.storage.dropPrepared(this.#identity);
    await this.#outside.close();
    return summary;
  }

  async #begin(): Promise<void> {
    const { acquired, pipeline } = this.#parts;
    try {
      await reviewDeliveries(pipeline, acquired);
      await resolveReferences(this.#parts.pipeline, this.#identity, this.#parts.deps.newId);
    } catch (error) {
      this.#break(error);
    }
    this.#give({ kind: "start" });
  }

  #end(summary: CycleSummary | null): void {
    this.#isOver = true;
    // Calls under way belong to nobody now.
    if (summary === null || summary.outcome === "lost") this.#parts.lease.end();
    this.#outside.giveUp();
    this.#finish(summary);
  }

  /** What the engine throws ends this cycle, and not the process with all others. */
  #give(input: Input): void {
    if (this.#isOver) return;
    try {
      this.#advance(input);
    } catch (error) {
      this.#break(error);
    }
  }

  #advance(input: Input): void {
    const { deps, pipeline, time } = this.#parts;
    const { effects } = advance(pipeline.plan, this.#run, input, {
      now: time(),
      newId: deps.newId,
      random: Math.random,
    });
    const { stopping, sources } = this.#run;
    this.#parts.slot?.holds(sources);
    if (stopping === "pause" || stopping === "cancelResync") this.#outside.giveUp();
    for (const effect of effects) {
      if (effect.kind === "finish") {
        this.#end(effect.summary);
        return;
      }
      const isDelivery = effect.kind === "send" || effect.kind === "settle";
      if (isDelivery) this.#unsettled += 1;
      const done = this.#occupy(effect);
      const answered = this.#do(effect).catch((error: unknown) => asUnstorable(effect, error));
      answered.then(
        (answer) => {
          done();
          this.#hasGotOn = true;
          if (answer) this.#give(answer);
          if (!isDelivery) return;
          this.#unsettled -= 1;
          if (this.#parts.lease.isOver) this.#stopWhenSettled();
        },
        (error: unknown) => this.#break(error),
      );
    }
  }

  /** Tells the worker whether this is work or waiting; answers how to say that it is over. */
  #occupy(effect: Effect): () => void {
    const { slot, pipeline } = this.#parts;
    if (!slot) return () => {};
    switch (effect.kind) {
      case "read":
      case "getById": {
        const source = pipeline.plan.sources.find(({ nodeId }) => nodeId === effect.nodeId);
        return slot.calls(source?.place.connectorId ?? null);
      }
      case "lookup":
      case "send":
        return slot.calls(pipeline.plan.places.get(effect.placeId)?.connectorId ?? null);
      case "ask":
        return slot.calls(null);
      default:
        return slot.works();
    }
  }

  /** Storage failed: as if the worker had crashed here. */
  #break(error: unknown): void {
    if (this.#isOver) return;
    this.#parts.deps.log.warn({ err: error, pipelineId: this.#parts.acquired.pipelineId }, "cycle aborted");
    this.#parts.onBreak?.(error);
    this.#end(null);
  }

  /**
   * The lease ran out by the clock. What was answered before is still written down, which the database refuses where
   * another worker has taken over: an id that is known now need not be looked for later.
   */
  #stopWhenSettled(): void {
    if (this.#unsettled === 0) this.#give({ kind: "leaseLost" });
  }

  async #renew(): Promise<void> {
    if (this.#isOver) return;
    const { acquired, schedule, deps, lease } = this.#parts;
    const askedAt = readClocks(deps.clock);
    try {
      const news = { activity: this.#activity, hasGotOn: this.#hasGotOn, heldUp: this.#outside.heldUp() };
      const { signal, isRequested } = await schedule.renew(acquired, news);
      this.#hasGotOn = false;
      if (signal === "lost") {
        lease.end();
        this.#give({ kind: "leaseLost" });
        return;
      }
      lease.renewed(askedAt);
      // Screens read the pipeline's health again when something begins to hold it up, and when it goes on.
      if (this.#outside.noteWritten(news.heldUp)) this.#doing(this.#activity);
      if (signal !== "none") this.#give({ kind: "signal", signal });
      else this.#readAgain(isRequested);
    } catch (error) {
      this.#break(error);
    }
  }

  /** A long delivery keeps no source waiting whose turn has come, nor one that somebody asked for. */
  #readAgain(isRequested: boolean): void {
    const { pipeline, time } = this.#parts;
    const nodeIds = dueAgain(pipeline.plan.sources, this.#run.sources, { now: time(), isRequested });
    if (nodeIds.length > 0) this.#give({ kind: "sourcesDue", nodeIds });
  }

  async #do(effect: Effect): Promise<Input | null> {
    const { pipeline, deps } = this.#parts;
    const { storage } = pipeline;
    switch (effect.kind) {
      case "read":
        return this.#outside.read(effect);
      case "getById":
        return this.#outside.getById(effect);
      case "resolve": {
        const { nodeId, requestId, request } = effect;
        return { kind: "resolved", nodeId, requestId, resolved: await storage.resolve(request) };
      }
      case "match":
        return matchPage(effect, storage);
      case "prepare":
        // What is under way goes first.
        setImmediate(() => this.#isOver || storage.prepare(this.#identity, effect.batch));
        return null;
      case "commit": {
        this.#doing("Updating records");
        const answer = await storage.commit(this.#identity, effect.batch, deps.newId);
        if (answer.status === "done") {
          this.#parts.onCommitted(effect.batch.creates.length + effect.batch.updates.length);
          const { position } = effect.batch;
          if (position?.of === "changes") this.#outside.committed(position.nodeId, position.cursor);
        }
        return { kind: "committed", nodeId: effect.nodeId, answer };
      }
      case "claim":
        return { kind: "claimed", placeId: effect.placeId, claimed: await storage.claim(effect.request) };
      case "intend": {
        this.#outside.openAhead(effect.placeId);
        const answer = await storage.intend(this.#identity, effect.placeId, effect.intents);
        return { kind: "intended", placeId: effect.placeId, answer };
      }
      case "ask":
        return this.#outside.ask(effect);
      case "lookup":
        return this.#outside.lookup(effect);
      case "send":
        return this.#outside.send(effect);
      case "settle": {
        const now = this.#parts.time();
        const { placeId, settlements } = effect;
        const answer = await storage.settle(this.#identity, placeId, settlements, now, deps.newId);
        return { kind: "settled", placeId, answer };
      }
      case "finish":
        throw new Error("finish is no effect to wait for");
    }
  }

  #doing(activity: string): void {
    this.#activity = activity;
    this.#parts.onProgress(this.#run, activity);
  }
}
