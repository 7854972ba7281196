/** What summaries of cycles say: whether there is anything to report one, and that of one that could not begin. */
import { type CycleProblem, type CycleSummary, noCounts } from "@accord/sync-engine/run";

export const total = (counts: { [key: string]: number }): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

/** Cycles that found nothing to do and met no trouble leave no row. */
export function hasEffect({ counts, problems, outcome }: CycleSummary): boolean {
  const done = counts.created + counts.updated + counts.deleted + counts.refused + counts.quarantined;
  return done + total(counts.delivered) + problems.length > 0 || outcome !== "finished";
}

type Said = Pick<CycleSummary, "problems">;
type Failures = CycleSummary["failures"];

/**
 * What an earlier cycle said of sources that this one has not read to their end: nothing shows that it is over. Said anew,
 * the newer problem stands in its place. `sources`: nodes that are still there; null where that is not known.
 */
export const standingAfter = (
  { problems, readThrough = [] }: CycleSummary,
  before: Said | null,
  sources: readonly string[] | null,
): CycleProblem[] =>
  (before?.problems ?? []).filter(
    (problem) =>
      problem.isOfSource === true &&
      !(problem.nodeId !== null && readThrough.includes(problem.nodeId)) &&
      (sources === null || problem.nodeId === null || sources.includes(problem.nodeId)) &&
      !problems.some((newer) => subjectOf(newer) === subjectOf(problem)),
  );

const subjectOf = ({ nodeId, code, message, targetId }: CycleProblem): string =>
  JSON.stringify([nodeId, code, message, targetId ?? null]);

/** Without warnings that the cycle before gave in the same words of the same records: they are told once. */
const withoutRepeated = (summary: CycleSummary, before: Said | null): CycleSummary => ({
  ...summary,
  problems: summary.problems.filter(
    (problem) =>
      problem.severity !== "warning" || problem.count === undefined || !isAmong(problem, before?.problems ?? []),
  ),
});

/**
 * What a cycle has that the one before had not: no repeated warnings, and no failures of systems that were left alone,
 * since it was too early to ask them again. A cycle in which nothing else went wrong counts as finished.
 */
export function newsOf(summary: CycleSummary, before: { lastCycle: Said | null; failures: Failures }): CycleSummary {
  const untried = Object.entries(summary.failures).flatMap(([placeId, { attempts, problem }]) =>
    before.failures[Number(placeId)]?.attempts === attempts ? [problem] : [],
  );
  const { problems, outcome } = withoutRepeated(summary, before.lastCycle);
  const news = problems.filter((problem) => !isAmong(problem, untried));
  const isOnlyStanding = outcome === "failed" && !news.some(({ severity }) => severity === "error");
  return { ...summary, problems: news, outcome: isOnlyStanding ? "finished" : outcome };
}

const isAmong = (problem: CycleProblem, others: readonly CycleProblem[]): boolean =>
  others.some((other) => keyOf(other) === keyOf(problem));

const keyOf = ({ severity, nodeId, code, message, detail, targetId, count }: CycleProblem): string =>
  JSON.stringify([severity, nodeId, code, message, detail, targetId ?? null, count ?? null]);

/** The pipeline could not run, or its cycle broke off: the message says why, or what to do. */
export function emptySummary(
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
