/** What writes without an answer may have left in a record, in whatever spelling it shows there. */
import { fieldOf, holds, isSpelledAs } from "./fingerprint.ts";
import { normalFingerprint } from "./normal-fingerprint.ts";
import type { SourcePlan } from "./plan.ts";
import { toldIndexOf } from "./read-now.ts";
import type { Traveller } from "./traveller.ts";

/** Whether a field shows what a write without an answer wrote there, in whatever spelling. */
export function isAttempted(source: SourcePlan, { seen, record, written }: Traveller, read: number): boolean {
  const told = toldIndexOf(source.place, read);
  if (told === undefined || written.length === 0) return false;
  const part = fieldOf(seen, read);
  const normal = fieldOf(normalFingerprint(source, record, seen), read);
  const { readFields, toldFields } = source.place;
  const value = record.values[readFields[read] ?? ""];
  return written.some(
    (attempt) =>
      holds(attempt, told, part) ||
      holds(attempt, told, normal) ||
      isSpelledAs(attempt, toldFields.length, told, value),
  );
}
