/** A cycle's seat in a server process: its slot, and the ways of its calls to systems that several pipelines share. */
import type { CycleSlot, Effect, Input, Plan, SystemFailure } from "@accord/sync-engine/run";
import type { Host } from "./host.ts";
import type { LimitedCalls } from "./systems/limited-calls.ts";

/** What a pipeline shares with others. */
export interface Company {
  /** Number of the pipeline among them. */
  pipeline: number;
  /** One for each of its workers. */
  hosts: readonly Host[];
  /** A system's name among all of them, by place. */
  connectorAt: (placeId: number) => string;
}

interface SeatParts {
  company: Company;
  host: Host;
  slot: CycleSlot;
  plan: Plan;
  /** What becomes of the cycle when its process crashes. */
  down: () => void;
}

/** Effects that are calls of a system, with how they end where the call is not made. */
const notMade = (effect: Effect, failure: SystemFailure): Input => {
  switch (effect.kind) {
    case "read":
      return { kind: "readFailed", nodeId: effect.nodeId, requestId: effect.requestId, failure };
    case "getById":
      return { kind: "requestFailed", nodeId: effect.nodeId, placeId: null, failure };
    case "lookup":
    case "send":
      return { kind: "sendFailed", placeId: effect.placeId, failure };
    default:
      throw new Error(`${effect.kind} calls no system`);
  }
};

export class CycleContext {
  readonly #parts: SeatParts;
  readonly #over: () => void;
  /** Effects under way, with how to say that they are over. */
  readonly #busy = new Map<Effect, () => void>();

  constructor(parts: SeatParts) {
    this.#parts = parts;
    this.#over = parts.host.runs(parts.slot, parts.down);
  }

  get host(): Host {
    return this.#parts.host;
  }

  /** The effect is under way from now on. */
  begins(effect: Effect): void {
    const { host, slot } = this.#parts;
    if (effect.kind !== "finish") this.#busy.set(effect, host.occupy(slot, this.#use(effect)));
  }

  ends(effect: Effect): void {
    this.#busy.get(effect)?.();
    this.#busy.delete(effect);
  }

  leave(): void {
    this.#over();
  }

  /** Makes a call in its turn, or answers what it means that it was not made; false: it need not wait for any. */
  makesCall(effect: Effect, goes: () => void, answers: (input: Input) => void): boolean {
    const connectorId = this.#calledBy(effect);
    const way: LimitedCalls | null = connectorId === null ? null : this.#parts.host.callsTo(connectorId);
    if (!way) return false;
    way.call({
      traffic: effect.kind === "read" && effect.mode === "all" ? "resync" : "live",
      by: this,
      goes,
      refused: (failure) => answers(notMade(effect, failure)),
    });
    return true;
  }

  get isWaiting(): boolean {
    return [...this.#parts.host.allCalls].some((calls) => calls.isWaiting(this));
  }

  /** Calls that wait are not made. */
  giveUp(): void {
    for (const calls of this.#parts.host.allCalls) calls.giveUp(this);
  }

  #use(effect: Effect): string | null {
    return effect.kind === "ask" ? "" : this.#calledBy(effect);
  }

  /** The system that the effect calls. */
  #calledBy(effect: Effect): string | null {
    const { company, plan } = this.#parts;
    switch (effect.kind) {
      case "read":
      case "getById": {
        const source = plan.sources.find(({ nodeId }) => nodeId === effect.nodeId);
        return source ? company.connectorAt(source.place.id) : null;
      }
      case "lookup":
      case "send":
        return company.connectorAt(effect.placeId);
      default:
        return null;
    }
  }
}
