/** The way to the systems and back: refusals, broken connections, half-done batches, answers that never come. */
import type { SourceRecord, WriteOperation, WriteOutcome } from "@accord/connector-sdk";
import type { Effect, Input, SystemFailure } from "@accord/sync-engine/run";
import type { Rng } from "../rng.ts";
import type { FakeSystem } from "./fake-system.ts";
import { isDown, type Outage } from "./outages.ts";
import type { OutcomeFault } from "../faults/injected-fault.ts";
import type { Timeline } from "../timeline.ts";

interface ConnectorCallsContext {
  systems: readonly FakeSystem[];
  timeline: Timeline;
  rng: Rng;
  fault: OutcomeFault | undefined;
  outages?: readonly Outage[];
}

/** Failures in a row after which a connector ends a request. */
const MAX_FAILURES = 3;
const DOWN = "simulated: 502";

export class FlakyNetwork {
  readonly #systems: readonly FakeSystem[];
  readonly #timeline: Timeline;
  readonly #rng: Rng;
  readonly #fault: OutcomeFault | undefined;
  readonly #outages: readonly Outage[];
  /** Records sent to systems that took no writes. */
  sentInVain = 0;

  constructor({ systems, timeline, rng, fault, outages = [] }: ConnectorCallsContext) {
    this.#systems = systems;
    this.#timeline = timeline;
    this.#rng = rng;
    this.#fault = fault;
    this.#outages = outages;
  }

  isDownForWrites(placeId: number): boolean {
    return this.#outageAt(placeId - 1, true) !== null;
  }

  #outageAt(index: number, isWrite: boolean): Outage | null {
    const { now } = this.#timeline;
    return (
      this.#outages.find((outage) => isDown(outage, index, now) && (isWrite || outage.of === "everything")) ?? null
    );
  }

  #fails(probability: number): boolean {
    return this.#timeline.isBusy && this.#rng.bool(probability);
  }

  #systemAt(index: number): FakeSystem {
    const system = this.#systems[index];
    if (!system) throw new Error(`no system ${index}`);
    return system;
  }

  read(effect: Extract<Effect, { kind: "read" }>): Input {
    const { nodeId, requestId } = effect;
    const { now } = this.#timeline;
    const index = this.#systems.findIndex(({ name }) => `source-${name}` === nodeId);
    const system = this.#systemAt(index);
    if (this.#outageAt(index, false) || this.#fails(0.05))
      return { kind: "readFailed", nodeId, requestId, failure: this.#failure(true) };
    const page =
      effect.mode === "all"
        ? system.readAll(effect.cursor, now, effect)
        : system.readChanges(effect.cursor, now, effect.since);
    if (effect.mode === "changes" && system.traits.repeatsItself && this.#fails(0.2)) {
      const late = system.lateNews(this.#rng, now);
      if (late) page.records.push(late);
    }
    if (this.#rng.bool(0.2)) page.records.reverse();
    return { kind: "pageRead", nodeId, requestId, page };
  }

  /** Records that a person asked to try again, as they stand now. */
  readAgain(placeId: number, kept: readonly SourceRecord[]): SourceRecord[] {
    return this.#systemAt(placeId - 1).readAgain(kept, this.#timeline.now);
  }

  getById({ nodeId, ids }: Extract<Effect, { kind: "getById" }>): Input {
    const index = this.#systems.findIndex(({ name }) => `source-${name}` === nodeId);
    if (this.#outageAt(index, false) || this.#fails(0.05))
      return { kind: "requestFailed", nodeId, placeId: null, failure: this.#failure(true) };
    const kept = ids.map((id) => ({ id, values: {} }));
    return { kind: "gotById", nodeId, records: this.#systemAt(index).readAgain(kept, this.#timeline.now) };
  }

  #failure(isSafeToRetry: boolean): SystemFailure {
    const kind = this.#rng.pick(["rateLimited", "unavailable"]);
    const retryAfterMs = kind === "rateLimited" && this.#rng.bool(0.5) ? this.#rng.between(100, 3_000) : null;
    const failure = { kind, message: `simulated ${kind}`, retryable: true, isSafeToRetry };
    return retryAfterMs === null ? failure : { ...failure, retryAfterMs };
  }

  lookup({ placeId, field, values }: Extract<Effect, { kind: "lookup" }>): Input {
    const isOut = this.#outageAt(placeId - 1, false) !== null;
    if (isOut || this.#fails(0.06)) return { kind: "sendFailed", placeId, failure: this.#failure(true) };
    const records = this.#systemAt(placeId - 1).lookup(field, values, this.#timeline.now);
    return { kind: "lookedUp", placeId, records };
  }

  send(effect: Extract<Effect, { kind: "send" }>): Input {
    const { placeId, operations } = effect;
    const rng = this.#rng;
    const { now } = this.#timeline;
    const system = this.#systemAt(placeId - 1);
    const outage = this.#outageAt(placeId - 1, true);
    if (outage) return this.#sendInVain(outage, placeId, operations);
    if (this.#fails(0.06)) return { kind: "sendFailed", placeId, failure: this.#failure(true) };
    if (this.#fails(0.06)) {
      // The connection broke: some of it was done, nobody knows what.
      const done = rng.between(0, operations.length + 1);
      for (const operation of operations.slice(0, done)) system.write(operation, now);
      return { kind: "sendFailed", placeId, failure: this.#failure(false) };
    }
    const outcomes = operations.map((operation): WriteOutcome => {
      if (this.#fails(0.06)) return { status: "retry", message: "simulated: busy" };
      if (this.#fails(0.04)) {
        if (rng.bool(0.5)) system.write(operation, now);
        return { status: "unknown", message: "simulated: no answer" };
      }
      return system.write(operation, now);
    });
    return this.sent(effect, outcomes);
  }

  /** Three failures in a row end a request: what comes after them is not sent. */
  #sendInVain({ isUnsure }: Outage, placeId: number, operations: readonly WriteOperation[]): Input {
    const { now } = this.#timeline;
    const outcomes = operations.map((operation, index): WriteOutcome => {
      if (index >= MAX_FAILURES) return { status: "retry", message: DOWN, neverSent: true };
      this.sentInVain += 1;
      if (!isUnsure) return { status: "retry", message: DOWN };
      if (this.#rng.bool(0.1)) this.#systemAt(placeId - 1).write(operation, now);
      return { status: "unknown", message: DOWN };
    });
    return { kind: "sent", placeId, outcomes };
  }

  /** One operation of a batch that is sent step by step; null: the connection broke. */
  writeOne(placeId: number, operation: WriteOperation): WriteOutcome | null {
    const system = this.#systemAt(placeId - 1);
    const { now } = this.#timeline;
    if (this.#outageAt(placeId - 1, true)) {
      this.sentInVain += 1;
      return { status: "retry", message: DOWN };
    }
    if (this.#fails(0.04)) return { status: "retry", message: "simulated: busy" };
    if (!this.#fails(0.06)) return system.write(operation, now);
    if (this.#rng.bool(0.5)) system.write(operation, now);
    return this.#rng.bool(0.5) ? { status: "unknown", message: "simulated: no answer" } : null;
  }

  sent({ placeId, operations }: Extract<Effect, { kind: "send" }>, outcomes: WriteOutcome[]): Input {
    return { kind: "sent", placeId, outcomes: this.#fault ? this.#fault(outcomes, operations) : outcomes };
  }

  brokenOff(placeId: number): Input {
    return { kind: "sendFailed", placeId, failure: this.#failure(false) };
  }
}
