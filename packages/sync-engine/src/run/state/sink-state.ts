/** What a place that we write to now holds, as just seen there, and whether that is what it should hold. */
import type { Value, Values } from "@accord/contracts/data/values";
import { hashValue } from "@accord/connector-sdk/fingerprint";
import { sameValue } from "@accord/expressions";
import { fieldOf, holds, isKnown, partAt, replaceFields } from "./fingerprint.ts";
import type { InboundRecord } from "../protocol/inbound-record.ts";
import type { Merged } from "../merge/merge.ts";
import { isHeldUnseen, isLeftOut } from "./fields/missing-fields.ts";
import { ConversionError, type SinkMapping, type SinkPlan, type SourcePlan } from "../plan/plan.ts";
import { readIndexAt } from "./fields/read-index.ts";

export interface SinkState {
  /** What the place now holds of the fields we write there, as just seen. */
  lastWritten: string;
  /** What it showed and we refused. */
  refused: string | null;
  /** It holds something else than it should: a value we refused, or one the core has and the place hasn't. */
  differs: boolean;
  /** It may hold something else in a field that it leaves out: that is known once the field is back. */
  waits: boolean;
  /** It lacks a value that its field can't take. */
  unfit: boolean;
  /** It holds such a value since now, as by a person there: a delivery that is parked for it is over. */
  arrived: boolean;
}

export function sinkStateAfter(
  sink: SinkPlan,
  source: SourcePlan,
  inbound: InboundRecord,
  values: Values | null,
  refused: Merged["refused"],
): SinkState {
  const before = inbound.link?.lastWritten ?? null;
  const rejected = inbound.link?.refused ?? null;
  const count = sink.place.writeFields.length;
  const parts = newlyShown(sink, inbound, before);
  const newlyRejected = new Map<number, string>();
  const state = { differs: false, waits: false, unfit: false, arrived: false };
  for (const mapping of sink.mappings) {
    const { createOnly, isComputed, reference, convert, coreField, writeIndex } = mapping;
    if (!values || createOnly || isComputed) continue;
    // What a reference would have to be called there is not known here; that it was refused or lost a merge is.
    if (reference && ((refused && coreField in refused) || inbound.renamed.includes(coreField))) state.differs = true;
    const own = values[coreField] ?? null;
    const wanted = reference ? undefined : convert(own);
    if (wanted === undefined) continue;
    const shown = parts.get(writeIndex) ?? (before === null ? "" : fieldOf(before, writeIndex));
    if (wanted instanceof ConversionError) {
      const asItIs = hashValue(own);
      const isHere = shown === asItIs || isSameHere(source, inbound, mapping, own);
      const wasHere = holds(before, writeIndex, asItIs);
      if (isHere) parts.set(writeIndex, asItIs);
      state.unfit ||= !isHere;
      state.arrived ||= isHere && !wasHere;
      // Nothing else asks for the delivery that says that it is not there any more.
      state.differs ||= wasHere && !isHere;
      continue;
    }
    const hash = hashValue(wanted);
    const read = readIndexAt(sink.place, writeIndex) ?? -1;
    const unseen = unseenAt(inbound, { read, writeIndex, hash });
    if (unseen) {
      state.waits ||= unseen.waits;
      state.differs ||= unseen.differs;
      continue;
    }
    // Left as it is until the core's own value changes: what can't be read, and what comes back after it was
    // overwritten once, as from a system that respells what it is given.
    const isUnreadable = inbound.refusedFields.some(({ field }) => field === coreField);
    const isAgain = holds(before, writeIndex, hash) && holds(rejected, writeIndex, shown);
    const isReverted = isAgain && !inbound.returned.has(read);
    if (isUnreadable || isReverted || (shown !== hash && isSameHere(source, inbound, mapping, own))) {
      parts.set(writeIndex, hash);
    } else if (shown !== hash) {
      state.differs = true;
      if (refused && coreField in refused) newlyRejected.set(writeIndex, shown);
    }
  }
  return {
    lastWritten: replaceFields(before, count, parts),
    refused: newlyRejected.size > 0 ? replaceFields(rejected, count, newlyRejected) : rejected,
    ...state,
  };
}

/**
 * What was read and the core's value are one in the core's normal form: the place keeps its own way of writing it. What is
 * shown late was not read.
 */
function isSameHere(
  source: SourcePlan,
  { mapped, late }: InboundRecord,
  { coreField, connectorField }: SinkMapping,
  own: Value,
): boolean {
  const isRead = source.mappings.some(
    (mapping) =>
      mapping.coreField === coreField && mapping.connectorField === connectorField && !late?.has(mapping.readIndex),
  );
  return isRead && sameValue(mapped[coreField] ?? null, own);
}

/** By their index among those written there: what fields show that is not as it was known. */
function newlyShown({ place }: SinkPlan, inbound: InboundRecord, before: string | null): Map<number, string> {
  const parts = new Map<number, string>();
  for (const { read, writeIndex } of place.shared) {
    if (isLeftOut(inbound, read)) continue;
    const part = fieldOf(inbound.seen, read);
    // A system that stores values in its own spelling has not changed them: what was written still stands.
    const isAsKnown =
      before !== null && holds(inbound.link?.seen ?? null, read, part) && isKnown(fieldOf(before, writeIndex));
    if (!isAsKnown && !inbound.spelling?.fields.has(read)) parts.set(writeIndex, part);
  }
  return parts;
}

/** What is to be said of a field that the record came without; null where it is there. */
function unseenAt(
  inbound: InboundRecord,
  { read, writeIndex, hash }: { read: number; writeIndex: number; hash: string },
): { waits: boolean; differs: boolean } | null {
  if (read < 0 || !isLeftOut(inbound, read)) return null;
  const part = partAt(inbound.seen, read);
  const waits = !isHeldUnseen({ lastWritten: inbound.link?.lastWritten ?? null }, part, writeIndex, hash);
  // Known once to be missing: it is waited for from then on.
  return { waits, differs: waits && partAt(inbound.link?.seen ?? "", read) !== part };
}
