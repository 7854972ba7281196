/**
 * Creations that are answered with an external record which belongs to another core record, as by systems that answer or
 * update the record they hold already with the same e-mail address. Nothing more is created for such a record while that
 * lasts, and what was sent is no edit of the other record: its copy is sent again what it should hold.
 */
import { runTexts } from "@accord/contracts/messages/en/sync/run/cycle";
import { fill } from "@accord/contracts/messages/fill";
import type { WriteOutcome } from "@accord/connector-sdk";
import { hashValue } from "@accord/connector-sdk/fingerprint";
import type { Value, Values } from "@accord/contracts/data/values";
import { attemptAt, fieldOf, withoutFields } from "../fingerprint.ts";
import type { FreedRecord } from "../../sink/creation/key-changes.ts";
import type { PendingWrite } from "../../sink/deliveries/pending-writes.ts";
import type { SinkPlan } from "../../plan/plan.ts";
import { parked, DEFER_UNTIL_READ_MS } from "../../sink/delivery-results.ts";
import { isCutOrRounded, isReduced, spellingHash } from "../normalization/spelling.ts";
import type { QuarantineWrite } from "../../protocol/quarantine-entries.ts";
import type { CommitBatch, LinkWrite, DeliveryResult } from "../../protocol/storage.ts";

/** For a person, and for the other record, should the answer to a creation name what that one has at the destination. */
export function ifAnsweredWithAnothers(
  sink: SinkPlan,
  pendingWrite: PendingWrite,
  { id, values }: Extract<WriteOutcome, { status: "done" }>,
  now: number,
): NonNullable<DeliveryResult["ifTaken"]> {
  const fields = sink.mappings.flatMap(({ connectorField, writeIndex }) =>
    pendingWrite.values[connectorField] === undefined ? [] : [writeIndex],
  );
  const written = {
    attempt: attemptAt(pendingWrite.written, now),
    fields,
    nextAt: now + DEFER_UNTIL_READ_MS + sink.readDelayMs,
  };
  return {
    quarantine: answeredWithAnothers(pendingWrite, id),
    answered: {
      key: keyOf(sink, pendingWrite),
      written: isStillAsBefore(pendingWrite.values, values ?? {}) ? null : written,
    },
  };
}

const answeredWithAnothers = (pendingWrite: PendingWrite, externalId: string): QuarantineWrite => {
  const message = fill(runTexts.answeredWithAnothers, { record: externalId });
  return parked(pendingWrite, "already_linked", message, true).quarantine;
};

/** A creation that was answered so before, while that lasts; null where it may be sent. */
export function stillTaken(sink: SinkPlan, pendingWrite: PendingWrite): DeliveryResult | null {
  const { taken, unanswered, attempts } = pendingWrite.delivery;
  if (!taken || pendingWrite.operation !== "create" || taken.key !== keyOf(sink, pendingWrite)) return null;
  return {
    ...parked(pendingWrite, "already_linked", "", unanswered === null),
    // No new failure, however many such records are edited.
    attempts: attempts + 2,
    quarantine: answeredWithAnothers(pendingWrite, taken.externalId),
    waitsFor: { externalId: taken.externalId, unlessFree: true },
  };
}

/**
 * External records at the page's place that no record, or another one, has from this page on, or that have another key:
 * deliveries of others may be parked for them.
 */
export const freedByPage = ({ links }: Pick<CommitBatch, "links">): FreedRecord[] => links.flatMap(freedByLink);

/** Likewise of what was written, with those of which it was last known that they belong to others. */
export const freedByWritten = (settlements: readonly DeliveryResult[]): FreedRecord[] =>
  settlements.flatMap(({ link, waitsFor }) => [
    ...(link ? freedByLink(link) : []),
    ...(waitsFor?.unlessFree ? [{ externalId: waitsFor.externalId }] : []),
  ]);

function freedByLink({ externalId, dead, isMoved, rekeyedForMs }: LinkWrite): FreedRecord[] {
  if (dead || isMoved) return [{ externalId }];
  return rekeyedForMs === undefined ? [] : [{ externalId, rekeyedForMs }];
}

/** What the destination finds a record by, as a fingerprint; empty where nothing is said of that. */
const keyOf = ({ matchOn, place }: SinkPlan, { written }: PendingWrite): string =>
  matchOn === null ? "" : fieldOf(written, place.writeFields.indexOf(matchOn));

/** Whether the answer shows another value of some field than was sent: the system left its record as it was. */
const isStillAsBefore = (sent: Values, shown: Values): boolean =>
  Object.entries(sent).some(([field, value]) => {
    const found = shown[field] ?? null;
    return found !== null && !isSpellingOf(value, found);
  });

const isSpellingOf = (sent: Value, found: Value): boolean =>
  hashValue(found) === hashValue(sent) ||
  spellingHash(found) === (spellingHash(sent) ?? "") ||
  isReduced(sent, found) ||
  isCutOrRounded(sent, found);

/** What an external record was told, once fields of it were written for another record. */
export const writtenBeforeStray = (lastWritten: string | null, fields: readonly number[]): string | null =>
  lastWritten === null ? null : withoutFields(lastWritten, fields);
