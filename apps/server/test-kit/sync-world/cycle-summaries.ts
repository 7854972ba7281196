/** What a cycle says of itself in the end, for tests of what is done with it. */
import { type CycleSummary, noCounts } from "@accord/sync-engine/run";

/** A cycle that came to its end; nothing happened but what `told` says. */
export const finishedCycle = (told: Partial<CycleSummary> = {}): CycleSummary => ({
  outcome: "finished",
  counts: noCounts(),
  problems: [],
  failures: {},
  positions: [],
  resync: null,
  nextAt: null,
  ...told,
});
