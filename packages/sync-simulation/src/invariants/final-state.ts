/** What a simulated history is judged by once it is over. */
import type { FakeSystem } from "../systems/fake-system.ts";
import type { MemoryStore } from "../memory/memory-store.ts";
import type { Authority } from "../scenario/pipeline-fixture.ts";
import type { Scenario } from "../scenario/scenario.ts";

export interface FinalState {
  systems: readonly FakeSystem[];
  store: MemoryStore;
  authority: Authority;
  scenario: Scenario;
}
