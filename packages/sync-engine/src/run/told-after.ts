/** What a place that we write to now holds, as just seen there, and whether that is what it should hold. */
import type { Values } from "@accord/contracts/data/values";
import { hashValue } from "@accord/connector-sdk/fingerprint";
import { sameValue } from "@accord/expressions";
import { fieldOf, holds, isKnown, partAt, replaceFields } from "./fingerprint.ts";
import type { Traveller } from "./traveller.ts";
import type { Merged } from "./merge.ts";
import { isHeldUnseen, isLeftOut } from "./missing-fields.ts";
import { Inconvertible, type SinkPlan, type SourcePlan } from "./plan.ts";
import { readIndexAt } from "./read-now.ts";

/** What the place now holds of the fields we write there, as just seen; and whether that is what it should hold. */
export function toldAfter(
  sink: SinkPlan,
  source: SourcePlan,
  traveller: Traveller,
  values: Values | null,
  refused: Merged["refused"],
): { told: string; refused: string | null; differs: boolean; waits: boolean } {
  const before = traveller.link?.told ?? null;
  const spurned = traveller.link?.refused ?? null;
  const count = sink.place.toldFields.length;
  const parts = new Map<number, string>();
  const newlySpurned = new Map<number, string>();
  for (const { read, told } of sink.place.shared) {
    if (isLeftOut(traveller, read)) continue;
    const part = fieldOf(traveller.seen, read);
    // A system that stores values in its own spelling has not changed them: what it was told still stands.
    const isAsKnown =
      before !== null && holds(traveller.link?.seen ?? null, read, part) && isKnown(fieldOf(before, told));
    if (!isAsKnown && !traveller.spelling?.fields.has(read)) parts.set(told, part);
  }
  let differs = false;
  let waits = false;
  // What was read and the core's value are one in the core's normal form: the place keeps its own way of writing it.
  const isSameHere = (coreField: string, connectorField: string): boolean =>
    source.mappings.some((mapping) => mapping.coreField === coreField && mapping.connectorField === connectorField) &&
    sameValue(traveller.mapped[coreField] ?? null, values?.[coreField] ?? null);
  for (const mapping of sink.mappings) {
    const { createOnly, isComputed, reference, convert, coreField, connectorField, toldIndex } = mapping;
    if (!values || createOnly || isComputed) continue;
    // What a reference would have to be called there is not known here; that it was refused or lost a merge is.
    if (reference && ((refused && coreField in refused) || traveller.renamed.includes(coreField))) differs = true;
    const wanted = reference ? undefined : convert(values[coreField] ?? null);
    if (wanted === undefined || wanted instanceof Inconvertible) continue;
    const hash = hashValue(wanted);
    const read = readIndexAt(sink.place, toldIndex) ?? -1;
    const unseen = unseenAt(traveller, { read, toldIndex, hash });
    if (unseen) {
      waits ||= unseen.waits;
      differs ||= unseen.differs;
      continue;
    }
    const shown = parts.get(toldIndex) ?? (before === null ? "" : fieldOf(before, toldIndex));
    // Left as it is until the core's own value changes: what can't be read, and what comes back after it was
    // overwritten once, as from a system that respells what it is given.
    const isUnreadable = traveller.refusedFields.some(({ field }) => field === coreField);
    const isAgain = holds(before, toldIndex, hash) && holds(spurned, toldIndex, shown);
    const isInsisted = isAgain && !traveller.returned.has(read);
    if (isUnreadable || isInsisted || (shown !== hash && isSameHere(coreField, connectorField))) {
      parts.set(toldIndex, hash);
    } else if (shown !== hash) {
      differs = true;
      if (refused && coreField in refused) newlySpurned.set(toldIndex, shown);
    }
  }
  return {
    told: replaceFields(before, count, parts),
    refused: newlySpurned.size > 0 ? replaceFields(spurned, count, newlySpurned) : spurned,
    differs,
    waits,
  };
}

/** What is to be said of a field that the record came without; null where it is there. */
function unseenAt(
  traveller: Traveller,
  { read, toldIndex, hash }: { read: number; toldIndex: number; hash: string },
): { waits: boolean; differs: boolean } | null {
  if (read < 0 || !isLeftOut(traveller, read)) return null;
  const part = partAt(traveller.seen, read);
  const waits = !isHeldUnseen({ told: traveller.link?.told ?? null }, part, toldIndex, hash);
  // Told once that it is missing: it is waited for from then on.
  return { waits, differs: waits && partAt(traveller.link?.seen ?? "", read) !== part };
}
