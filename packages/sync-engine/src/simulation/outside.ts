/** The way to the systems and back: refusals, broken connections, half-done batches, answers that never come. */
import type { SourceRecord, WriteOutcome } from "@accord/connector-sdk";
import type { Effect, Input, SystemFailure } from "../run/protocol.ts";
import type { Chance } from "./chance.ts";
import type { FakeSystem } from "./fake-system.ts";
import type { OutcomePlant } from "./plant.ts";
import type { Timeline } from "./timeline.ts";

export class Outside {
  readonly #systems: readonly FakeSystem[];
  readonly #timeline: Timeline;
  readonly #chance: Chance;
  readonly #plant: OutcomePlant | undefined;

  constructor(systems: readonly FakeSystem[], timeline: Timeline, chance: Chance, plant: OutcomePlant | undefined) {
    this.#systems = systems;
    this.#timeline = timeline;
    this.#chance = chance;
    this.#plant = plant;
  }

  #fails(probability: number): boolean {
    return this.#timeline.isBusy && this.#chance.happens(probability);
  }

  #systemAt(index: number): FakeSystem {
    const system = this.#systems[index];
    if (!system) throw new Error(`no system ${index}`);
    return system;
  }

  read(effect: Extract<Effect, { kind: "read" }>): Input {
    const { nodeId, ticket } = effect;
    const { now } = this.#timeline;
    const system = this.#systemAt(this.#systems.findIndex(({ name }) => `source-${name}` === nodeId));
    if (this.#fails(0.05)) return { kind: "readFailed", nodeId, ticket, failure: this.#failure(true) };
    const page =
      effect.mode === "all" ? system.readAll(effect.cursor, now, effect) : system.readChanges(effect.cursor, now);
    if (effect.mode === "changes" && system.traits.repeatsItself && this.#fails(0.2)) {
      const late = system.lateNews(this.#chance, now);
      if (late) page.records.push(late);
    }
    if (this.#chance.happens(0.2)) page.records.reverse();
    return { kind: "pageRead", nodeId, ticket, page };
  }

  /** Records that a person asked to try again, as they stand now. */
  readAgain(placeId: number, kept: readonly SourceRecord[]): SourceRecord[] {
    return this.#systemAt(placeId - 1).readAgain(kept, this.#timeline.now);
  }

  #failure(nothingDone: boolean): SystemFailure {
    const kind = this.#chance.pick(["rateLimited", "unavailable"]);
    const retryAfterMs = kind === "rateLimited" && this.#chance.happens(0.5) ? this.#chance.between(100, 3_000) : null;
    const failure = { kind, message: `simulated ${kind}`, retryable: true, nothingDone };
    return retryAfterMs === null ? failure : { ...failure, retryAfterMs };
  }

  lookup({ placeId, field, values }: Extract<Effect, { kind: "lookup" }>): Input {
    if (this.#fails(0.06)) return { kind: "sendFailed", placeId, failure: this.#failure(true) };
    const records = this.#systemAt(placeId - 1).lookup(field, values, this.#timeline.now);
    return { kind: "lookedUp", placeId, records };
  }

  send({ placeId, operations }: Extract<Effect, { kind: "send" }>): Input {
    const chance = this.#chance;
    const { now } = this.#timeline;
    const system = this.#systemAt(placeId - 1);
    if (this.#fails(0.06)) return { kind: "sendFailed", placeId, failure: this.#failure(true) };
    if (this.#fails(0.06)) {
      // The connection broke: some of it was done, nobody knows what.
      const done = chance.between(0, operations.length + 1);
      for (const operation of operations.slice(0, done)) system.write(operation, now);
      return { kind: "sendFailed", placeId, failure: this.#failure(false) };
    }
    const outcomes = operations.map((operation): WriteOutcome => {
      if (this.#fails(0.06)) return { status: "retry", message: "simulated: busy" };
      if (this.#fails(0.04)) {
        if (chance.happens(0.5)) system.write(operation, now);
        return { status: "unknown", message: "simulated: no answer" };
      }
      return system.write(operation, now);
    });
    return { kind: "sent", placeId, outcomes: this.#plant ? this.#plant(outcomes, operations) : outcomes };
  }
}
