/** Sends a batch operation by operation, as connectors do: the worker may sleep between two of them, past its lease. */
import type { WriteOutcome } from "@accord/connector-sdk";
import type { Effect, Input } from "@accord/sync-engine/run";
import type { Rng } from "../rng.ts";
import type { FlakyNetwork } from "./flaky-network.ts";
import type { WorkerFaults } from "../faults/injected-fault.ts";
import type { Timeline } from "../timeline.ts";
import type { InvariantChecker } from "../invariants/invariant-checker.ts";

type Send = Extract<Effect, { kind: "send" }>;

/** Whoever sends: it may crash, sleep, and own its lease no longer. */
export interface SendingWorker {
  life: number;
  epoch: number;
  deadline: number;
  asleepUntil: number;
}

interface SendParts {
  timeline: Timeline;
  rng: Rng;
  outside: FlakyNetwork;
  checker: InvariantChecker;
  faults: WorkerFaults;
}

interface Batch {
  worker: SendingWorker;
  life: number;
  effect: Send;
  outcomes: WriteOutcome[];
  answer: (input: Input) => void;
}

const MAX_WIRE_MS = 40;
const SLEEP_PROBABILITY = 0.04;

export class StepwiseSender {
  readonly #parts: SendParts;

  constructor(parts: SendParts) {
    this.#parts = parts;
  }

  send(worker: SendingWorker, effect: Send, answer: Batch["answer"]): void {
    this.#next({ worker, life: worker.life, effect, outcomes: [], answer });
  }

  #next(batch: Batch): void {
    const { timeline, rng, outside, checker, faults } = this.#parts;
    const { worker, effect, outcomes, life } = batch;
    if (worker.life !== life) return;
    const { now, isBusy } = timeline;
    if (worker.asleepUntil > now) {
      timeline.later(worker.asleepUntil - now, () => this.#next(batch));
      return;
    }
    const operation = effect.operations[outcomes.length];
    if (!operation) {
      batch.answer(outside.sent(effect, outcomes));
      return;
    }
    const isChecked = outcomes.length === 0 || !faults.checksLeaseOncePerBatch;
    if (isChecked && now >= worker.deadline && !faults.ignoresDeadline) {
      batch.answer({ kind: "leaseLost" });
      return;
    }
    checker.sent(effect.placeId, worker.epoch, [operation]);
    // From here on it is on the wire: what becomes of the worker makes no difference to it.
    timeline.later(rng.between(1, MAX_WIRE_MS), () => {
      const outcome = outside.writeOne(effect.placeId, operation);
      if (outcome) outcomes.push(outcome);
      if (isBusy && rng.bool(SLEEP_PROBABILITY)) {
        worker.asleepUntil = Math.max(worker.asleepUntil, timeline.now + rng.between(2_000, 15_000));
      }
      timeline.later(1, () => (outcome ? this.#next(batch) : this.#abortCycle(batch)));
    });
  }

  /** The connection broke: nobody knows what became of the last operation. */
  #abortCycle(batch: Batch): void {
    const { timeline, outside } = this.#parts;
    if (batch.worker.life !== batch.life) return;
    const delay = Math.max(1, batch.worker.asleepUntil - timeline.now);
    timeline.later(delay, () => {
      if (batch.worker.life === batch.life) batch.answer(outside.brokenOff(batch.effect.placeId));
    });
  }
}
