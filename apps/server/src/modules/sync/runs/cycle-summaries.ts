/** What summaries of cycles say: whether there is anything to tell of one, and that of one that could not begin. */
import { type CycleSummary, noCounts } from "@accord/sync-engine/run";

export const total = (counts: { [key: string]: number }): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

/** Cycles that found nothing to do and met no trouble leave no row. */
export function hasDone({ counts, problems, outcome }: CycleSummary): boolean {
  const done = counts.created + counts.updated + counts.deleted + counts.refused + counts.quarantined;
  return done + total(counts.delivered) + problems.length > 0 || outcome !== "finished";
}

/** The pipeline can't run as things are; the message says what to do. */
export function summaryOfNone(message: string, failures: CycleSummary["failures"]): CycleSummary {
  return {
    outcome: "failed",
    counts: noCounts(),
    problems: [{ severity: "error", nodeId: null, code: "not_ready", message, detail: null }],
    failures,
    positions: [],
    resync: null,
    nextAt: null,
  };
}
