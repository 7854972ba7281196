/**
 * Records that a person deleted here while their copies in the systems stay. The ties of the copies are kept, to a record
 * that is not there: an unchanged copy is no news, and a change of one brings the one record back to all of them.
 */
import type { SourceRecord } from "@accord/connector-sdk";
import type { Values } from "@accord/contracts/data/values";
import { BLANK, fieldOf, fieldsIn, isExpectation, isKnown, replaceFields, withoutFields } from "../fingerprint.ts";
import { normalFingerprint } from "../normalization/normal-fingerprint.ts";
import type { Plan, SinkPlan, SourcePlan } from "../../plan/plan.ts";
import { isReadNow } from "../fields/read-index.ts";
import type { OtherCopy, ReturnedRecord } from "../../protocol/returned-records.ts";
import type { Resolved } from "../../protocol/storage.ts";
import type { StoredLink } from "../../protocol/stored.ts";

/** Whether nothing stands for the copy here. */
export const isReleased = (
  { recordId }: StoredLink,
  { records, merged }: Pick<Resolved, "records" | "merged">,
): boolean => !records.has(merged?.get(recordId) ?? recordId);

/** Whether somebody has changed a copy since it was known last: fields that were never known say nothing. */
export function hasChanges(source: SourcePlan, record: SourceRecord, link: StoredLink, seen: string): boolean {
  const { readFields, lapsed } = source.place;
  const known = link.seen;
  if (known === null) return false;
  // What we wrote last is shown for the first time, in whatever spelling.
  const isFirst = isExpectation(known);
  if (isFirst && record.modifiedAt && record.modifiedAt === link.modifiedAt) return false;
  const normal = isFirst ? normalFingerprint(source, record, seen) : seen;
  return readFields.some((_, index) => {
    const part = fieldOf(known, index);
    return isKnown(part) && !lapsed?.has(index) && part !== fieldOf(seen, index) && part !== fieldOf(normal, index);
  });
}

/** The tie of a copy that turned out to be a creation of ours for such a record. */
export const linkOfCopy = (record: SourceRecord, recordId: string, seen: string): StoredLink => ({
  externalId: record.id,
  recordId,
  seen,
  lastWritten: null,
  refused: null,
  respelled: null,
  modifiedAt: record.modifiedAt ?? null,
  dead: false,
});

/**
 * What a source that brings the record back does not say, the other copies still do: it is read from them again, and
 * none of them is written meanwhile that it is blank.
 */
export function returned(plan: Plan, source: SourcePlan, recordId: string, said: Values): ReturnedRecord {
  const isOpen = ({ coreField }: { coreField: string }): boolean => !(coreField in said);
  const others = [...plan.places.values()].flatMap((place): OtherCopy[] => {
    if (place.id === source.place.id) return [];
    const from = plan.sources.find((other) => other.place.id === place.id);
    const to = plan.sinks.find((sink) => sink.place.id === place.id);
    const unread = (from?.mappings ?? []).filter(isOpen).map(({ readIndex }) => readIndex);
    const untold = (to?.mappings ?? []).filter(isOpen).map(({ writeIndex }) => writeIndex);
    if (unread.length + untold.length === 0) return [];
    return [{ placeId: place.id, unread, untold, isAsked: unread.length > 0 && from?.canGetById === true }];
  });
  return { recordId, others };
}

/** The tie of another copy once its record is back. */
export function linkAfterReturn<Tie extends Pick<StoredLink, "seen" | "lastWritten">>(
  tie: Tie,
  { unread, untold }: OtherCopy,
): Tie {
  const count = Math.max(0, ...untold.map((index) => index + 1));
  const blank = new Map(untold.map((index) => [index, BLANK]));
  return {
    ...tie,
    seen: tie.seen === null ? null : withoutFields(tie.seen, unread),
    lastWritten:
      untold.length > 0
        ? replaceFields(tie.lastWritten, Math.max(count, fieldsIn(tie.lastWritten)), blank)
        : tie.lastWritten,
  };
}

/**
 * A destination that is only told whole records is notified of one that is back once its copy was read, where that may say
 * more: it would be blanked there.
 */
export const isWrittenAfterReading = ({ onlyChangedFields, place }: SinkPlan, { others }: ReturnedRecord): boolean =>
  !onlyChangedFields && isReadNow(place) && others.some(({ placeId }) => placeId === place.id);
