/** A worker of a pipeline, and what it works with. */
import type { Plan } from "../run/plan/plan.ts";
import type { CycleSummary } from "../run/protocol/protocol.ts";
import type { Run } from "../run/run.ts";
import type { Chance } from "./chance.ts";
import type { Errands } from "./errands.ts";
import type { MemoryActions } from "./memory-actions.ts";
import type { MemoryStore } from "./memory-store.ts";
import type { Outside } from "./outside.ts";
import type { Plant, WorkerFaults } from "./plant.ts";
import type { Company, Seat } from "./seat.ts";
import type { Timeline } from "./timeline.ts";
import type { Witness } from "./witness.ts";

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
  seat: Seat | null;
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
  /** Null: no other pipelines are there. */
  company: Company | null;
  /** The published one. */
  plan: () => Plan;
  tell: (who: string, what: unknown) => void;
  /** A cycle of the living epoch has ended; answers when the next one begins, milliseconds from now. */
  rest: (plan: Plan, summary: CycleSummary) => number;
}
