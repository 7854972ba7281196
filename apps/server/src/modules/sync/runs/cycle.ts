/** One cycle: gives the core what happened and does what it answers, until it says finish. */
import {
  advance,
  beginRun,
  type CycleSummary,
  type Effect,
  type Input,
  type Run,
  type RunStart,
} from "@accord/sync-engine/run";
import type { Deps } from "../../../platform/deps.ts";
import type { DatabaseTime } from "./database-time.ts";
import { OutsideCalls } from "./outside-calls.ts";
import type { ReadyPipeline, RunsNeeds } from "./plans.ts";
import { resolveReferences } from "./resolve-references.ts";
import { LEASE_SECONDS, type RunIdentity } from "./lease-guard.store.ts";
import type { Acquired } from "./pipeline-rows.store.ts";
import type { ScheduleStore } from "./schedule.store.ts";

const RENEW_MS = (LEASE_SECONDS * 1000) / 3;
/** While calls wait, people who pause the pipeline are heard this soon. */
const PATIENT_MS = 1_000;
/** Nothing is sent this close to the end of the lease. */
const LEASE_MARGIN_MS = 5_000;

export interface CycleParts {
  deps: Pick<Deps, "clock" | "newId" | "log">;
  needs: Pick<RunsNeeds, "connectors" | "answers">;
  schedule: ScheduleStore;
  pipeline: ReadyPipeline;
  acquired: Acquired;
  time: DatabaseTime;
  start: RunStart;
  /** Told what the cycle is doing, often. */
  onProgress: (run: Run, activity: string) => void;
  /** Records changed by a page that was committed. */
  onCommitted: (count: number) => void;
  signal: AbortSignal;
}

/**
 * Runs one cycle to its end. Answers its summary, or null when the database failed or the server stops: then nothing
 * more is written and the next owner of the lease goes on from the last checkpoint.
 */
export function runCycle(parts: CycleParts): Promise<CycleSummary | null> {
  return new Cycle(parts).run();
}

class Cycle {
  readonly #parts: CycleParts;
  readonly #run: Run;
  readonly #identity: RunIdentity;
  readonly #outside: OutsideCalls;
  #deadline: number;
  #activity = "Waiting";
  #finish: (summary: CycleSummary | null) => void = () => {};
  #isOver = false;
  /** Something happened since the lease was last renewed. */
  #hasGotOn = false;

  constructor(parts: CycleParts) {
    const { acquired, pipeline, start, deps, needs, signal } = parts;
    this.#parts = parts;
    this.#run = beginRun(pipeline.plan, start);
    const { versionNumber } = pipeline.plan;
    this.#identity = { epoch: acquired.epoch, cycleNumber: acquired.cycleNumber, versionNumber };
    this.#deadline = deps.clock.monotonicMs() + LEASE_SECONDS * 1000;
    this.#outside = new OutsideCalls({
      needs,
      pipeline,
      acquired,
      traffic: start.resync ? "resync" : "live",
      signal,
      doing: (activity) => this.#doing(activity),
      mayStillSend: () => deps.clock.monotonicMs() <= this.#deadline - LEASE_MARGIN_MS,
    });
  }

  async run(): Promise<CycleSummary | null> {
    const over = new Promise<CycleSummary | null>((resolve) => (this.#finish = resolve));
    const stop = (): void => this.#end(null);
    this.#parts.signal.addEventListener("abort", stop, { once: true });
    const timer = setInterval(() => void this.#renew(), RENEW_MS);
    const patient = setInterval(() => this.#outside.isWaiting && void this.#renew(), PATIENT_MS);
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
    try {
      await resolveReferences(this.#parts.pipeline, this.#identity, this.#parts.deps.newId);
    } catch (error) {
      this.#break(error);
    }
    this.#give({ kind: "start" });
  }

  #end(summary: CycleSummary | null): void {
    this.#isOver = true;
    this.#outside.giveUp();
    this.#finish(summary);
  }

  #give(input: Input): void {
    if (this.#isOver) return;
    const { deps, pipeline, time } = this.#parts;
    const { effects } = advance(pipeline.plan, this.#run, input, {
      now: time(),
      newId: deps.newId,
      random: Math.random,
    });
    const { stopping } = this.#run;
    if (stopping === "pause" || stopping === "cancelResync") this.#outside.giveUp();
    for (const effect of effects) {
      if (effect.kind === "finish") {
        this.#end(effect.summary);
        return;
      }
      this.#do(effect).then(
        (answer) => {
          this.#hasGotOn = true;
          if (answer) this.#give(answer);
        },
        (error: unknown) => this.#break(error),
      );
    }
  }

  /** Storage failed: as if the worker had crashed here. */
  #break(error: unknown): void {
    if (this.#isOver) return;
    this.#parts.deps.log.warn({ err: error, pipelineId: this.#parts.acquired.pipelineId }, "a cycle broke off");
    this.#end(null);
  }

  async #renew(): Promise<void> {
    if (this.#isOver) return;
    const { acquired, schedule, deps } = this.#parts;
    const asked = deps.clock.monotonicMs();
    try {
      const signal = await schedule.renew(acquired, this.#activity, this.#hasGotOn);
      this.#hasGotOn = false;
      if (signal === "lost") {
        this.#give({ kind: "leaseLost" });
        return;
      }
      this.#deadline = asked + LEASE_SECONDS * 1000;
      if (signal !== "none") this.#give({ kind: "signal", signal });
    } catch (error) {
      this.#break(error);
    }
  }

  async #do(effect: Effect): Promise<Input | null> {
    const { pipeline, deps } = this.#parts;
    const { storage } = pipeline;
    switch (effect.kind) {
      case "read":
        return this.#outside.read(effect);
      case "resolve":
        return {
          kind: "resolved",
          nodeId: effect.nodeId,
          ticket: effect.ticket,
          resolved: await storage.resolve(effect.request),
        };
      case "match":
        return this.#match(effect);
      case "prepare":
        // What is under way goes first.
        setImmediate(() => this.#isOver || storage.prepare(this.#identity, effect.batch));
        return null;
      case "commit": {
        this.#doing("Updating records");
        const answer = await storage.commit(this.#identity, effect.batch, deps.newId);
        if (answer.status === "done") {
          this.#parts.onCommitted(effect.batch.creates.length + effect.batch.updates.length);
        }
        return { kind: "committed", nodeId: effect.nodeId, answer };
      }
      case "claim":
        return { kind: "claimed", placeId: effect.placeId, claimed: await storage.claim(effect.request) };
      case "intend": {
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

  async #match({ nodeId, request }: Extract<Effect, { kind: "match" }>): Promise<Input> {
    const { storage } = this.#parts.pipeline;
    const candidates = request.fields.length > 0 ? await storage.match(request) : [];
    if (!request.duplicates) return { kind: "matched", nodeId, candidates };
    return { kind: "matched", nodeId, candidates, duplicates: await storage.findDuplicates(request.duplicates) };
  }

  #doing(activity: string): void {
    this.#activity = activity;
    this.#parts.onProgress(this.#run, activity);
  }
}
