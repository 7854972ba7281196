/** What goes to a destination: one operation for each record, what is remembered of it before, and as connectors get it. */
import type { WriteOperation } from "@accord/connector-sdk";
import type { Values } from "@accord/contracts/data/values";
import { type ExpectedValues, hashText } from "@accord/connector-sdk/fingerprint";
import { attemptAt, BLANK, fieldOf, isKnown } from "../../state/fingerprint.ts";
import type { SinkMapping, SinkPlan } from "../../plan/plan.ts";
import { isReadNow } from "../../state/fields/read-index.ts";
import { DELIVERY_ATTEMPTS } from "../../protocol/retry.ts";
import type { ClaimedDelivery, Intent, DeliveryResult } from "../../protocol/storage.ts";
import type { UnfitValues } from "../unfit-values.ts";
import type { WaitingReference } from "../../protocol/stored-references.ts";

/** One operation on its way to a destination. */
export interface PendingWrite {
  delivery: ClaimedDelivery;
  operation: "create" | "update" | "delete";
  /** Outside record; null until created or found. */
  externalId: string | null;
  /** Values to send, by connector field. */
  values: Values;
  /** Fingerprint (destination fields) of `values` and their spellings. */
  written: string;
  waits?: WaitingReference[];
  /** Fields are left out that the place does not have for now. */
  isIncomplete?: boolean;
  /** Left out, as fields there can't take them. */
  unfit?: UnfitValues;
}

/** What was written to a system is shown there after this long at the latest, unless the system is known to be slower. */
export const SHOWN_AFTER_MS = 15_000;

/**
 * How long nothing says whether a write without an answer was done, milliseconds. A creation that may not be repeated is
 * only known by what the system shows, and looking too early would make a second record.
 */
export const inDoubtForMs = (sink: SinkPlan, operation: PendingWrite["operation"]): number =>
  operation === "create" && !sink.idempotentCreate ? Math.max(SHOWN_AFTER_MS, sink.readDelayMs) : sink.readDelayMs;

/** What became of claimed deliveries before anything is sent. */
export interface PreparedWrites {
  pendingWrites: PendingWrite[];
  /** Needs no telling, or can't be told. */
  settled: DeliveryResult[];
  /** Records with fields that are to be written once the place has them. */
  waiting: { delivery: ClaimedDelivery; owed: readonly SinkMapping[] }[];
  /** When they were claimed, milliseconds. */
  now: number;
}

export const intentOf = (sink: SinkPlan, pendingWrite: PendingWrite, now: number): Intent => ({
  holdMs: inDoubtForMs(sink, pendingWrite.operation),
  adopts: pendingWrite.operation === "update" && !isLinked(pendingWrite.delivery) ? pendingWrite.externalId : null,
  recordId: pendingWrite.delivery.recordId,
  wanted: pendingWrite.delivery.wanted,
  intent: pendingWrite.operation === "update" && !isLinked(pendingWrite.delivery) ? "create" : pendingWrite.operation,
  // Earlier attempts without an answer may still show up: all of them are remembered.
  written: [...(pendingWrite.delivery.unanswered?.written ?? []), attemptAt(pendingWrite.written, now)].slice(
    -DELIVERY_ATTEMPTS,
  ),
});

const isLinked = ({ link }: ClaimedDelivery): boolean => link !== null && !link.dead;

/**
 * The same key for each attempt at the same thing: a destination that knows it does it once. Not for a change in doubt
 * at a place that was read since and still shows something else: somebody may have undone it, and it is sent again.
 */
export function operationOf(sink: SinkPlan, pendingWrite: PendingWrite): WriteOperation {
  const { delivery, values } = pendingWrite;
  const subject = `${sink.place.id}-${delivery.recordId}`;
  if (pendingWrite.operation === "create" || pendingWrite.externalId === null) {
    const about = [delivery.link?.externalId ?? "", ...(delivery.takenTimes ? [delivery.takenTimes] : [])];
    return { kind: "create", values, idempotencyKey: `${subject}-create-${about.join("-")}` };
  }
  // Told what, over what: a destination that remembers keys must not take another write for this one.
  const { record, link, wanted, unanswered } = delivery;
  const undone = isReadNow(sink.place) ? (unanswered?.written.length ?? 0) : 0;
  const about = hashText(
    `${wanted} ${record?.version} ${pendingWrite.written} ${link?.seen} ${link?.lastWritten} ${link?.modifiedAt} ${undone}`,
  );
  const idempotencyKey = `${subject}-${pendingWrite.operation}-${about}`;
  const expected = expectedAt(sink, pendingWrite);
  const operation =
    pendingWrite.operation === "delete"
      ? { kind: "delete" as const, id: pendingWrite.externalId, idempotencyKey }
      : { kind: "update" as const, id: pendingWrite.externalId, values, idempotencyKey };
  return expected === null ? operation : { ...operation, expected };
}

/**
 * What the record has to hold for the write to go ahead, so that no edit is overwritten that was never read: the fields
 * that are written, or all that are read when it is deleted. What was never seen is expected to be empty: where it is
 * not, it is read first. Null where nobody reads.
 */
function expectedAt({ place }: SinkPlan, { operation, values, delivery }: PendingWrite): ExpectedValues | null {
  const seen = delivery.link?.seen ?? null;
  const expected: { [field: string]: string } = {};
  place.readFields.forEach((field, index) => {
    if (place.lapsed?.has(index) || (operation === "update" && values[field] === undefined)) return;
    const part = seen === null ? null : fieldOf(seen, index);
    expected[field] = part !== null && isKnown(part) ? part : BLANK;
  });
  return isReadNow(place) ? expected : null;
}
