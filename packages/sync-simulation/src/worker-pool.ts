/** Workers that run the pipeline: they take the lease, crash at any effect, oversleep, and have clocks that jump. */
import { START } from "./systems/fake-system.ts";
import { moment } from "./systems/system-clock.ts";
import { stagesOf } from "./run-stages.ts";
import {
  advance,
  beginRun,
  inDoubtForMs,
  type CycleSummary,
  type Effect,
  type Input,
  type Plan,
  type RunStart,
} from "@accord/sync-engine/run";
import { Effects } from "./effects.ts";
import { resolveReferences } from "./memory/references-first.ts";
import { CycleContext } from "./cycle-context.ts";
import type { SimulationContext, Worker } from "./simulation-context.ts";
import { Timeline } from "./timeline.ts";

const LEASE_MS = 10_000;
const RENEW_MS = 3_000;
const HOUR = 3_600_000;

export class WorkerPool {
  readonly #stage: SimulationContext;
  readonly #workers: Worker[];
  readonly #effects: Effects;
  #ids = 0;
  #mustReadAll = true;
  /** Since when, or from when on, a cycle is due; Infinity while one is under way. */
  #dueAt: number;

  constructor(stage: SimulationContext) {
    this.#stage = stage;
    this.#dueAt = stage.timeline.now;
    this.#effects = new Effects(stage, {
      give: (worker, life, input) => this.#give(worker, life, input),
      finish: (worker, summary) => this.#finish(worker, summary),
    });
    this.#workers = ["one", "two"].map((name) => ({
      name,
      life: 0,
      run: null,
      plan: stage.plan(),
      epoch: 0,
      deadline: 0,
      asleepUntil: 0,
      skew: 0,
      cycleContext: null,
    }));
  }

  begin(): void {
    const { rng, timeline } = this.#stage;
    for (const worker of this.#workers) {
      timeline.later(rng.between(0, 1_000), () => this.#wake(worker, 0));
      if (!rng.bool(0.2)) continue;
      timeline.later(Timeline.moment(rng.next()), () => this.#jump(worker, rng.pick([-HOUR, HOUR])));
    }
  }

  #jump(worker: Worker, by: number): void {
    worker.skew += by;
    this.#stage.log(worker.name, { clockJumps: by });
  }

  #wake(worker: Worker, life: number): void {
    if (worker.life !== life || worker.run) return;
    const { company, plan, store } = this.#stage;
    const host = company?.hosts[this.#workers.indexOf(worker)];
    if (!company || !host) {
      this.#begin(worker, life);
      return;
    }
    host.due({
      pipeline: company.pipeline,
      version: store.version,
      connectorIds: plan().sinks.map(({ place }) => company.connectorAt(place.id)),
      dueAt: () => this.#dueAt,
      begin: (slot) => {
        if (worker.life !== life || worker.run) return false;
        worker.cycleContext = new CycleContext({ company, host, slot, plan: plan(), down: () => this.#down(worker) });
        const hasBegun = this.#begin(worker, life);
        if (!hasBegun) this.#leave(worker);
        return hasBegun;
      },
    });
  }

  /** Begins a cycle where nobody else runs the pipeline. */
  #begin(worker: Worker, life: number): boolean {
    const isPaused = this.#stage.store.signal === "pause";
    const { now } = this.#stage.timeline;
    const epoch = isPaused ? null : this.#stage.store.acquire(worker.name, this.#ownTime(worker, now));
    if (epoch === null) {
      this.#stage.timeline.later(this.#stage.rng.between(300, 1_500), () => this.#wake(worker, life));
      return false;
    }
    this.#stage.checker.acquired(epoch, worker.name);
    this.#dueAt = Infinity;
    if (this.#stage.store.signal === "cancelResync" && !this.#stage.store.resync) this.#stage.store.signal = "none";
    worker.epoch = epoch;
    worker.deadline = now + LEASE_MS;
    worker.plan = this.#stage.plan();
    if (this.#stage.store.lease.wasHeld) {
      for (const sink of worker.plan.sinks)
        this.#stage.store.holdUnanswered(sink.place.id, inDoubtForMs(sink, "create"), now);
    }
    for (const { place, fits } of worker.plan.sinks) this.#stage.store.retryUnfit(place.id, fits, now);
    if (worker.plan.hasReferences && !this.#stage.faults.skipsReferences) {
      resolveReferences(worker.plan, this.#stage.store, now, (batch) => this.#effects.commit(worker, batch));
    }
    worker.run = beginRun(worker.plan, this.#start(worker.plan, epoch));
    this.#stage.checker.cycles.begun(epoch, worker.plan);
    this.#stage.timeline.later(RENEW_MS, () => this.#renew(worker, life));
    this.#give(worker, life, { kind: "start" });
    return true;
  }

  #leave(worker: Worker): void {
    worker.cycleContext?.leave();
    worker.cycleContext = null;
  }

  /** All workers go by the storage's clock; what their own says is of no account. */
  #ownTime(worker: Worker, now: number): number {
    return this.#stage.faults.trustsOwnClock ? now + worker.skew : now;
  }

  #start(plan: Plan, epoch: number): RunStart {
    const mustReadAll = this.#mustReadAll || !this.#stage.timeline.isBusy;
    return {
      cycleId: `cycle-${epoch}`,
      epoch,
      sources: plan.sources.map(({ nodeId, place }) => ({
        nodeId,
        cursor: this.#stage.store.cursors.get(nodeId) ?? null,
        isComplete: this.#stage.store.through.has(nodeId),
        knownUntil: this.#stage.store.knownUntil.get(nodeId) ?? null,
        isReadWhole: this.#stage.since === null,
        since: this.#stage.since,
        followedSince: moment(START),
        lostFields: this.#stage.store.lostFields.get(place.id) ?? {},
        due: mustReadAll || this.#stage.rng.bool(0.8),
        replay: this.#stage.outside.readAgain(place.id, this.#stage.store.quarantineEntries.againAt(place.id)),
        replayReadAt: this.#stage.timeline.now,
      })),
      // Turn about with normal cycles, as in the server.
      resync: epoch % 2 === 0 && this.#stage.store.resync ? { ...this.#stage.store.resync, finished: [] } : null,
      failures: this.#stage.store.failures,
    };
  }

  #renew(worker: Worker, life: number): void {
    const { now } = this.#stage.timeline;
    if (worker.life !== life || !worker.run) return;
    if (worker.asleepUntil > now) {
      this.#stage.timeline.later(worker.asleepUntil - now, () => this.#renew(worker, life));
    } else if (this.#stage.store.renew(worker.epoch, now)) {
      worker.deadline = now + LEASE_MS;
      this.#stage.timeline.later(RENEW_MS, () => this.#renew(worker, life));
      this.#receivePause(worker, life);
    } else {
      this.#give(worker, life, { kind: "leaseLost" });
    }
  }

  /** While calls wait for a system, people who pause the pipeline are heard all the same. */
  #receivePause(worker: Worker, life: number): void {
    const { cycleContext } = worker;
    if (!cycleContext?.isWaiting || this.#stage.store.signal !== "pause") return;
    this.#give(worker, life, { kind: "signal", signal: "pause" });
    cycleContext.giveUp();
  }

  #give(worker: Worker, life: number, input: Input): void {
    const { now } = this.#stage.timeline;
    if (worker.life !== life || !worker.run) return;
    if (worker.asleepUntil > now) {
      this.#stage.timeline.later(worker.asleepUntil - now, () => this.#give(worker, life, input));
      return;
    }
    this.#stage.log(`${worker.name} ${worker.epoch} hears`, input);
    const seen = this.#stage.fault.input ? this.#stage.fault.input(input, this.#stage.rng) : input;
    this.#stage.checker.cycles.heard(worker.epoch, seen);
    const { effects } = advance(worker.plan, worker.run, seen, {
      now: this.#ownTime(worker, now),
      random: () => this.#stage.rng.next(),
      newId: () => `r${String((this.#ids += 1)).padStart(4, "0")}`,
    });
    this.#stage.checker.cycles.did(worker.epoch, effects);
    const { run } = worker;
    // Looked at only where somebody reads the history.
    this.#stage.log(`${worker.name} ${worker.epoch} is`, { toJSON: () => stagesOf(run) });
    for (const wanted of effects) {
      const effect = this.#stage.fault.effect ? this.#stage.fault.effect(wanted, this.#stage.rng) : wanted;
      if (!effect) continue;
      worker.cycleContext?.begins(effect);
      const delay = "delayMs" in effect ? Number(effect.delayMs ?? 0) : 0;
      this.#stage.timeline.later(delay + this.#stage.rng.between(1, 60), () => this.#perform(worker, life, effect));
    }
  }

  #perform(worker: Worker, life: number, effect: Effect): void {
    const { now, isBusy } = this.#stage.timeline;
    if (worker.life !== life || !worker.run) return;
    if (worker.asleepUntil > now) {
      this.#stage.timeline.later(worker.asleepUntil - now, () => this.#perform(worker, life, effect));
      return;
    }
    if (isBusy && this.#stage.rng.bool(0.01)) {
      worker.asleepUntil = now + this.#stage.rng.between(2_000, 15_000);
      this.#stage.timeline.later(worker.asleepUntil - now, () => this.#perform(worker, life, effect));
      return;
    }
    if (isBusy && this.#stage.rng.bool(0.008)) {
      this.#crash(worker);
      return;
    }
    this.#stage.log(`${worker.name} ${worker.epoch} does`, effect);
    const takes = (): void => this.#executedActions(worker, life, effect, () => this.#effects.perform(worker, effect));
    const fails = (failed: Input): void => this.#executedActions(worker, life, effect, () => failed);
    if (!worker.cycleContext?.makesCall(effect, takes, fails)) takes();
  }

  /** The effect is done, once the worker is awake. */
  #executedActions(worker: Worker, life: number, effect: Effect, perform: () => Input | "died" | null): void {
    const { now, isBusy } = this.#stage.timeline;
    if (worker.life !== life || !worker.run) return;
    if (worker.asleepUntil > now) {
      this.#stage.timeline.later(worker.asleepUntil - now, () => this.#executedActions(worker, life, effect, perform));
      return;
    }
    const answer = perform();
    if (answer === "died") {
      this.#crash(worker);
      return;
    }
    if (isBusy && this.#stage.rng.bool(0.008)) {
      this.#crash(worker);
      return;
    }
    if (effect.kind !== "send" || answer) worker.cycleContext?.ends(effect);
    if (answer) this.#stage.timeline.later(this.#stage.rng.between(1, 60), () => this.#give(worker, life, answer));
  }

  /** The process crashes, with all that it runs. */
  #crash(worker: Worker): void {
    if (worker.cycleContext) worker.cycleContext.host.crash();
    else this.#down(worker);
  }

  /** A lease that nobody works under any more keeps others away until it runs out. */
  #mayBeAbandoned(): void {
    const { lease } = this.#stage.store;
    if (!this.#workers.some(({ run, epoch }) => run && epoch === lease.epoch)) this.#dueAt = lease.until;
  }

  #down(worker: Worker): void {
    this.#stage.log(worker.name, "crashes");
    this.#leave(worker);
    worker.life += 1;
    worker.run = null;
    this.#mayBeAbandoned();
    worker.asleepUntil = 0;
    const { life } = worker;
    this.#mustReadAll = true;
    this.#stage.timeline.later(this.#stage.rng.between(100, 8_000), () => this.#wake(worker, life));
  }

  #finish(worker: Worker, summary: CycleSummary): void {
    const { store, timeline, rng, rest, checker } = this.#stage;
    const before = store.resync;
    const isOurs = store.lease.epoch === worker.epoch;
    store.finish(worker.epoch, summary);
    checker.finished(worker.epoch, summary);
    if (before && !store.resync && store.signal === "cancelResync") store.signal = "none";
    worker.run = null;
    this.#leave(worker);
    // What is still under way belongs to a run that is over.
    worker.life += 1;
    const { life } = worker;
    this.#mustReadAll = summary.nextAt !== null || summary.outcome !== "finished";
    const delay = isOurs ? rest(worker.plan, summary) : rng.between(300, 1_500);
    if (isOurs) this.#dueAt = timeline.now + delay;
    else this.#mayBeAbandoned();
    timeline.later(delay, () => this.#wake(worker, life));
  }
}
