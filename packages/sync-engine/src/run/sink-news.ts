/** What a destination needs to hear of, and whether what it holds can be told from what is read there. */
import { hashValue } from "@accord/connector-sdk/fingerprint";
import type { Value } from "@accord/contracts/data/values";
import { fieldOf, isKnown } from "./fingerprint.ts";
import type { Merged } from "./merge.ts";
import { Inconvertible, type SinkMapping, type SinkPlan } from "./plan.ts";

/** Whether a change is news for a destination. */
export function concerns({ reads }: SinkPlan, { changes }: Merged): boolean {
  if (reads === null) return true;
  for (const field in changes) if (reads.has(field)) return true;
  return false;
}

/** Whether all that is written to a destination can be compared with what was read there. */
export const isComparable = ({ reads, mappings }: SinkPlan): boolean =>
  reads !== null && mappings.every(({ reference, isComputed }) => reference === null && !isComputed);

/** Whether a place was told another value in a field than this one, as far as that can be compared. */
export function wasToldAnother(
  { reference, createOnly, isComputed, toldIndex, convert }: SinkMapping,
  told: string,
  value: Value,
): boolean {
  if (reference || createOnly || isComputed) return false;
  const [part, wanted] = [fieldOf(told, toldIndex), convert(value)];
  return isKnown(part) && !(wanted instanceof Inconvertible) && part !== hashValue(wanted);
}
