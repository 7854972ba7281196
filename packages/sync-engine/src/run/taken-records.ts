/**
 * Creations that are answered with an outside record which belongs to another core record, as by systems that answer or
 * update the record they hold already with the same e-mail address. Nothing more is created for such a record while that
 * lasts, and what was sent is no edit of the other record: its copy is told again what it should hold.
 */
import type { WriteOutcome } from "@accord/connector-sdk";
import { hashValue } from "@accord/connector-sdk/fingerprint";
import type { Value, Values } from "@accord/contracts/data/values";
import { attemptAt, fieldOf, withoutFields } from "./fingerprint.ts";
import type { FreedRecord } from "./key-changes.ts";
import type { Parcel } from "./parcels.ts";
import type { SinkPlan } from "./plan.ts";
import { parked, READ_FIRST_MS } from "./settlements.ts";
import { isCutOrRounded, isReduced, spellingHash } from "./spelling.ts";
import type { CommitBatch, LinkWrite, QuarantineWrite, Settlement } from "./storage.ts";

/** For a person, and for the other record, should the answer to a creation name what that one has at the destination. */
export function ifAnsweredWithAnothers(
  sink: SinkPlan,
  parcel: Parcel,
  { id, values }: Extract<WriteOutcome, { status: "done" }>,
  now: number,
): NonNullable<Settlement["ifTaken"]> {
  const fields = sink.mappings.flatMap(({ connectorField, toldIndex }) =>
    parcel.values[connectorField] === undefined ? [] : [toldIndex],
  );
  const written = {
    attempt: attemptAt(parcel.written, now),
    fields,
    nextAt: now + READ_FIRST_MS + sink.readDelayMs,
  };
  return {
    quarantine: answeredWithAnothers(parcel, id),
    answered: { key: keyOf(sink, parcel), written: isStillAsBefore(parcel.values, values ?? {}) ? null : written },
  };
}

const answeredWithAnothers = (parcel: Parcel, externalId: string): QuarantineWrite => {
  const message = `The destination answered the creation with its record ${externalId}, which is already tied to another record here. Merge the two, or change the field by which the destination takes them for one, and try again.`;
  return parked(parcel, "already_linked", message, true).quarantine;
};

/** A creation that was answered so before, while that lasts; null where it may be sent. */
export function stillTaken(sink: SinkPlan, parcel: Parcel): Settlement | null {
  const { taken, unanswered, attempts } = parcel.delivery;
  if (!taken || parcel.operation !== "create" || taken.key !== keyOf(sink, parcel)) return null;
  return {
    ...parked(parcel, "already_linked", "", unanswered === null),
    // No new failure, however many such records are edited.
    attempts: attempts + 2,
    quarantine: answeredWithAnothers(parcel, taken.externalId),
    waitsFor: { externalId: taken.externalId, unlessFree: true },
  };
}

/**
 * Outside records at the page's place that no record, or another one, has from this page on, or that have another key:
 * deliveries of others may be parked for them.
 */
export const freedByPage = ({ links }: Pick<CommitBatch, "links">): FreedRecord[] => links.flatMap(freedByLink);

/** Likewise of what was written, with those of which it was last known that they belong to others. */
export const freedByTold = (settlements: readonly Settlement[]): FreedRecord[] =>
  settlements.flatMap(({ link, waitsFor }) => [
    ...(link ? freedByLink(link) : []),
    ...(waitsFor?.unlessFree ? [{ externalId: waitsFor.externalId }] : []),
  ]);

function freedByLink({ externalId, dead, isMoved, rekeyedForMs }: LinkWrite): FreedRecord[] {
  if (dead || isMoved) return [{ externalId }];
  return rekeyedForMs === undefined ? [] : [{ externalId, rekeyedForMs }];
}

/** What the destination finds a record by, as a fingerprint; empty where nothing is said of that. */
const keyOf = ({ matchOn, place }: SinkPlan, { written }: Parcel): string =>
  matchOn === null ? "" : fieldOf(written, place.toldFields.indexOf(matchOn));

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

/** What an outside record was told, once fields of it were written for another record. */
export const toldBeforeStray = (told: string | null, fields: readonly number[]): string | null =>
  told === null ? null : withoutFields(told, fields);
