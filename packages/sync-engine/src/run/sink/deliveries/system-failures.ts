/** When a destination as a whole fails, as against single records of it, and what that means for what was being sent. */
import type { WriteOutcome } from "@accord/connector-sdk";
import { inDoubtForMs, type PendingWrite } from "./pending-writes.ts";
import type { SinkPlan } from "../../plan/plan.ts";
import type { FailureRecord, SystemFailure } from "../../protocol/protocol.ts";
import { DELIVERY_ATTEMPTS } from "../../protocol/retry.ts";
import { givenUpForNow, deliveryResult } from "../delivery-results.ts";
import type { DeliveryResult } from "../../protocol/storage.ts";

/** Records that have to fail alike before that says something about their system. */
const MANY = 3;

/**
 * Many records that all fail alike are their system failing, whatever each answer says of its record; so does a probe
 * of a system that failed before (`before`). Null when any of them was judged.
 */
export function failureOfAll(
  outcomes: readonly WriteOutcome[],
  before: FailureRecord | undefined,
): SystemFailure | null {
  if (before && isOfPermission(before)) {
    const refusal = outcomes.find(isForbidden);
    const areForbidden = outcomes.every((outcome) => isForbidden(outcome) || outcome.status === "retry");
    if (refusal && areForbidden)
      return { kind: PERMISSION, message: refusal.message, retryable: false, isSafeToRetry: true };
  }
  if (outcomes.length < (before ? 1 : MANY)) return null;
  let found: SystemFailure | null = null;
  for (const outcome of outcomes) {
    if (outcome.status !== "retry" && outcome.status !== "unknown") return null;
    const after = outcome.status === "retry" ? outcome.retryAfterMs : undefined;
    if (found === null || (after ?? 0) > (found.retryAfterMs ?? 0)) {
      const asked = after === undefined ? {} : { retryAfterMs: after };
      found = { kind: "unavailable", message: outcome.message, retryable: true, isSafeToRetry: false, ...asked };
    }
  }
  return found;
}

type Forbidden = Extract<WriteOutcome, { status: "rejected" }>;

const isForbidden = (outcome: WriteOutcome): outcome is Forbidden =>
  outcome.status === "rejected" && outcome.code === "forbidden";

const PERMISSION = "permission";

/** Whether all writes to the place seem to be forbidden. */
export const isOfPermission = ({ problem, isOfWrites }: FailureRecord): boolean =>
  isOfWrites === true && problem.code === PERMISSION;

/**
 * Whether a record may be the reason for its system's failure: one that is alone with it, or one that the system forbids
 * to write. As all others may be locked just so, each of those counts until it is quarantined, and makes way for others.
 */
export const isSuspected = ({ kind, isSafeToRetry }: SystemFailure, records: number): boolean =>
  kind === PERMISSION || (records === 1 && !isSafeToRetry);

/** Due again as soon as its system is asked again, without counting unless the record is suspect. */
export function afterSystemFailure(
  sink: SinkPlan,
  pendingWrite: PendingWrite,
  message: string,
  { isAnswered, isSuspect, now }: { isAnswered: boolean; isSuspect: boolean; now: number },
): DeliveryResult {
  const attempts = pendingWrite.delivery.attempts + (isSuspect ? 1 : 0);
  if (attempts >= DELIVERY_ATTEMPTS) return givenUpForNow(sink, pendingWrite, message, isAnswered, now);
  const nextAt = now + (isAnswered ? 0 : inDoubtForMs(sink, pendingWrite.operation));
  const again = { ...deliveryResult(pendingWrite.delivery, "again"), answered: isAnswered, error: message };
  return { ...again, attempts, nextAt };
}
