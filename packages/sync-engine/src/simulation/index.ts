/** Deterministic simulation of the engine with failing systems and workers. */
export { FOUND_SEEDS } from "./found-seeds.ts";
export { MemoryStore } from "./memory-store.ts";
export { MUTATIONS } from "./mutations.ts";
export { play, record } from "./play.ts";
export { PLANTS } from "./plants.ts";
export type { StoreCommand, TimedCommand } from "./recorded-store.ts";
export { contactFields, contactGraph, contactSchema, type ScenarioSystem } from "./scenario.ts";
export { simulate, type SimulationReport } from "./simulate.ts";
export type { History, RecordedHistory } from "./history.ts";
