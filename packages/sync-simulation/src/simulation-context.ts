/** A worker of a pipeline, and what it works with. */
import type { CycleSummary, Plan, Run } from "@accord/sync-engine/run";
import type { Rng } from "./rng.ts";
import type { ActionRunner } from "./action-runner.ts";
import type { MemoryActions } from "./memory/memory-actions.ts";
import type { MemoryStore } from "./memory/memory-store.ts";
import type { FlakyNetwork } from "./systems/flaky-network.ts";
import type { InjectedFault, WorkerFaults } from "./faults/injected-fault.ts";
import type { Company, CycleContext } from "./cycle-context.ts";
import type { Timeline } from "./timeline.ts";
import type { InvariantChecker } from "./invariants/invariant-checker.ts";

export interface Worker {
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
  /** Where several pipelines share its process. */
  cycleContext: CycleContext | null;
}

/** What workers work with. */
export interface SimulationContext {
  rng: Rng;
  timeline: Timeline;
  store: MemoryStore;
  actions: MemoryActions;
  outside: FlakyNetwork;
  actionRunner: ActionRunner;
  checker: InvariantChecker;
  fault: InjectedFault;
  faults: WorkerFaults;
  /** Batches are sent operation by operation. */
  isStepwise: boolean;
  /** Where sources start that have no position yet, UTC ISO-8601. */
  since: string | null;
  /** Null: no other pipelines are there. */
  company: Company | null;
  /** The published one. */
  plan: () => Plan;
  log: (who: string, what: unknown) => void;
  /** A cycle of the living epoch has ended; answers when the next one begins, milliseconds from now. */
  rest: (plan: Plan, summary: CycleSummary) => number;
}
