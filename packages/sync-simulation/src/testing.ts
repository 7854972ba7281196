/** What the engine's own tests drive a pipeline with: systems in memory, a store in memory and a clock that they wind. */
export { FakeSystem, START } from "./systems/fake-system.ts";
export { moment } from "./systems/system-clock.ts";
export { PLAIN_TRAITS } from "./fixtures/plain-traits.ts";
export { PipelineDriver, type DriverOptions } from "./pipeline-driver.fixtures.ts";
export { planFor, type Authority, type GraphChanges } from "./scenario/pipeline-fixture.ts";
export { createRng, type Rng } from "./rng.ts";
export type { Duplicates } from "./scenario/scenario.ts";
export type { SystemTraits } from "./systems/system-traits.ts";
