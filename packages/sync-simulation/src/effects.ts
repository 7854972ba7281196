/** Does what the engine asks for: storage in memory, systems outside, and what they answer. */
import type { CommitBatch, CommitResult, CycleSummary, Effect, Input } from "@accord/sync-engine/run";
import type { SimulationContext, Worker } from "./simulation-context.ts";
import { matchPage } from "./memory/page-matches.ts";
import { StepwiseSender } from "./systems/stepwise-send.ts";

interface EffectsParts {
  /** Gives a worker's run an answer that came later. */
  give: (worker: Worker, life: number, input: Input) => void;
  finish: (worker: Worker, summary: CycleSummary) => void;
}

export class Effects {
  readonly #stage: SimulationContext;
  readonly #parts: EffectsParts;
  readonly #sender: StepwiseSender | null;

  constructor(stage: SimulationContext, parts: EffectsParts) {
    this.#stage = stage;
    this.#parts = parts;
    this.#sender = stage.isStepwise ? new StepwiseSender(stage) : null;
  }

  /** What came of it; null: nothing, or not yet. "died": the worker, while it was at it. */
  perform(worker: Worker, effect: Effect): Input | "died" | null {
    const { epoch } = worker;
    const store = this.#stage.store;
    const { now } = this.#stage.timeline;
    switch (effect.kind) {
      case "read":
        return this.#stage.outside.read(effect);
      case "getById":
        return this.#stage.outside.getById(effect);
      case "resolve": {
        const { nodeId, requestId } = effect;
        return { kind: "resolved", nodeId, requestId, resolved: store.resolve(effect.request) };
      }
      case "match":
        return matchPage(effect, store);
      case "prepare":
        this.#stage.checker.prepared(() => store.prepare(epoch, effect.batch, now));
        return null;
      case "ask":
        return this.#ask(worker, effect);
      case "commit":
        return { kind: "committed", nodeId: effect.nodeId, answer: this.commit(worker, effect.batch) };
      case "claim":
        return { kind: "claimed", placeId: effect.placeId, claimed: store.claim(effect.request, now) };
      case "intend": {
        const answer = store.intend(epoch, effect.placeId, effect.intents, now);
        if (answer.status === "done") {
          this.#stage.checker.wrote(epoch);
          this.#stage.checker.intended(effect.placeId, effect.intents, answer.standing);
        }
        return { kind: "intended", placeId: effect.placeId, answer };
      }
      case "lookup":
      case "send":
        return this.#call(worker, effect);
      case "settle":
        return this.#settle(worker, effect);
      case "finish":
        this.#parts.finish(worker, effect.summary);
        return null;
    }
  }

  commit({ epoch, plan }: Worker, batch: CommitBatch): CommitResult {
    this.#stage.checker.deciding(batch);
    if (this.#stage.actions.writesEarly) this.#stage.actions.write(batch.actions, "keyless", this.#stage.timeline.now);
    const answer = this.#stage.store.commit(epoch, batch, this.#stage.timeline.now);
    if (answer.status !== "done") return answer;
    this.#stage.checker.wrote(epoch);
    if (batch.position) this.#stage.checker.committed(epoch, plan.versionNumber, batch.position.of);
    this.#stage.checker.decided(epoch, batch);
    this.#stage.actions.letGo(batch.endedOccurrences);
    this.#stage.actions.write(batch.actions, "keyless", this.#stage.timeline.now);
    return answer;
  }

  #ask(worker: Worker, effect: Extract<Effect, { kind: "ask" }>): Input | "died" {
    const performs = effect.dataRequests.some(({ kind }) => kind === "action");
    // Whoever has the lease by now may have had them performed already.
    const isSure = this.#stage.timeline.now < worker.deadline || this.#stage.faults.asksAnyway === true;
    if (performs && !isSure) return { kind: "leaseLost" };
    return this.#stage.actionRunner.ask(effect) ?? "died";
  }

  #call(worker: Worker, effect: Extract<Effect, { kind: "lookup" | "send" }>): Input | null {
    // A worker that can't be sure of its lease sends nothing.
    if (this.#stage.timeline.now >= worker.deadline && !this.#stage.faults.ignoresDeadline)
      return { kind: "leaseLost" };
    if (effect.kind === "lookup") return this.#stage.outside.lookup(effect);
    if (this.#sender && !this.#stage.outside.isDownForWrites(effect.placeId)) {
      const { life } = worker;
      this.#sender.send(worker, effect, (input) => {
        worker.cycleContext?.ends(effect);
        this.#parts.give(worker, life, input);
      });
      return null;
    }
    this.#stage.checker.sent(effect.placeId, worker.epoch, effect.operations);
    return this.#stage.outside.send(effect);
  }

  #settle(worker: Worker, { placeId, settlements }: Extract<Effect, { kind: "settle" }>): Input {
    const { now } = this.#stage.timeline;
    const answer = this.#stage.store.settle(worker.epoch, placeId, settlements, now);
    if (answer.status === "done") {
      this.#stage.checker.wrote(worker.epoch);
      this.#stage.checker.settled(placeId, settlements);
    }
    return { kind: "settled", placeId, answer };
  }
}
