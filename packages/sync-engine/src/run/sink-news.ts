/** What a destination needs to hear of, and whether what it holds can be told from what is read there. */
import type { Merged } from "./merge.ts";
import type { SinkPlan } from "./plan.ts";

/** Whether a change is news for a destination. */
export function concerns({ reads }: SinkPlan, { changes }: Merged): boolean {
  if (reads === null) return true;
  for (const field in changes) if (reads.has(field)) return true;
  return false;
}

/** Whether all that is written to a destination can be compared with what was read there. */
export const isComparable = ({ reads, mappings }: SinkPlan): boolean =>
  reads !== null && mappings.every(({ reference, isComputed }) => reference === null && !isComputed);
