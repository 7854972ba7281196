/** What summaries of cycles say: whether there is anything to tell of one, and that of one that could not begin. */
import { type CycleSummary, noCounts } from "@accord/sync-engine/run";

export const total = (counts: { [key: string]: number }): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

/** Cycles that found nothing to do and met no trouble leave no row. */
export function hasDone({ counts, problems, outcome }: CycleSummary): boolean {
  const done = counts.created + counts.updated + counts.deleted + counts.refused + counts.quarantined;
  return done + total(counts.delivered) + problems.length > 0 || outcome !== "finished";
}

/** The pipeline could not run, or its cycle broke off: the message says why, or what to do. */
export function summaryOfNone(
  { code, message, detail = null }: { code: string; message: string; detail?: string | null },
  failures: CycleSummary["failures"],
): CycleSummary {
  return {
    outcome: "failed",
    counts: noCounts(),
    problems: [{ severity: "error", nodeId: null, code, message, detail }],
    failures,
    positions: [],
    resync: null,
    nextAt: null,
  };
}
