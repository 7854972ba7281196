/** How many records a destination is sent at once, by how long they take there. */
import type { SinkPlan } from "../../plan/plan.ts";
import { isOfPermission } from "./system-failures.ts";
import type { Run, SinkRun } from "../../run.ts";

/** Milliseconds that one batch should take at most. */
const MAX_BATCH_MS = 2_000;
/** Records of the first batch, whose speed is not known yet. */
const FIRST_BATCH = 20;
/** Records with which it is tried whether all writes are forbidden: a few may be locked. */
const PERMISSION_PROBE = 10;

/**
 * As many records as are written in about the time that others may be kept waiting: between two batches the system is
 * read again when its turn has come. A system that failed is tried with one record before it gets more.
 */
export function batchSize(run: Run, sink: SinkPlan, { operationMs }: SinkRun): number {
  const failure = run.failures[sink.place.id];
  if (failure && isOfPermission(failure)) return Math.min(sink.writeBatchSize, PERMISSION_PROBE);
  if (failure && !failure.isPatience) return 1;
  const fitting = operationMs === null ? FIRST_BATCH : Math.floor(MAX_BATCH_MS / Math.max(operationMs, 0.01));
  return Math.max(1, Math.min(sink.writeBatchSize, fitting));
}
