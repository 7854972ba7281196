/**
 * Systems that store what they are given in a spelling of their own, without saying so in their answer. What a system
 * shows at the first read after our own write, unlike what was sent, is its spelling or somebody's edit. It is taken
 * for a spelling where the two differ in spelling only, where the same was shown for the same before, or where the time
 * of change is our write's own; everything else is an edit. Where each write is followed by another value, both are
 * shown to people and nothing more is written.
 */
import { hashValue } from "@accord/connector-sdk/fingerprint";
import type { Value, Values } from "@accord/contracts/data/values";
import { fieldOf, isExpectation, isKnown } from "./fingerprint.ts";
import { Inconvertible, type SinkMapping, type SinkPlan, type SourcePlan } from "./plan.ts";
import type { RecordWarning, Spelling, Traveller } from "./traveller.ts";

/** Writes in a row after each of which a field showed another value, before nothing more is written. */
const MAX_ALTERNATIONS = 5;

/** A field's entry in `respelled`. */
interface Entry {
  /** What was shown when last it was not what had been written, and what had been: fingerprints. */
  written: string;
  shown: string;
  /** Writes in a row after which it was not. */
  count: number;
  /** Written since it was last read: by the last write, or by one before it that did not write it again. */
  awaited: Awaited;
}

const NO = 0;
const LAST = 1;
const EARLIER = 2;
type Awaited = typeof NO | typeof LAST | typeof EARLIER;

/**
 * `respelled` once these fields (by index among those written there) were written and nothing said how they are stored.
 * Fields that only an earlier write wrote may have been edited between the two: the time of change of the record is
 * the last write's, and says nothing of them.
 */
export function awaitSpelling(respelled: string | null, written: readonly number[]): string | null {
  const entries = new Map<number, Entry>();
  for (const [index, entry] of parse(respelled)) {
    if (entry.count > 0 || entry.awaited !== NO)
      entries.set(index, { ...entry, awaited: entry.awaited === NO ? NO : EARLIER });
  }
  for (const index of written) {
    entries.set(index, { ...(entries.get(index) ?? { written: "", shown: "", count: 0 }), awaited: LAST });
  }
  return format(entries);
}

/** `respelled` once a read has shown all that was written last. */
export const confirmSpelling = (respelled: string | null): string | null =>
  format(new Map([...parse(respelled)].filter(([, { awaited }]) => awaited === NO)));

/** Null unless the record is read for the first time since it was written. `values`: those of the core. */
export function spellingOf(
  sink: SinkPlan | null,
  source: SourcePlan,
  traveller: Traveller,
  values: Values,
): Spelling | null {
  const { link, record } = traveller;
  if (!sink || !link || link.told === null || !isExpectation(link.seen)) return null;
  const before = parse(link.respelled);
  const entries = new Map(before);
  const fields = new Set<number>();
  const alternating: Spelling["alternating"] = {};
  const warnings: RecordWarning[] = [];
  const isOwnWrite = record.modifiedAt !== undefined && record.modifiedAt === link.modifiedAt;
  for (const { coreField, connectorField, toldIndex, reference, createOnly, isComputed, convert } of sink.mappings) {
    if (reference || createOnly || isComputed) continue;
    const read = source.place.readFields.indexOf(connectorField);
    const written = fieldOf(link.told, toldIndex);
    const shown = read < 0 ? "" : fieldOf(traveller.seen, read);
    const known = before.get(toldIndex);
    if (read < 0 || !known || known.awaited === NO || !isKnown(written)) continue;
    entries.delete(toldIndex);
    if (shown === fieldOf(link.seen ?? "", read)) continue;
    if (isAsWritten(source, traveller, { coreField, connectorField, convert }, written)) {
      fields.add(read);
      continue;
    }
    // Only what the core still holds can be compared with what is shown.
    const sent = convert(values[coreField] ?? null);
    if (sent instanceof Inconvertible || hashValue(sent) !== written) continue;
    const value = record.values[connectorField] ?? null;
    const count = known.count + 1;
    const isRepeated = known.written === written && known.shown === shown;
    const isSpelling = (isOwnWrite && known.awaited === LAST) || isRepeated || differsInSpellingOnly(sent, value);
    entries.set(toldIndex, { written, shown, count, awaited: NO });
    if (!isSpelling && count < MAX_ALTERNATIONS) continue;
    fields.add(read);
    const sample = `${JSON.stringify(sent)} became ${JSON.stringify(value)} in record ${record.id}`;
    const warning = { nodeId: source.nodeId, record: record.id, field: coreField, sample };
    if (isSpelling) warnings.push({ ...warning, code: "respelled", message: RESPELLED });
    else {
      alternating[coreField] = [value, "alternates"];
      warnings.push({ ...warning, code: "alternates", message: ALTERNATES });
    }
  }
  return { fields, respelled: format(entries), alternating, warnings };
}

/** Whether what is shown is, in the core's normal form, what was written: whatever the core holds by now. */
function isAsWritten(
  source: SourcePlan,
  { mapped }: Traveller,
  { coreField, connectorField, convert }: Pick<SinkMapping, "coreField" | "connectorField" | "convert">,
  written: string,
): boolean {
  const isReadBack = source.mappings.some(
    (mapping) => mapping.coreField === coreField && mapping.connectorField === connectorField,
  );
  if (!isReadBack || !(coreField in mapped)) return false;
  const normal = convert(mapped[coreField] ?? null);
  return !(normal instanceof Inconvertible) && hashValue(normal) === written;
}

const RESPELLED =
  "The system stores these values in a spelling of its own. It keeps it, and nobody else is told of it.";
const ALTERNATES = "Each write of this field was followed by another value. The system keeps its own, and both differ.";

/** The same but for case, blanks at the ends or in a row, or the way a number or a time is written. */
function differsInSpellingOnly(sent: Value, shown: Value): boolean {
  if (sent === null || shown === null || typeof sent === "object" || typeof shown === "object") return false;
  const [left, right] = [plainText(sent), plainText(shown)];
  if (left === right) return true;
  const isNumber = left !== "" && right !== "" && Number(left) === Number(right);
  return isNumber || (DATE.test(left) && DATE.test(right) && Date.parse(left) === Date.parse(right));
}

const DATE = /^\d{4}-\d\d-\d\d/;
const plainText = (value: Exclude<Value, object | null>): string =>
  String(value).trim().replaceAll(/\s+/g, " ").toLowerCase();

/** `3:written:shown:count:awaited …`, by index among the fields written there. */
function parse(text: string | null): ReadonlyMap<number, Entry> {
  const entries = new Map<number, Entry>();
  for (const part of text === null ? [] : text.split(" ")) {
    const [index, written = "", shown = "", count, awaited] = part.split(":");
    entries.set(Number(index), { written, shown, count: Number(count), awaited: asAwaited(awaited) });
  }
  return entries;
}

function format(entries: ReadonlyMap<number, Entry>): string | null {
  if (entries.size === 0) return null;
  const parts = [...entries].map(([index, { written, shown, count, awaited }]) =>
    [index, written, shown, count, awaited].join(":"),
  );
  return parts.join(" ");
}

const asAwaited = (text: string | undefined): Awaited => (text === "1" ? LAST : text === "2" ? EARLIER : NO);
