/** What a destination needs to learn of, and whether what it holds can be told from what is read there. */
import { hashValue } from "@accord/connector-sdk/fingerprint";
import type { Value } from "@accord/contracts/data/values";
import { fieldOf, isKnown } from "../state/fingerprint.ts";
import type { Merged } from "../merge/merge.ts";
import { ConversionError, type SinkMapping, type SinkPlan } from "../plan/plan.ts";

/** Whether a change is news for a destination. */
export function isRelevant({ reads }: SinkPlan, { changes }: Merged): boolean {
  if (reads === null) return true;
  for (const field in changes) if (reads.has(field)) return true;
  return false;
}

/** Whether all that is written to a destination can be compared with what was read there. */
export const isComparable = ({ reads, mappings }: SinkPlan): boolean =>
  reads !== null && mappings.every(({ reference, isComputed }) => reference === null && !isComputed);

/** Whether a place was told another value in a field than this one, as far as that can be compared. */
export const wasWrittenAnother = (mapping: SinkMapping, lastWritten: string, value: Value): boolean =>
  compareWritten(mapping, lastWritten, value) === "another";

/** Whether a place was told this value; where that can't be compared, for all that is known. */
export function wasWritten(mapping: SinkMapping, lastWritten: string, value: Value): boolean {
  const compared = compareWritten(mapping, lastWritten, value);
  return compared === "same" || (compared === null && isKnown(fieldOf(lastWritten, mapping.writeIndex)));
}

/** Whether a place was surely told this value. */
export const wasSurelyWritten = (mapping: SinkMapping, lastWritten: string, value: Value): boolean =>
  compareWritten(mapping, lastWritten, value) === "same";

function compareWritten(
  { reference, createOnly, isComputed, writeIndex, convert }: SinkMapping,
  lastWritten: string,
  value: Value,
): "same" | "another" | null {
  if (reference || createOnly || isComputed) return null;
  const [part, wanted] = [fieldOf(lastWritten, writeIndex), convert(value)];
  if (!isKnown(part) || wanted instanceof ConversionError) return null;
  return part === hashValue(wanted) ? "same" : "another";
}
