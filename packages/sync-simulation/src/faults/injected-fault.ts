/** What an injected fault may change: the engine's storage, its plan, what it hears and does, and the workers around it. */
import type { WriteOperation, WriteOutcome } from "@accord/connector-sdk";
import type { Effect, Input, Plan } from "@accord/sync-engine/run";
import type { Rng } from "../rng.ts";
import type { HostFaults } from "../host.ts";
import type { LimitFaults } from "../systems/limited-calls.ts";
import type { ActionFaults } from "../memory/memory-actions.ts";
import type { StoreFaults } from "../memory/memory-store.ts";
import type { ReaderFaults } from "../systems/row-passes.ts";
import type { Scenario } from "../scenario/scenario.ts";

/** Faults injected into the engine's surroundings, to see that simulations catch them. */
export interface InjectedFault {
  store?: StoreFaults;
  actions?: ActionFaults;
  plan?: (plan: Plan) => Plan;
  /** A seed that shows it, where few do: histories are played from there. */
  from?: number;
  /** Stories in which it can show; the others are not worth playing with it. */
  shows?: (scenario: Scenario) => boolean;
  /** Changes an effect before it is done, or drops it (null). */
  effect?: (effect: Effect, rng: Rng) => Effect | null;
  input?: (input: Input, rng: Rng) => Input;
  outcomes?: OutcomeFault;
  worker?: WorkerFaults;
  reader?: ReaderFaults;
  host?: HostFaults;
  limits?: LimitFaults;
}

export interface WorkerFaults {
  /** Sends though its lease may be over. */
  ignoresDeadline?: boolean;
  /** Looks at its lease before a batch, and not again before each of its operations. */
  checksLeaseOncePerBatch?: boolean;
  /** Has actions performed though its lease may be over. */
  asksAnyway?: boolean;
  /** Goes by its own clock, which jumps, instead of the storage's. */
  trustsOwnClock?: boolean;
  /** Does not look whether missing references have turned up. */
  skipsReferences?: boolean;
}

/** Rewrites what a destination answered. */
export type OutcomeFault = (outcomes: WriteOutcome[], operations: readonly WriteOperation[]) => WriteOutcome[];

/** By name, each with what it does to the engine in words. */
export type NamedFaults = Readonly<Record<string, InjectedFault & { says: string }>>;
