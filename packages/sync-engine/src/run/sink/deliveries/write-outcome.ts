/** What a destination's answer means for the delivery, its link and its ledger. */
import type { WriteOutcome } from "@accord/connector-sdk";
import type { Value, Values } from "@accord/contracts/data/values";
import { hashValue } from "@accord/connector-sdk/fingerprint";
import {
  asExpectation,
  BLANK,
  expectedOf,
  fieldOf,
  isMissing,
  partAt,
  REMOVED_BY_US,
  replaceFields,
  withoutFields,
} from "../../state/fingerprint.ts";
import { keyChange } from "../creation/key-changes.ts";
import { joinParts, replacedBy } from "../../merge/partial-reads.ts";
import { inDoubtForMs, type PendingWrite, SHOWN_AFTER_MS } from "./pending-writes.ts";
import type { SinkPlan } from "../../plan/plan.ts";
import { isReadNow, readIndexOf } from "../../state/fields/read-index.ts";
import { type AwaitedWrite, awaitNormalization } from "../../state/normalization/awaited-normalizations.ts";
import { DELIVERY_ATTEMPTS, deliveryDelay } from "../../protocol/retry.ts";
import { outlineOf, spellingHash } from "../../state/normalization/spelling.ts";
import { answerOf } from "./write-answer.ts";
import {
  afterConflict,
  givenUpForNow,
  missingThere,
  DEFER_UNTIL_READ_MS,
  refused,
  refusedForNow,
  deliveryResult,
} from "../delivery-results.ts";
import { ifAnsweredWithAnothers } from "../../state/unconfirmed/claimed-externals.ts";
import { withUnfit } from "../unfit-values.ts";
import { waitForField } from "../../state/fields/deferred-fields.ts";
import type { ClaimedDelivery, LinkWrite, DeliveryResult } from "../../protocol/storage.ts";

/** What an answer means for the delivery, its link and its ledger. */
export function settle(sink: SinkPlan, pendingWrite: PendingWrite, outcome: WriteOutcome, now: number): DeliveryResult {
  const { delivery } = pendingWrite;
  switch (outcome.status) {
    case "done":
      return writtenResult(sink, pendingWrite, outcome, now);
    case "missing":
      return missing(sink, pendingWrite, now);
    case "conflict":
      return afterConflict(delivery, false, now);
    case "rejected":
      return outcome.isTransient ? refusedForNow(sink, pendingWrite, outcome, now) : refused(pendingWrite, outcome);
    case "retry": {
      const answered = delivery.unanswered === null;
      const again = { ...deliveryResult(delivery, "again"), answered, error: outcome.message };
      // Told when to come back: it was not judged this time.
      if (outcome.retryAfterMs !== undefined) return { ...again, nextAt: now + outcome.retryAfterMs };
      if (outcome.neverSent) return { ...again, nextAt: now + deliveryDelay(delivery.attempts) };
      if (delivery.attempts + 1 >= DELIVERY_ATTEMPTS)
        return givenUpForNow(sink, pendingWrite, outcome.message, answered, now);
      const nextAt = now + deliveryDelay(delivery.attempts);
      return { ...again, attempts: delivery.attempts + 1, nextAt };
    }
    case "unknown": {
      if (delivery.attempts + 1 >= DELIVERY_ATTEMPTS)
        return givenUpForNow(sink, pendingWrite, outcome.message, false, now);
      const nextAt = now + Math.max(deliveryDelay(delivery.attempts), inDoubtForMs(sink, pendingWrite.operation));
      const again = { ...deliveryResult(delivery, "again"), answered: false, error: outcome.message };
      return { ...again, attempts: delivery.attempts + 1, nextAt };
    }
  }
}

function writtenResult(
  sink: SinkPlan,
  pendingWrite: PendingWrite,
  outcome: Extract<WriteOutcome, { status: "done" }>,
  now: number,
): DeliveryResult {
  const { delivery, operation } = pendingWrite;
  const sure = sureValues(sink, pendingWrite);
  const mustGo = operation !== "delete" && delivery.record?.deleted === true;
  const isSure = !mustGo && Object.keys(sure).length === Object.keys(pendingWrite.values).length;
  const settled: DeliveryResult = {
    // What an earlier attempt may have written otherwise is said once more, as an update.
    ...(isSure && pendingWrite.isIncomplete
      ? waitForField(delivery, now)
      : deliveryResult(delivery, isSure ? "done" : "again")),
    answered: isSure,
    ...(isSure && pendingWrite.isIncomplete
      ? {}
      : { nextAt: isSure || !isReadNow(sink.place) ? now : now + DEFER_UNTIL_READ_MS + sink.readDelayMs }),
    link: linkAfter(sink, pendingWrite, outcome, sure),
    ...(operation === "create" ? afterCreation(sink, pendingWrite, outcome, now) : {}),
    ...(pendingWrite.waits ? { waits: pendingWrite.waits } : {}),
    ledger: writtenEntry(pendingWrite, outcome.id),
  };
  return withUnfit(sink, settled, pendingWrite.unfit, outcome.id);
}

/** The link as a write that was done leaves it. `sure`: values that surely stand there now. */
function linkAfter(
  sink: SinkPlan,
  pendingWrite: PendingWrite,
  outcome: Extract<WriteOutcome, { status: "done" }>,
  sure: Values,
): LinkWrite {
  const { delivery, operation } = pendingWrite;
  // The answer to a repeated creation may speak of the first one, and of what people did to it since.
  const isRepeated = operation === "create" && delivery.unanswered?.intent === "create";
  const before = delivery.link;
  const answer = answerOf(sink, delivery, outcome, sure);
  const isOwn = !isRepeated && answer.isOwn;
  const removed = operation === "delete" ? REMOVED_BY_US : null;
  const isRenewed = before === null || before.dead;
  const link: LinkWrite = {
    externalId: outcome.id,
    recordId: delivery.recordId,
    seen: before && !isRenewed ? before.seen : null,
    lastWritten: removed ?? (before && !isRenewed ? before.lastWritten : null),
    refused: before && !isRenewed ? before.refused : null,
    respelled: before && !isRenewed ? before.respelled : null,
    modifiedAt: (isOwn ? answer.modifiedAt : null) ?? (isRenewed ? null : before.modifiedAt),
    dead: operation === "delete",
    isNew: isRenewed,
  };
  if (operation !== "delete") {
    link.lastWritten = sinkStateAfter(sink, link.lastWritten, sure);
    if (!isRenewed)
      Object.assign(link, keyChange(sink, { before: before.lastWritten, after: link.lastWritten }, sink.readDelayMs));
    if (isReadNow(sink.place)) {
      const stored = isOwn ? answer.values : undefined;
      const isTimed = isOwn && answer.isTimed;
      const seen = seenAfter(sink, link.seen, stored ?? sure, sure);
      // How the system spells what it was given shows at the next read, unless it said so.
      const unsaid = stored ? unsaidValues(sink, stored, sure) : sure;
      link.respelled = joinParts(
        replacedBy(sink.place, delivery, sure),
        awaitNormalization(link.respelled, awaitedWrites(sink, isRenewed ? null : link.seen, unsaid, isTimed)),
      );
      link.seen = stored && Object.keys(unsaid).length === 0 ? seen : asExpectation(seen);
    }
    if (link.seen !== null) link.seen = withoutFields(link.seen, lapsedAmong(sink, sure));
  }
  return link;
}

function writtenEntry({ delivery, values }: PendingWrite, externalId: string): NonNullable<DeliveryResult["ledger"]> {
  const changes: { [field: string]: [Value, Value] } = {};
  for (const field in values) changes[field] = [null, values[field] ?? null];
  return { recordId: delivery.recordId, operation: "write", externalId, changes, refused: null };
}

/** Whose record it is that a creation was answered with, where it is tied to another one. */
const afterCreation = (
  sink: SinkPlan,
  pendingWrite: PendingWrite,
  outcome: Extract<WriteOutcome, { status: "done" }>,
  now: number,
): Pick<DeliveryResult, "takesOver" | "ifTaken"> => ({
  takesOver: sink.idempotentCreate ? "ifLater" : "always",
  ifTaken: ifAnsweredWithAnothers(sink, pendingWrite, outcome, now),
});

/**
 * Values that surely stand there now. A repeated creation may have been done by an earlier attempt: then only those on
 * which all attempts agree.
 */
function sureValues(sink: SinkPlan, pendingWrite: PendingWrite): Values {
  const { unanswered } = pendingWrite.delivery;
  if (pendingWrite.operation !== "create" || unanswered?.intent !== "create") return pendingWrite.values;
  const sure: Values = {};
  for (const { connectorField, writeIndex } of sink.mappings) {
    const value = pendingWrite.values[connectorField];
    const part = fieldOf(pendingWrite.written, writeIndex);
    if (value !== undefined && unanswered.written.every((attempt) => fieldOf(attempt, writeIndex) === part)) {
      sure[connectorField] = value;
    }
  }
  return sure;
}

/** What was written of which the answer does not tell what is stored, though it is read: it may have had no effect. */
const unsaidValues = ({ place }: SinkPlan, stored: Values, sent: Values): Values =>
  Object.fromEntries(
    Object.entries(sent).filter(
      ([field, value]) => value !== null && (stored[field] ?? null) === null && readIndexOf(place, field) >= 0,
    ),
  );

/**
 * What was written to which field, for the first read after it. `seen`: what the record showed before; null: new.
 * `isTimed`: the answer told the time of change that the write left.
 */
const awaitedWrites = (sink: SinkPlan, seen: string | null, values: Values, isTimed: boolean): AwaitedWrite[] =>
  sink.mappings.flatMap(({ connectorField, writeIndex, isSecret }) => {
    const value = values[connectorField];
    if (value === undefined) return [];
    const outline = isSecret ? "" : outlineOf(value);
    const read = readIndexOf(sink.place, connectorField);
    const before = seen === null ? BLANK : read < 0 ? "" : heldAt(seen, read);
    return [{ index: writeIndex, spelled: spellingHash(value) ?? "", outline, before, isTimed }];
  });

/** What a field is expected to show, or was seen to hold before it was missing. */
const heldAt = (seen: string, read: number): string => {
  const part = partAt(seen, read);
  return isMissing(part) ? part : expectedOf(seen, read);
};

/** Written fields that nobody reads any more: what was read there before is no longer so. */
const lapsedAmong = ({ place: { readFields, lapsed } }: SinkPlan, sent: Values): number[] =>
  lapsed ? [...lapsed].filter((index) => sent[readFields[index] ?? ""] !== undefined) : [];

function sinkStateAfter(sink: SinkPlan, before: string | null, sent: Values): string {
  const parts = new Map<number, string>();
  for (const { connectorField, writeIndex } of sink.mappings) {
    const value = sent[connectorField];
    if (value !== undefined) parts.set(writeIndex, hashValue(value));
  }
  return replaceFields(before, sink.place.writeFields.length, parts);
}

/** What a later read is expected to show: the stored spelling where the system told it, else what was sent. */
function seenAfter(sink: SinkPlan, before: string | null, stored: Values, sent: Values): string {
  const parts = new Map<number, string>();
  for (const { read, writeIndex } of sink.place.shared) {
    const field = sink.place.writeFields[writeIndex] ?? "";
    const value = sent[field] === undefined ? undefined : (stored[field] ?? sent[field]);
    if (value !== undefined) parts.set(read, hashValue(value));
  }
  return replaceFields(before, sink.place.readFields.length, parts);
}

/** For how long a record may still not be shown after it was written last, milliseconds; not positive: it would be. */
export const hiddenForMs = (sink: SinkPlan, { writtenForMs }: ClaimedDelivery): number =>
  Math.max(SHOWN_AFTER_MS, sink.readDelayMs) - (writtenForMs ?? Infinity);

/**
 * A record that the place took a moment ago may only not be shown yet: it is tried again once it would be, and believed
 * to be gone if it is missing then too.
 */
function missing(sink: SinkPlan, pendingWrite: PendingWrite, now: number): DeliveryResult {
  const { delivery } = pendingWrite;
  const hiddenFor = hiddenForMs(sink, delivery);
  if (hiddenFor > 0) {
    const nextAt = now + Math.max(DEFER_UNTIL_READ_MS, hiddenFor);
    return { ...deliveryResult(delivery, "again"), answered: delivery.unanswered === null, nextAt };
  }
  const dead: LinkWrite | null = delivery.link ? { ...delivery.link, dead: true, isNew: false } : null;
  // Perhaps an attempt of ours without an answer removed it: should the record come back, it is created there again.
  if (pendingWrite.operation === "delete")
    return { ...deliveryResult(delivery, "done"), link: dead && { ...dead, lastWritten: REMOVED_BY_US } };
  if (sink.recreate && sink.create) return { ...deliveryResult(delivery, "again"), link: dead, nextAt: now };
  return { ...missingThere(pendingWrite), link: dead };
}
