/** Deterministic simulation of the engine with failing systems and workers. */
export { REGRESSION_SEEDS } from "./regression-seeds.ts";
export { MemoryStore } from "./memory/memory-store.ts";
export { boundedMatches } from "./memory/bounded-matches.ts";
export { MUTATIONS } from "./mutations.ts";
export { runSimulation, record } from "./run-simulation.ts";
export { FAULTS } from "./faults/faults.ts";
export type { StoreCommand, TimedCommand } from "./memory/recorded-store.ts";
export { contactFields, contactGraph, contactSchema, type ScenarioSystem } from "./scenario/pipeline-fixture.ts";
export { simulate, type SimulationReport } from "./simulate.ts";
export type { SimulationRun, RecordedRun } from "./simulation-run.ts";
