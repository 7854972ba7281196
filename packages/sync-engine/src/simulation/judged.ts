/** What a simulated history is judged by once it is over. */
import type { FakeSystem } from "./fake-system.ts";
import type { MemoryStore } from "./memory-store.ts";
import type { Authority } from "./scenario.ts";
import type { Story } from "./story.ts";

export interface Judged {
  systems: readonly FakeSystem[];
  store: MemoryStore;
  authority: Authority;
  story: Story;
}
