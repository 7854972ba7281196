/** What people see of a running pipeline: its state name, activity, problems and resync, from its one row. */
import { syncRefusals } from "@accord/contracts/messages/en/sync/run/refusals";
import type { ResyncDetails, SyncStatus } from "@accord/contracts/sync/pipelines";
import type { RunProblem } from "@accord/contracts/sync/monitoring/runs";
import type { CycleProblem } from "@accord/sync-engine/run";
import type { PipelineRow } from "../schedule/pipeline-rows.store.ts";

/** A worker that says nothing for this long has stalled. */
export const STALLED_MS = 15 * 60_000;

export interface SyncStateView {
  status: SyncStatus;
  currentActivity: string;
  errors: RunProblem[];
  warnings: RunProblem[];
  resync: ResyncDetails | null;
}

export function syncState(row: PipelineRow): SyncStateView {
  const problems = row.lastCycle?.problems ?? [];
  const errors = grouped(problems.filter(({ severity }) => severity === "error"));
  const status = statusOf(row);
  return {
    status,
    currentActivity: activityOf(status, row),
    errors: row.error ? [problemOf(row.error), ...errors] : errors,
    warnings: grouped(problems.filter(({ severity }) => severity === "warning")),
    resync: resyncOf(row, status),
  };
}

function activityOf(status: SyncStatus, { activity, isRunning }: PipelineRow): string {
  if (status === "PAUSED" || status === "ERROR") return "Idle";
  return status === "RETRYING" && !isRunning ? syncRefusals.waitingToTryAgain : activity;
}

function statusOf(row: PipelineRow): SyncStatus {
  if (row.isPaused) return row.isRunning && !row.isProbing ? "PAUSING" : row.error ? "ERROR" : "PAUSED";
  if (row.silentMs > STALLED_MS || (row.stalledAt !== null && !row.isRunning)) return "STALLED";
  if (row.resync) return "RESYNCING";
  // A cycle that looks whether a system works again is no better state than the wait for it.
  if (failingSince(row) !== null || (!row.isRunning && row.lastCycle?.outcome === "failed")) return "RETRYING";
  if (row.isRunning) return "RUNNING";
  return row.lastFinishedAt === null ? "QUEUED" : "RUNNING";
}

/** When the earliest of its systems began to fail that still does, milliseconds; null when all work. */
function failingSince({ failures }: Pick<PipelineRow, "failures">): number | null {
  const since = Object.values(failures).flatMap((failed) => (failed.isPatience ? [] : [failed.since]));
  return since.length > 0 ? Math.min(...since) : null;
}

/** End of the last cycle in which no system failed; null before the first. */
export function lastCompletedAt(row: Pick<PipelineRow, "failures" | "lastFinishedAt">): string | null {
  const since = failingSince(row);
  if (since === null || row.lastFinishedAt === null) return row.lastFinishedAt;
  return new Date(Math.min(since, Date.parse(row.lastFinishedAt))).toISOString();
}

function resyncOf(row: PipelineRow, status: SyncStatus): ResyncDetails | null {
  if (!row.resync && !row.lastResyncAt) return null;
  const { recordsRead = 0, reading = 0, about = null } = row.resync ?? {};
  return {
    status: row.resync?.status ?? null,
    syncStatus: status,
    startTime: row.resync?.requestedAt ?? null,
    lastResyncTime: row.lastResyncAt,
    // What is read to the last may be more than was known before: only the end is the whole.
    progressPercentage: about === null ? null : Math.min(99, Math.floor((100 * (recordsRead + reading)) / about)),
    recordsRead: recordsRead + reading,
  };
}

const problemOf = (error: { message: string; detail: string | null }): RunProblem => ({
  nodeId: null,
  targetId: null,
  code: "paused_in_error",
  errorMessage: error.message,
  errorDetail: error.detail ?? "",
  count: 1,
});

/**
 * Warnings with the actions that failed, the most frequent first. What the last cycle said of one of these is said
 * already.
 */
export function withActions(warnings: readonly RunProblem[], failed: readonly RunProblem[] = []): RunProblem[] {
  const keyOf = ({ nodeId, code }: RunProblem): string => `${nodeId} ${code}`;
  const known = new Set(failed.map(keyOf));
  const others = warnings.filter((warning) => !known.has(keyOf(warning)));
  return [...others, ...failed].sort((left, right) => right.count - left.count);
}

/** The same problem of many records once, with their number; the most frequent first. */
export function grouped(problems: readonly CycleProblem[]): RunProblem[] {
  const found = new Map<string, RunProblem>();
  for (const { nodeId, code, message, detail, targetId = null, count = 1 } of problems) {
    const key = JSON.stringify([nodeId, targetId, code, message]);
    const known = found.get(key);
    if (known) known.count += count;
    else found.set(key, { nodeId, targetId, code, errorMessage: message, errorDetail: detail ?? "", count });
  }
  return [...found.values()].sort((left, right) => right.count - left.count);
}
