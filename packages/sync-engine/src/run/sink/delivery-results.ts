/** How a delivery is settled: done, again, or quarantined with its reason. */
import { runTexts } from "@accord/contracts/messages/en/sync/run/cycle";
import type { WriteOutcome } from "@accord/connector-sdk";
import type { PendingWrite } from "./deliveries/pending-writes.ts";
import type { SinkPlan } from "../plan/plan.ts";
import { DELIVERY_ATTEMPTS, deliveryDelay, lateReadDelay } from "../protocol/retry.ts";
import type { QuarantineWrite } from "../protocol/quarantine-entries.ts";
import type { ClaimedDelivery, DeliveryResult } from "../protocol/storage.ts";
import { isReadNow } from "../state/fields/read-index.ts";

export function deliveryResult(delivery: ClaimedDelivery, result: DeliveryResult["result"]): DeliveryResult {
  return {
    recordId: delivery.recordId,
    wanted: delivery.wanted,
    result,
    answered: true,
    attempts: delivery.attempts,
    nextAt: 0,
    link: null,
    ledger: null,
    quarantine: null,
  };
}

export function parked(
  pendingWrite: PendingWrite,
  code: string,
  message: string,
  answered: boolean,
): DeliveryResult & { quarantine: QuarantineWrite } {
  const { delivery, externalId, values } = pendingWrite;
  const quarantine = {
    direction: "destination" as const,
    externalId,
    recordId: delivery.recordId,
    nodeId: null,
    code,
    message,
    payload: values,
  };
  return { ...deliveryResult(delivery, "parked"), answered, attempts: delivery.attempts + 1, quarantine };
}

type Rejected = Extract<WriteOutcome, { status: "rejected" }>;

/** Refused for what it holds: for a person. */
export const refused = (pendingWrite: PendingWrite, { code, message }: Rejected): DeliveryResult =>
  parked(pendingWrite, code, message, pendingWrite.delivery.unanswered === null);

/** Refused for what other records hold: those may be on their way too. */
export function refusedForNow(
  sink: SinkPlan,
  pendingWrite: PendingWrite,
  outcome: Rejected,
  now: number,
): DeliveryResult {
  const { delivery } = pendingWrite;
  const attempts = delivery.attempts + 1;
  if (attempts >= DELIVERY_ATTEMPTS) return againLater(sink, pendingWrite, refused(pendingWrite, outcome), now);
  const nextAt = now + deliveryDelay(delivery.attempts);
  const answered = delivery.unanswered === null;
  return { ...deliveryResult(delivery, "again"), answered, attempts, nextAt, error: outcome.message };
}

/** From giving a record up for now to trying it again: what was wrong may have passed. */
const GIVEN_UP_MS = 15 * 60_000;

/**
 * Failed as often as allowed for reasons that may pass: put into quarantine for people to see, and tried again now and
 * then all the same. Not where a repeated creation might be a second record: that is for a person to decide.
 */
export function givenUpForNow(
  sink: SinkPlan,
  pendingWrite: PendingWrite,
  message: string,
  answered: boolean,
  now: number,
): DeliveryResult {
  const code = answered ? "gave_up" : "no_answer";
  return againLater(sink, pendingWrite, parked(pendingWrite, code, message, answered), now);
}

function againLater(
  sink: SinkPlan,
  pendingWrite: PendingWrite,
  quarantineEntries: DeliveryResult,
  now: number,
): DeliveryResult {
  if (!quarantineEntries.answered && !isRepeatable(sink, pendingWrite)) return quarantineEntries;
  return { ...quarantineEntries, result: "again", attempts: DELIVERY_ATTEMPTS - 1, nextAt: now + GIVEN_UP_MS };
}

/** Whether an attempt in doubt can be made again: a destination that knows it, can be asked, or is read. */
const isRepeatable = (
  { place, idempotentCreate, canLookup, matchOn }: SinkPlan,
  { operation }: PendingWrite,
): boolean => operation !== "create" || idempotentCreate || (canLookup && matchOn !== null) || isReadNow(place);

/** Time for the next cycle to read before the delivery is due again. */
export const DEFER_UNTIL_READ_MS = 2_000;

/**
 * The record was changed there since it was read. Once that is known (`isReadNow`: later in this cycle, before anything
 * is written there again) it is decided anew what to write. Counted, so that a record which never stops changing is
 * asked about less and less often; never given up.
 */
export function afterConflict(delivery: ClaimedDelivery, isReadNow: boolean, now: number): DeliveryResult {
  const { attempts } = delivery;
  const isFirst = isReadNow && attempts === 0;
  return {
    ...deliveryResult(delivery, "again"),
    answered: delivery.unanswered === null,
    attempts: Math.min(attempts + 1, DELIVERY_ATTEMPTS - 1),
    nextAt: isFirst ? now : now + deliveryDelay(attempts),
  };
}

/** The system does not show our last write yet: asked again, counting against nothing. */
export const afterLateRead = (delivery: ClaimedDelivery, now: number): DeliveryResult => ({
  ...deliveryResult(delivery, "again"),
  answered: delivery.unanswered === null,
  nextAt: now + lateReadDelay(delivery.writtenForMs ?? 0),
});

/** Waits for a cycle that reads the place. */
export const deferUntilRead = (delivery: ClaimedDelivery, now: number): DeliveryResult => ({
  ...deliveryResult(delivery, "again"),
  answered: delivery.unanswered === null,
  nextAt: now + DEFER_UNTIL_READ_MS,
});

const TAKEN = runTexts.alreadyLinked;

/** For a person. */
export const alreadyLinked = (pendingWrite: PendingWrite): DeliveryResult & { quarantine: QuarantineWrite } =>
  parked(pendingWrite, "already_linked", TAKEN, true);

/** What was found there is tied to another record: that may end (it is being deleted), or need a person. */
export function waitForTie(
  pendingWrite: PendingWrite,
  now: number,
  externalId = pendingWrite.externalId ?? "",
): DeliveryResult {
  const { delivery } = pendingWrite;
  const attempts = delivery.attempts + 1;
  if (attempts >= DELIVERY_ATTEMPTS)
    return { ...alreadyLinked(pendingWrite), waitsFor: { externalId, unlessFree: false } };
  const nextAt = now + deliveryDelay(delivery.attempts);
  return { ...deliveryResult(delivery, "again"), attempts, nextAt, error: TAKEN };
}

/** Nobody can say which of the records that were found is meant: for a person. */
export const ambiguousThere = (pendingWrite: PendingWrite): DeliveryResult =>
  parked(pendingWrite, "ambiguous_match", runTexts.ambiguousThere, pendingWrite.delivery.unanswered === null);

/** For a person. Trying again asks the destination once more. */
export const missingThere = (pendingWrite: PendingWrite): DeliveryResult =>
  parked(pendingWrite, "missing_there", runTexts.missingThere, true);
