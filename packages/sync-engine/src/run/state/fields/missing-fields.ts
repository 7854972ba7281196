/**
 * Fields that a system leaves out of its answers: a column that was dropped, a permission that was taken. A record
 * without the key says nothing of the field, while one with an empty value in it was cleared. What the field was seen to
 * hold before is kept in the place of its fingerprint, so that it is no news once the field is back. Nor is a blank
 * then: a column that was made anew is empty.
 */
import { runTexts } from "@accord/contracts/messages/en/sync/run/cycle";
import { fill } from "@accord/contracts/messages/fill";
import type { SourceRecord } from "@accord/connector-sdk";
import {
  BLANK,
  fieldOf,
  hasMissing,
  heldBefore,
  isExpectation,
  isKnown,
  isMissing,
  isMissingAt,
  isMissingUnsure,
  missingPart,
  partAt,
  replaceFields,
  wasSeenBefore,
} from "../fingerprint.ts";
import type { EndpointPlan, SourceMapping, SourcePlan } from "../../plan/plan.ts";
import { writeIndexOf } from "./read-index.ts";
import { awaitedWrite } from "../normalization/awaited-normalizations.ts";
import type { StoredLink } from "../../protocol/stored.ts";
import type { RecordWarning, InboundRecord } from "../../protocol/inbound-record.ts";

/** Whether the record came without the field at this index of those read. */
export const isLeftOut = ({ seen }: Pick<InboundRecord, "seen">, read: number): boolean => isMissingAt(seen, read);

/** What a record shows, with what its missing fields were seen to hold before. */
export function withHeldBefore(place: EndpointPlan, shown: string, link: StoredLink | null): string {
  if (!link || link.seen === null || !hasMissing(shown)) return shown;
  const parts = new Map<number, string>();
  for (let index = 0; index < place.readFields.length; index += 1) {
    if (isMissingAt(shown, index)) parts.set(index, partOfMissing(place, link, index));
  }
  return parts.size === 0 ? shown : replaceFields(shown, place.readFields.length, parts);
}

/** What stands in the place of a missing field's fingerprint. */
export function partOfMissing(place: EndpointPlan, link: StoredLink, read: number): string {
  const known = partAt(link.seen ?? "", read);
  if (isMissing(known)) return known;
  const write = isExpectation(link.seen) ? writeTo(place, link, read) : null;
  return write === null ? missingPart(known, false) : missingPart(write.before, true);
}

/** What was written to a field and was not read since. */
export function writeTo(place: EndpointPlan, { respelled }: StoredLink, read: number): ReturnType<typeof awaitedWrite> {
  const writeIndex = writeIndexOf(place, read);
  return writeIndex === undefined ? null : awaitedWrite(respelled, writeIndex);
}

/** Warns of each field that held a value when it was last seen, in records that came without it. */
export function missingFields(
  source: SourcePlan,
  records: readonly { record: SourceRecord; seen: string }[],
): RecordWarning[] {
  const lacking = records.filter(({ seen }) => hasMissing(seen));
  return source.mappings.flatMap((mapping): RecordWarning[] =>
    lacking
      .filter(({ seen }) => hadValue(partAt(seen, mapping.readIndex)))
      .map(({ record }) => ({ ...missingField(source, mapping), record: record.id })),
  );
}

/** The warning about a field that a source no longer has. */
export const missingField = (
  { nodeId }: Pick<SourcePlan, "nodeId">,
  { connectorField, coreField }: Pick<SourceMapping, "connectorField" | "coreField">,
) => ({
  nodeId,
  code: "field_missing",
  message: fill(runTexts.fieldMissing, { field: connectorField, coreField }),
  field: coreField,
});

/** Warns of each mapped field that the system did not have when its schema was last refreshed. */
export const vanishedFields = (source: Pick<SourcePlan, "nodeId" | "label" | "mappings">): RecordWarning[] =>
  source.mappings
    .filter(({ isMissing: isGone }) => isGone === true)
    .map((mapping) => ({ ...missingField(source, mapping), record: source.label, isOfSource: true }));

const hadValue = (part: string): boolean => isMissing(part) && wasSeenBefore(part) && !heldBefore(part, BLANK);

/** Whether a place surely holds a value, or lacks a blank, in a field that it leaves out. */
export function isHeldUnseen(
  link: Pick<StoredLink, "lastWritten">,
  part: string,
  writeIndex: number,
  hash: string,
): boolean {
  const lastWritten = fieldOf(link.lastWritten ?? "", writeIndex);
  if (hash === BLANK) return !isKnown(lastWritten) || lastWritten === BLANK || isMissingUnsure(part);
  return lastWritten === hash && !isMissingUnsure(part);
}
