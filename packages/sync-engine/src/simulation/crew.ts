/** Workers that run the pipeline: they take the lease, crash at any effect, oversleep, and have clocks that jump. */
import { advance, beginRun } from "../run/advance.ts";
import type { Plan } from "../run/plan.ts";
import type { CycleSummary, Effect, Input, RunStart } from "../run/protocol.ts";
import type { Run } from "../run/run.ts";
import type { CommitAnswer, CommitBatch } from "../run/storage.ts";
import type { Chance } from "./chance.ts";
import type { Errands } from "./errands.ts";
import type { MemoryActions } from "./memory-actions.ts";
import type { MemoryStore } from "./memory-store.ts";
import type { Outside } from "./outside.ts";
import type { Plant, WorkerFaults } from "./plant.ts";
import { resolveReferences } from "./references-first.ts";
import { Timeline } from "./timeline.ts";
import { StepwiseSender } from "./stepwise-send.ts";
import type { Witness } from "./witness.ts";

const LEASE_MS = 10_000;
const RENEW_MS = 3_000;
const HOUR = 3_600_000;

interface Worker {
  name: string;
  /** Counts runs: what was under way in an earlier one is void. */
  life: number;
  run: Run | null;
  plan: Plan;
  epoch: number;
  /** Until when it surely owns the lease. */
  deadline: number;
  asleepUntil: number;
  /** How far its clock is off; it may jump. */
  skew: number;
}

/** What workers work with. */
export interface Stage {
  chance: Chance;
  timeline: Timeline;
  store: MemoryStore;
  actions: MemoryActions;
  outside: Outside;
  errands: Errands;
  witness: Witness;
  plant: Plant;
  faults: WorkerFaults;
  /** Batches are sent operation by operation. */
  isStepwise: boolean;
  /** Where sources start that have no position yet, UTC ISO-8601. */
  since: string | null;
  /** The published one. */
  plan: () => Plan;
  tell: (who: string, what: unknown) => void;
  /** A cycle of the living epoch has ended; answers when the next one begins, milliseconds from now. */
  rest: (plan: Plan, summary: CycleSummary) => number;
}

export class Crew {
  readonly #stage: Stage;
  readonly #workers: Worker[];
  readonly #sender: StepwiseSender | null;
  #ids = 0;
  #mustReadAll = true;

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#sender = stage.isStepwise ? new StepwiseSender(stage) : null;
    this.#workers = ["one", "two"].map((name) => ({
      name,
      life: 0,
      run: null,
      plan: stage.plan(),
      epoch: 0,
      deadline: 0,
      asleepUntil: 0,
      skew: 0,
    }));
  }

  begin(): void {
    const { chance, timeline } = this.#stage;
    for (const worker of this.#workers) {
      timeline.later(chance.between(0, 1_000), () => this.#wake(worker, 0));
      if (!chance.happens(0.2)) continue;
      timeline.later(Timeline.moment(chance.next()), () => this.#jump(worker, chance.pick([-HOUR, HOUR])));
    }
  }

  #jump(worker: Worker, by: number): void {
    worker.skew += by;
    this.#stage.tell(worker.name, { clockJumps: by });
  }

  #wake(worker: Worker, life: number): void {
    if (worker.life !== life || worker.run) return;
    const isPaused = this.#stage.store.signal === "pause";
    const { now } = this.#stage.timeline;
    const epoch = isPaused ? null : this.#stage.store.acquire(worker.name, this.#ownTime(worker, now));
    if (epoch === null) {
      this.#stage.timeline.later(this.#stage.chance.between(300, 1_500), () => this.#wake(worker, life));
      return;
    }
    this.#stage.witness.acquired(epoch, worker.name);
    if (this.#stage.store.signal === "cancelResync" && !this.#stage.store.resync) this.#stage.store.signal = "none";
    worker.epoch = epoch;
    worker.deadline = now + LEASE_MS;
    worker.plan = this.#stage.plan();
    if (this.#stage.store.lease.wasHeld) {
      for (const { place, readDelayMs } of worker.plan.sinks)
        this.#stage.store.holdUnanswered(place.id, readDelayMs, now);
    }
    if (worker.plan.hasReferences && !this.#stage.faults.skipsReferences) {
      resolveReferences(worker.plan, this.#stage.store, now, (batch) => this.#commit(worker, batch));
    }
    worker.run = beginRun(worker.plan, this.#start(worker.plan, epoch));
    this.#stage.witness.cycles.begun(epoch, worker.plan);
    this.#stage.timeline.later(RENEW_MS, () => this.#renew(worker, life));
    this.#give(worker, life, { kind: "start" });
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
        isThrough: this.#stage.store.through.has(nodeId),
        since: this.#stage.since,
        due: mustReadAll || this.#stage.chance.happens(0.8),
        replay: this.#stage.outside.readAgain(place.id, this.#stage.store.aside.againAt(place.id)),
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
    } else {
      this.#give(worker, life, { kind: "leaseLost" });
    }
  }

  #give(worker: Worker, life: number, input: Input): void {
    const { now } = this.#stage.timeline;
    if (worker.life !== life || !worker.run) return;
    if (worker.asleepUntil > now) {
      this.#stage.timeline.later(worker.asleepUntil - now, () => this.#give(worker, life, input));
      return;
    }
    this.#stage.tell(`${worker.name} ${worker.epoch} hears`, input);
    const seen = this.#stage.plant.input ? this.#stage.plant.input(input, this.#stage.chance) : input;
    this.#stage.witness.cycles.heard(worker.epoch, seen);
    const { effects } = advance(worker.plan, worker.run, seen, {
      now: this.#ownTime(worker, now),
      random: () => this.#stage.chance.next(),
      newId: () => `r${String((this.#ids += 1)).padStart(4, "0")}`,
    });
    this.#stage.witness.cycles.did(worker.epoch, effects);
    for (const wanted of effects) {
      const effect = this.#stage.plant.effect ? this.#stage.plant.effect(wanted, this.#stage.chance) : wanted;
      if (!effect) continue;
      const delay = "delayMs" in effect ? Number(effect.delayMs ?? 0) : 0;
      this.#stage.timeline.later(delay + this.#stage.chance.between(1, 60), () => this.#perform(worker, life, effect));
    }
  }

  #perform(worker: Worker, life: number, effect: Effect): void {
    const { now, isBusy } = this.#stage.timeline;
    if (worker.life !== life || !worker.run) return;
    if (worker.asleepUntil > now) {
      this.#stage.timeline.later(worker.asleepUntil - now, () => this.#perform(worker, life, effect));
      return;
    }
    if (isBusy && this.#stage.chance.happens(0.01)) {
      worker.asleepUntil = now + this.#stage.chance.between(2_000, 15_000);
      this.#stage.timeline.later(worker.asleepUntil - now, () => this.#perform(worker, life, effect));
      return;
    }
    if (isBusy && this.#stage.chance.happens(0.008)) {
      this.#crash(worker);
      return;
    }
    this.#stage.tell(`${worker.name} ${worker.epoch} does`, effect);
    const answer = this.#do(worker, effect);
    if (answer === "died") {
      this.#crash(worker);
      return;
    }
    if (isBusy && this.#stage.chance.happens(0.008)) {
      this.#crash(worker);
      return;
    }
    if (answer) this.#stage.timeline.later(this.#stage.chance.between(1, 60), () => this.#give(worker, life, answer));
  }

  #crash(worker: Worker): void {
    this.#stage.tell(worker.name, "crashes");
    worker.life += 1;
    worker.run = null;
    worker.asleepUntil = 0;
    const { life } = worker;
    this.#mustReadAll = true;
    this.#stage.timeline.later(this.#stage.chance.between(100, 8_000), () => this.#wake(worker, life));
  }

  #do(worker: Worker, effect: Effect): Input | "died" | null {
    const { epoch } = worker;
    const store = this.#stage.store;
    const { now } = this.#stage.timeline;
    switch (effect.kind) {
      case "read":
        return this.#stage.outside.read(effect);
      case "getById":
        return this.#stage.outside.getById(effect);
      case "resolve": {
        const { nodeId, ticket } = effect;
        return { kind: "resolved", nodeId, ticket, resolved: store.resolve(effect.request) };
      }
      case "match": {
        const { nodeId, request } = effect;
        const duplicates = request.duplicates && store.findDuplicates(request.duplicates);
        return { kind: "matched", nodeId, candidates: store.match(request), ...(duplicates ? { duplicates } : {}) };
      }
      case "prepare":
        this.#stage.witness.prepared(() => store.prepare(epoch, effect.batch, now));
        return null;
      case "ask":
        return this.#ask(worker, effect);
      case "commit":
        return { kind: "committed", nodeId: effect.nodeId, answer: this.#commit(worker, effect.batch) };
      case "claim":
        return { kind: "claimed", placeId: effect.placeId, claimed: store.claim(effect.request, now) };
      case "intend": {
        const answer = store.intend(epoch, effect.placeId, effect.intents, now);
        if (answer.status === "done") {
          this.#stage.witness.wrote(epoch);
          this.#stage.witness.intended(effect.placeId, effect.intents, answer.standing);
        }
        return { kind: "intended", placeId: effect.placeId, answer };
      }
      case "lookup":
      case "send":
        return this.#call(worker, effect);
      case "settle":
        return this.#settle(worker, effect);
      case "finish":
        this.#finish(worker, effect.summary);
        return null;
    }
  }

  #commit({ epoch, plan }: Worker, batch: CommitBatch): CommitAnswer {
    this.#stage.witness.deciding(batch);
    if (this.#stage.actions.writesEarly) this.#stage.actions.write(batch.actions, "keyless", this.#stage.timeline.now);
    const answer = this.#stage.store.commit(epoch, batch, this.#stage.timeline.now);
    if (answer.status !== "done") return answer;
    this.#stage.witness.wrote(epoch);
    if (batch.position) this.#stage.witness.committed(epoch, plan.versionNumber, batch.position.of);
    this.#stage.witness.decided(epoch, batch);
    this.#stage.actions.letGo(batch.actionsOver);
    this.#stage.actions.write(batch.actions, "keyless", this.#stage.timeline.now);
    return answer;
  }

  #ask(worker: Worker, effect: Extract<Effect, { kind: "ask" }>): Input | "died" {
    const performs = effect.questions.some(({ kind }) => kind === "action");
    // Whoever has the lease by now may have had them performed already.
    const isSure = this.#stage.timeline.now < worker.deadline || this.#stage.faults.asksAnyway === true;
    if (performs && !isSure) return { kind: "leaseLost" };
    return this.#stage.errands.ask(effect) ?? "died";
  }

  #call(worker: Worker, effect: Extract<Effect, { kind: "lookup" | "send" }>): Input | null {
    // A worker that can't be sure of its lease sends nothing.
    if (this.#stage.timeline.now >= worker.deadline && !this.#stage.faults.ignoresDeadline)
      return { kind: "leaseLost" };
    if (effect.kind === "lookup") return this.#stage.outside.lookup(effect);
    if (this.#sender && !this.#stage.outside.isDownForWrites(effect.placeId)) {
      const { life } = worker;
      this.#sender.send(worker, effect, (input) => this.#give(worker, life, input));
      return null;
    }
    this.#stage.witness.sent(effect.placeId, worker.epoch, effect.operations);
    return this.#stage.outside.send(effect);
  }

  #settle(worker: Worker, { placeId, settlements }: Extract<Effect, { kind: "settle" }>): Input {
    const { now } = this.#stage.timeline;
    const answer = this.#stage.store.settle(worker.epoch, placeId, settlements, now);
    if (answer.status === "done") {
      this.#stage.witness.wrote(worker.epoch);
      this.#stage.witness.settled(placeId, settlements);
    }
    return { kind: "settled", placeId, answer };
  }

  #finish(worker: Worker, summary: CycleSummary): void {
    const { store, timeline, chance, rest, witness } = this.#stage;
    const before = store.resync;
    const isOurs = store.lease.epoch === worker.epoch;
    store.finish(worker.epoch, summary);
    witness.finished(worker.epoch, summary);
    if (before && !store.resync && store.signal === "cancelResync") store.signal = "none";
    worker.run = null;
    // What is still under way belongs to a run that is over.
    worker.life += 1;
    const { life } = worker;
    this.#mustReadAll = summary.nextAt !== null || summary.outcome !== "finished";
    timeline.later(isOurs ? rest(worker.plan, summary) : chance.between(300, 1_500), () => this.#wake(worker, life));
  }
}
