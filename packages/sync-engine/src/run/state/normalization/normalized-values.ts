/**
 * Systems that store what they are given in a way of their own, without saying so in their answer. What a system shows
 * at the first read after our own write, unlike what was sent, is what it made of it or somebody's edit. It is taken for
 * its own where the two differ in spelling only and no time of change proves an edit, where the same was shown for the
 * same before, where the time of change is our write's own, or, without a later one, where it is cut or rounded or the
 * write had no effect on the field. Everything else is an edit, unless the core has moved on meanwhile and nothing proves
 * the edit: then the newer value stays, and what was shown is kept in the record's history and listed as a conflict. A
 * later time of change proves that the record was edited: of several changed fields, those that can't be parts of what was
 * written. Where each write is followed by another value, both are shown to people and nothing more is written.
 */
import { runTexts } from "@accord/contracts/messages/en/sync/run/cycle";
import { fill } from "@accord/contracts/messages/fill";
import { hashValue } from "@accord/connector-sdk/fingerprint";
import type { Value, Values } from "@accord/contracts/data/values";
import { type Entry, formatEntries, LAST, NO, parseEntries } from "./awaited-normalizations.ts";
import { joinParts, partsOf, withUnread } from "../../merge/partial-reads.ts";
import { expectedOf, fieldOf, isExpectation, isKnown, isRead } from "../fingerprint.ts";
import { type ChangeTime, isAfterWrite, timeOf } from "./write-times.ts";
import { isCutOrRounded, isReduced, isRounded, mayBePartOf, spellingHash } from "./spelling.ts";
import { isAttempted } from "../unconfirmed/unconfirmed-writes.ts";
import { isLeftOut } from "../fields/missing-fields.ts";
import { ConversionError, type SinkMapping, type SinkPlan, type SourcePlan } from "../../plan/plan.ts";
import { readIndexOf, writeIndexOf } from "../fields/read-index.ts";
import type { RecordWarning, Normalization, InboundRecord } from "../../protocol/inbound-record.ts";

/** Writes in a row after each of which a field showed another value, before nothing more is written. */
const MAX_ALTERNATIONS = 5;

/**
 * Null unless the record is read for the first time since it was written, or a write to it is in doubt. `values`: those
 * of the core.
 */
export function normalizationOf(
  sink: SinkPlan | null,
  source: SourcePlan,
  inbound: InboundRecord,
  values: Values,
  now: string,
): Normalization | null {
  const { link, record } = inbound;
  // What a merge has left in doubt was told none knows what, but what is awaited still stands.
  const isExpected = link !== null && isExpectation(link.seen);
  if (!sink || (!isExpected && inbound.written.length === 0)) return null;
  const before = parseEntries(link?.respelled ?? null);
  const entries = new Map(before);
  const spelling: NewNormalization = { fields: new Set(), doubtful: new Set(), refused: {}, warnings: [] };
  const { isAlone, isEdited } = changeOf(source, inbound, before);
  const time = timeOf(sink, inbound, now);
  const isProven = time === "later" && isAlone;
  const isLongAfter = isAfterWrite(sink, inbound, now);
  for (const mapping of sink.mappings) {
    const { connectorField, writeIndex, convert } = mapping;
    if (mapping.reference || mapping.createOnly || mapping.isComputed) continue;
    const read = readIndexOf(source.place, connectorField);
    if (read < 0 || isLeftOut(inbound, read)) continue;
    const written = fieldOf(link?.lastWritten ?? "", writeIndex);
    const shown = fieldOf(inbound.seen, read);
    const known = before.get(writeIndex);
    const isAwaited = isExpected && known !== undefined && known.awaited !== NO;
    if (inbound.late?.has(read)) continue;
    if (isAwaited) entries.delete(writeIndex);
    if (inbound.returned.has(read) || isAsSeen(inbound, read)) continue;
    const isAsAwaited = isAwaited && isAsWritten(source, inbound, mapping, written);
    if (isAsAwaited) spelling.fields.add(read);
    const current = isAsAwaited ? null : convert(values[mapping.coreField] ?? null);
    if (isAsAwaited || current instanceof ConversionError) continue;
    const currentHash = hashValue(current);
    const value = record.values[connectorField] ?? null;
    const field = { source, inbound, mapping, read, value, current };
    if (isAttempted(source, inbound, read)) {
      // What was written here is its spelling all the same: another record's creation may stay without an answer for ever.
      const isOurs = isAwaited && !isProven && currentHash === written && isSpelledLike(known, value, current);
      if (isOurs) noteOwn(spelling, entries, field, { ...known, written, shown, count: known.count + 1, awaited: NO });
      continue;
    }
    if (shown === currentHash || isAsWritten(source, inbound, mapping, currentHash)) continue;
    if (!isAwaited) {
      noteAttempt(spelling, field, isProven);
      continue;
    }
    const hasMovedOn = currentHash !== written;
    const isTimed = known.isTimed || isLongAfter;
    noteAwaited(spelling, entries, field, { known, written, shown, hasMovedOn, time, isTimed, isAlone, isEdited });
  }
  return { ...spelling, respelled: joinParts(replacedAfter(source, inbound, before), formatEntries(entries)) };
}

/** What our writes replaced in a record, once it was read. `entries`: as they stood before. */
function replacedAfter(source: SourcePlan, inbound: InboundRecord, entries: ReadonlyMap<number, Entry>): string | null {
  const { link, record } = inbound;
  const { replaced } = partsOf(link?.respelled ?? null);
  if (!source.listsAll || record.modifiedAt) return replaced;
  const isWritten = (index: number): boolean => isAwaitedIn(entries, index);
  return withUnread(source.place, inbound, { before: replaced, isWritten });
}

/** Whether a field, by its index among those written there, was written since it was read. */
const isAwaitedIn = (entries: ReadonlyMap<number, Entry>, index: number): boolean =>
  (entries.get(index)?.awaited ?? NO) !== NO;

/** Whether a field shows what was awaited in another spelling, or what a system that keeps numbers makes of it. */
const isSpelledLike = (known: Entry, value: Value, sent: Value): boolean =>
  (known.spelled !== "" && known.spelled === spellingHash(value)) || isReduced(sent, value);

/** Whether a field shows less of what an attempt may have written: cut, rounded, or the number alone. */
function isCutByAttempt({ link }: InboundRecord, { read, value, current }: ShownField): boolean {
  const isOfNumber = isRounded(current, value) || isReduced(current, value);
  if (isKnown(fieldOf(link?.seen ?? "", read))) return isOfNumber || isCutOrRounded(current, value);
  // What was never read there may always have been so; a rounded number, in a record that was found where we tried to
  // create it, hardly was.
  return isOfNumber && (link === null || !isRead(link.seen));
}

/** Whether the field shows what it was last seen to hold, or is expected to. */
const isAsSeen = ({ link, seen }: InboundRecord, read: number): boolean =>
  fieldOf(seen, read) === fieldOf(link?.seen ?? "", read);

/**
 * Whether a single field changed, and whether one did that we had not written. Of a record that was never seen those
 * count that no write without an answer wrote.
 */
function changeOf(
  source: SourcePlan,
  inbound: InboundRecord,
  entries: ReadonlyMap<number, Entry>,
): { isAlone: boolean; isEdited: boolean } {
  const { readFields, lapsed } = source.place;
  const changed = inbound.link
    ? readFields.flatMap((_, index) => (lapsed?.has(index) || isAsSeen(inbound, index) ? [] : [index]))
    : source.place.shared.flatMap(({ read }) => (isAttempted(source, inbound, read) ? [] : [read]));
  return {
    isAlone: changed.length === 1,
    isEdited: changed.some((read) => isUnwritten(source, inbound, entries, read)),
  };
}

/** Whether a changed field shows another value than before though nothing was written to it: somebody has edited it. */
function isUnwritten(
  source: SourcePlan,
  inbound: InboundRecord,
  entries: ReadonlyMap<number, Entry>,
  read: number,
): boolean {
  const { link, seen, returned, written } = inbound;
  const before = expectedOf(link?.seen ?? "", read);
  if (!isKnown(before) || before === fieldOf(seen, read) || isLeftOut(inbound, read) || returned.has(read))
    return false;
  const index = writeIndexOf(source.place, read);
  if (index === undefined) return true;
  const isAttemptedHere = written.some((attempt) => isKnown(fieldOf(attempt, index)));
  return !isAttemptedHere && !isAwaitedIn(entries, index);
}

interface NewNormalization extends Omit<Normalization, "respelled"> {
  fields: Set<number>;
  doubtful: Set<number>;
  warnings: RecordWarning[];
}

interface ShownField {
  source: SourcePlan;
  inbound: InboundRecord;
  mapping: SinkMapping;
  read: number;
  value: Value;
  /** As the core's value would be written. */
  current: Value;
}

/** The field is no news, or none that the core takes. */
function note(
  { fields, doubtful, refused, warnings }: NewNormalization,
  { source, inbound: { record }, mapping: { coreField }, read, value, current }: ShownField,
  verdict: "own" | "doubtful" | "alternates",
): void {
  (verdict === "doubtful" ? doubtful : fields).add(read);
  const sample = fill(runTexts.sampleShown, {
    shown: JSON.stringify(value),
    written: JSON.stringify(current),
    record: record.id,
  });
  const warning = { nodeId: source.nodeId, record: record.id, field: coreField, sample };
  if (verdict === "own") warnings.push({ ...warning, code: "respelled", message: runTexts.respelled });
  else if (verdict === "doubtful") {
    refused[coreField] = [value, "unconfirmed"];
    warnings.push({ ...warning, code: "unconfirmed", message: runTexts.unconfirmed });
  } else {
    refused[coreField] = [value, "alternates"];
    warnings.push({ ...warning, code: "alternates", message: runTexts.alternates });
  }
}

/** The field shows our own write; how it spells that is learned. */
function noteOwn(spelling: NewNormalization, entries: Map<number, Entry>, field: ShownField, learned: Entry): void {
  entries.set(field.mapping.writeIndex, learned);
  note(spelling, field, "own");
}

/** Notes a field that shows another value than the write that was awaited there. */
function noteAwaited(
  spelling: NewNormalization,
  entries: Map<number, Entry>,
  field: ShownField,
  change: Omit<Shown, "value" | "isSpelling" | "isCut">,
): void {
  const { known, written, shown, hasMovedOn } = change;
  const { mapping, value, current } = field;
  const count = known.count + 1;
  const isCut = !hasMovedOn && isCutOrRounded(current, value);
  const isSpelling = isSpelledLike(known, value, hasMovedOn ? null : current);
  const verdict = verdictOn({ ...change, value, isSpelling, isCut });
  // Counted are writes that follow one another without anybody's news in between.
  const counted = hasMovedOn ? Math.max(known.count, verdict === "doubtful" ? 1 : 0) : count;
  entries.set(mapping.writeIndex, { ...known, written, shown, count: counted, awaited: NO });
  if (verdict !== "edit") note(spelling, field, verdict);
  else if (!hasMovedOn && count >= MAX_ALTERNATIONS) note(spelling, field, "alternates");
}

/** Notes a field in which nothing is awaited, but perhaps something was written. `isProven`: as an edit, by its time of change. */
function noteAttempt(spelling: NewNormalization, field: ShownField, isProven: boolean): void {
  const { inbound, mapping, current } = field;
  const isCut = isCutByAttempt(inbound, field);
  const verdict = verdictOnAttempt(inbound.written, mapping.writeIndex, { current, isCut, isProven });
  if (verdict !== "edit") note(spelling, field, verdict);
}

/** Whose value a field shows that a write without an answer may have written, unlike what that would have written. */
function verdictOnAttempt(
  attempts: readonly string[],
  writeIndex: number,
  { current, isCut, isProven }: { current: Value; isCut: boolean; isProven: boolean },
): "own" | "edit" | "doubtful" {
  const written = attempts.map((attempt) => fieldOf(attempt, writeIndex)).filter(isKnown);
  if (written.length === 0) return "edit";
  if (isProven) return "edit";
  if (!written.includes(hashValue(current))) return "doubtful";
  return isCut ? "own" : "edit";
}

interface Shown {
  known: Entry;
  /** Fingerprints of what was written, and of what is shown now. */
  written: string;
  shown: string;
  value: Value;
  /** What is shown is what was written in another spelling, or the number that a system makes of it. */
  isSpelling: boolean;
  time: ChangeTime;
  /** A later time of change is none that the write may have left itself. */
  isTimed: boolean;
  /** The core holds another value by now than the one that was written. */
  hasMovedOn: boolean;
  /** What is shown is the beginning of what was written, or its number rounded. */
  isCut: boolean;
  /** No other field of the record changed. */
  isAlone: boolean;
  /** A field changed to which nothing had been written. */
  isEdited: boolean;
}

/** Whose value it is that a field shows at the first read after a write, unlike what was written. */
function verdictOn(field: Shown): "own" | "edit" | "doubtful" {
  const { known, written, shown, isSpelling, time, isTimed, hasMovedOn, isCut, isAlone } = field;
  const isRepeated = known.written === written && known.shown === shown;
  const isAsBefore = known.before === shown;
  // Where no later time of change speaks for an edit: it may be that of another field.
  const isAnothers = time !== "later" || !isAlone;
  const isLikely = isAnothers && (isCut || (isAsBefore && (isTimed || time !== "later")));
  if ((time === "write" && known.awaited === LAST) || isRepeated || isLikely) return "own";
  // What made something else of a write before may have done so again.
  const isLater = time === "later" && known.count === 0;
  const isProven = isLater && isAlone && isTimed;
  // A later time than was known before the write may be the write's own.
  if (isSpelling && !isProven) return "own";
  // So may be what the system made of it: less than that, or nothing. What stood there before somebody may have put back.
  if (!isTimed && isAsBefore) return "doubtful";
  if (!isTimed && isCut) return "own";
  // Somebody edited the record; what can't be part of what was written there is no more ours than the field beside it.
  const isElse = !mayBePartOf(known.outline, field.value) && (field.isEdited || isTimed);
  return hasMovedOn && (isSpelling || !(isProven || (isLater && isElse))) ? "doubtful" : "edit";
}

/** Whether what is shown is, in the core's normal form, what was written: whatever the core holds by now. */
function isAsWritten(
  source: SourcePlan,
  { mapped }: InboundRecord,
  { coreField, connectorField, convert }: Pick<SinkMapping, "coreField" | "connectorField" | "convert">,
  written: string,
): boolean {
  const isReadBack = source.mappings.some(
    (mapping) => mapping.coreField === coreField && mapping.connectorField === connectorField,
  );
  if (!isReadBack || !(coreField in mapped)) return false;
  const normal = convert(mapped[coreField] ?? null);
  return !(normal instanceof ConversionError) && hashValue(normal) === written;
}
