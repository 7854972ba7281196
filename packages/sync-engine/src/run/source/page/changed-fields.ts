/** Which fields a source itself changed in a record: neither what was written there nor what is only spelled otherwise. */
import type { Values } from "@accord/contracts/data/values";
import { isBlank } from "@accord/expressions";
import type { SourcePlan } from "../../plan/plan.ts";
import type { InboundRecord } from "../../protocol/inbound-record.ts";
import { isLeftOut } from "../../state/fields/missing-fields.ts";
import { writeIndexOf } from "../../state/fields/read-index.ts";
import { expectedOf, fieldOf, hasMissing, holds, isKnown, isOfOtherVersion, isRead } from "../../state/fingerprint.ts";
import { normalFingerprint } from "../../state/normalization/normal-fingerprint.ts";
import { isAttempted } from "../../state/unconfirmed/unconfirmed-writes.ts";

const NO_FIELDS: ReadonlySet<string> = new Set();

/** Which core fields the source itself changed since we last saw or wrote them there. */
export function changedFields(
  source: SourcePlan,
  inbound: InboundRecord,
  completed: Values,
  reapply: boolean,
): (field: string) => boolean {
  const missing = missingCoreFields(source, inbound);
  const isChanged = changedAmongShown(source, inbound, completed, reapply);
  return missing.size === 0 ? isChanged : (field) => !missing.has(field) && isChanged(field);
}

const missingCoreFields = ({ mappings }: SourcePlan, inbound: InboundRecord): ReadonlySet<string> =>
  hasMissing(inbound.seen)
    ? new Set(mappings.flatMap(({ readIndex, coreField }) => (isLeftOut(inbound, readIndex) ? [coreField] : [])))
    : NO_FIELDS;

function changedAmongShown(
  source: SourcePlan,
  inbound: InboundRecord,
  completed: Values,
  reapply: boolean,
): (field: string) => boolean {
  const known = inbound.link?.seen ?? null;
  const isNewPath = known !== null && isOfOtherVersion(known, source.program);
  // A second external record of one thing only says what is news: else the two would take turns.
  if (inbound.isAlias) {
    if (known === null) return () => false;
  } else if (inbound.link === null || known === null || (reapply && !source.isAlsoSink)) {
    // Where we write too, an unchanged value may be one that is yet to be overwritten there: it is no news.
    if (inbound.written.length === 0) return () => true;
  }
  const changed = new Set<string>();
  for (const mapping of source.mappings) {
    if (!holdsField(source, inbound, known, mapping.readIndex)) changed.add(mapping.coreField);
  }
  const { readFields, lapsed } = source.place;
  const anyRead = readFields.some((_, index) => !lapsed?.has(index) && !holdsField(source, inbound, known, index));
  return (field) => {
    const isComputed = completed[field] !== inbound.mapped[field] || !(field in inbound.mapped);
    return isComputed ? anyRead || isNewPath : changed.has(field);
  };
}

function holdsField(source: SourcePlan, inbound: InboundRecord, known: string | null, read: number): boolean {
  const returned = inbound.returned.get(read);
  if (isLeftOut(inbound, read) || returned === "asBefore") return true;
  if (returned === "unsure") return inbound.spelling?.doubtful.has(read) === true;
  const part = fieldOf(inbound.seen, read);
  if (holds(known, read, part) || inbound.spelling?.fields.has(read)) return true;
  if (isAsLeft(source, inbound, known, read)) return true;
  if (inbound.spelling?.doubtful.has(read)) return true;
  return isAsBeforeItLapsed(source, inbound, known, read) || isAttempted(source, inbound, read);
}

/**
 * Whether a field that earlier versions read, and then none for a time, shows what it held when it was known last:
 * whoever edited it meanwhile says something new, whoever left it alone does not.
 */
function isAsBeforeItLapsed(source: SourcePlan, inbound: InboundRecord, known: string | null, read: number): boolean {
  if (!isRead(known) || isKnown(fieldOf(known ?? "", read))) return false;
  const { link, record, seen } = inbound;
  const writeIndex = writeIndexOf(source.place, read);
  const before = writeIndex === undefined ? "" : fieldOf(link?.lastWritten ?? "", writeIndex);
  if (before === "" || !isKnown(before)) return false;
  return before === fieldOf(seen, read) || before === fieldOf(normalFingerprint(source, record, seen), read);
}

/** Whether a field is as blank, in whatever spelling, as we left it when we created the record: nobody has cleared it. */
function isAsLeft(
  { place }: SourcePlan,
  { record, link, written }: InboundRecord,
  known: string | null,
  read: number,
): boolean {
  if (!isBlank(record.values[place.readFields[read] ?? ""])) return false;
  if (known !== null) return !isKnown(fieldOf(known, read)) && isKnown(expectedOf(known, read));
  const writeIndex = writeIndexOf(place, read);
  return (
    link === null &&
    writeIndex !== undefined &&
    written.length > 0 &&
    written.every((attempt) => !isKnown(fieldOf(attempt, writeIndex)))
  );
}
