/** What is asked of a simulated history, and what comes of it. */
import type { Plan } from "@accord/sync-engine/run";
import type { MemoryStore } from "./memory/memory-store.ts";
import type { TimedCommand } from "./memory/recorded-store.ts";
import type { Company } from "./cycle-context.ts";
import type { Scenario } from "./scenario/scenario.ts";
import type { Timeline } from "./timeline.ts";

export interface SimulationRun {
  seed: number;
  lost: string[];
  doubled: string[];
  violations: string[];
  stuck: boolean;
  steps: number;
}

/** Told everything that happens, one line each, when somebody wants to read a history. */
export type Trace = (line: string) => void;

export interface RecordedRun {
  /** Every command its storage was given, in order, with what it answered. */
  commands: readonly TimedCommand[];
  /** The storage as it stands in the end. */
  store: MemoryStore;
  plan: Plan;
}

/** In what the world of a pipeline differs from one that it has for itself and of which nobody keeps a record. */
export interface SimulationOptions {
  scenario: Scenario;
  trace?: Trace | undefined;
  isRecorded?: boolean;
  /** What several pipelines share. */
  shared?: { timeline: Timeline; company: Company } | undefined;
}
