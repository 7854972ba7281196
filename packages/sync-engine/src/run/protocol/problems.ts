/** What people learn of a cycle: records that went on without something, records quarantined, systems that failed. */
import type { RecordWarning } from "./inbound-record.ts";
import type { FailureRecord, SystemFailure } from "./protocol.ts";
import { systemDelay } from "./retry.ts";
import type { Run } from "../run.ts";
import type { QuarantineWrite } from "./quarantine-entries.ts";

const WARNINGS_KEPT = 200;

/** Tells people what records went on without: each reason of a node once, with how many records and one of them. */
export function recordWarnings(run: Run, warnings: readonly RecordWarning[]): void {
  for (const { nodeId, code, message, record, field, sample, isOfSource } of warnings) {
    const known = run.problems.find(
      (one) =>
        one.count !== undefined &&
        one.nodeId === nodeId &&
        one.code === code &&
        one.message === message &&
        one.targetId === field,
    );
    if (known) known.count = (known.count ?? 0) + 1;
    else if (run.problems.length < WARNINGS_KEPT) {
      const isRelevant = field === undefined ? {} : { targetId: field };
      run.problems.push({
        severity: "warning",
        nodeId,
        code,
        message,
        detail: sample ?? record,
        count: 1,
        ...isRelevant,
        ...(isOfSource ? { isOfSource } : {}),
      });
    }
  }
}

/** Records quarantined, as people learn of them. */
export const warningsOfQuarantine = (entries: readonly QuarantineWrite[], nodeId: string): RecordWarning[] =>
  entries.map((entry) => ({
    nodeId: entry.nodeId ?? nodeId,
    code: entry.code,
    message: entry.message,
    record: entry.externalId ?? entry.recordId ?? "",
  }));

/** Counts a system's failure in a row, says when to try again and tells the person why it stands. */
export function recordFailure(
  run: Run,
  { placeId, nodeId, isOfWrites }: { placeId: number; nodeId: string; isOfWrites?: boolean },
  failure: SystemFailure,
  now: number,
): void {
  const before = run.failures[placeId];
  const attempts = (before?.attempts ?? 0) + 1;
  const isPatience = failure.kind === "rateLimited";
  clearFailure(run, placeId);
  const failed: FailureRecord = {
    attempts,
    since: before?.since ?? now,
    nextAt: now + systemDelay(attempts, failure.retryAfterMs),
    problem: {
      // Asking for patience is no fault: the cycle goes on with the rest and comes back.
      severity: isPatience ? "warning" : "error",
      nodeId,
      code: failure.kind,
      message: failure.message,
      detail: failure.hint ?? null,
    },
    ...(isPatience ? { isPatience } : {}),
    ...(isOfWrites ? { isOfWrites } : {}),
  };
  run.failures[placeId] = failed;
  waitFor(run, failed);
}

/** The place works: what was said of its failure is over. */
export function clearFailure(run: Run, placeId: number): void {
  const failed = run.failures[placeId];
  if (!failed) return;
  run.problems = run.problems.filter((problem) => problem !== failed.problem);
  delete run.failures[placeId];
}

/** Whether the place failed so lately that nothing is asked of it now. The cycle says so, and the next one comes in time. */
export function isLeftAlone(run: Run, placeId: number, now: number): boolean {
  const failed = run.failures[placeId];
  if (!failed || failed.nextAt <= now) return false;
  waitFor(run, failed);
  return true;
}

function waitFor(run: Run, { nextAt, problem }: FailureRecord): void {
  run.nextAt = Math.min(run.nextAt ?? nextAt, nextAt);
  if (!run.problems.includes(problem)) run.problems.push(problem);
}
