/** What becomes of writes that failed, and whether anything more of their request is sent. */
import { ConnectorError, type WriteOutcome } from "@accord/connector-sdk";
import { forbidden, type ForbiddenWrites } from "./forbidden-writes.ts";
import type { Operation } from "./send-write.ts";

/** System failures in a row after which a system is left alone. */
const MAX_FAILURES_IN_A_ROW = 3;

/** What the writes of one request have met with so far. */
export interface BatchFailures {
  /** Why nothing more is sent. */
  halt: ConnectorError | null;
  failuresInARow: number;
  forbidden: ForbiddenWrites;
  /** The last answer that forbade a write, or the read before it. */
  refusal: ConnectorError | null;
}

/** What a failed write comes to. `status`: the answer's; null: there was none. */
export function failed(
  batch: BatchFailures,
  operation: Operation,
  error: ConnectorError,
  status: number | null,
): WriteOutcome {
  if (error.kind === "notFound" && operation.kind !== "create") return { status: "missing" };
  if (error.kind === "permission") return forbids(batch, operation, error);
  judge(batch, error, status);
  if (error.neverSent) return later(error, true);
  if (OF_THE_WHOLE.has(error.kind) || status === 503) return later(error, false);
  // A conflict with what other records hold, such as a name that is taken: those may be changing too.
  if (status === 409) return { status: "rejected", code: "duplicate", message: error.message, isTransient: true };
  if (!error.retryable) {
    const isTransient = status !== null && (PASSING.has(status) || status < 300);
    return { status: "rejected", code: "refused", message: error.message, ...(isTransient && { isTransient }) };
  }
  return { status: "unknown", message: error.message };
}

/** 403: of this record, or of all where so many get it. */
export function forbids(batch: BatchFailures, operation: Operation, error: ConnectorError): WriteOutcome {
  batch.refusal = error;
  if (batch.forbidden.add(operation)) batch.halt ??= error;
  return forbidden(error.message);
}

/** Locked, and too early: what refuses the record now may be gone in a moment. */
const PASSING: ReadonlySet<number> = new Set([423, 425]);

/** Kinds that concern every record alike, whichever brought them up. */
const OF_THE_WHOLE: ReadonlySet<string> = new Set(["authentication", "rateLimited"]);

export const isSystemFailure = ({ kind, retryable }: ConnectorError): boolean => retryable && kind !== "rateLimited";

/** Decides whether a failure ends the request for all that have not been sent yet. */
export function judge(batch: BatchFailures, error: ConnectorError, status: number | null = null): void {
  if (error.neverSent || OF_THE_WHOLE.has(error.kind) || status === 503) {
    batch.halt ??= error;
    return;
  }
  if (!isSystemFailure(error)) return;
  batch.failuresInARow += 1;
  if (batch.failuresInARow < MAX_FAILURES_IN_A_ROW) return;
  batch.halt ??= new ConnectorError(
    "unavailable",
    `${error.message} It failed ${batch.failuresInARow} times in a row.`,
    {
      cause: error,
      retryAfterMs: error.retryAfterMs,
      hint: "Nothing to do here: it is tried again.",
    },
  );
}

/** It is tried again later. `neverSent`: nothing of it was done. */
export const later = (error: ConnectorError, neverSent: boolean): WriteOutcome => ({
  status: "retry",
  message: error.message,
  retryAfterMs: error.retryAfterMs,
  ...(neverSent ? { neverSent: true } : {}),
});
