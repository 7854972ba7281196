/** What writes without an answer may have left in a record, in whatever spelling it shows there. */
import { fieldOf, holds, isKnown, isSpelledAs } from "../fingerprint.ts";
import { normalFingerprint } from "../normalization/normal-fingerprint.ts";
import type { SinkMapping, SinkPlan, SourcePlan } from "../../plan/plan.ts";
import { readIndexOf, writeIndexOf } from "../fields/read-index.ts";
import type { ClaimedDelivery } from "../../protocol/storage.ts";
import type { InboundRecord } from "../../protocol/inbound-record.ts";

/** Of what writes without an answer may have left in a record: how many fields show it, in whatever spelling. */
export function countAttempted(source: SourcePlan, inbound: InboundRecord, written: readonly string[]): number {
  const attempted = { ...inbound, written };
  return source.place.shared.filter(({ read }) => isAttempted(source, attempted, read)).length;
}

/** Whether a field shows what a write without an answer wrote there, in whatever spelling. */
export function isAttempted(source: SourcePlan, { seen, record, written }: InboundRecord, read: number): boolean {
  const writeIndex = writeIndexOf(source.place, read);
  if (writeIndex === undefined || written.length === 0) return false;
  const part = fieldOf(seen, read);
  const normal = fieldOf(normalFingerprint(source, record, seen), read);
  const { readFields, writeFields } = source.place;
  const value = record.values[readFields[read] ?? ""];
  return written.some(
    (attempt) =>
      holds(attempt, writeIndex, part) ||
      holds(attempt, writeIndex, normal) ||
      isSpelledAs(attempt, writeFields.length, writeIndex, value),
  );
}

/**
 * Whether a write without an answer may have left another value than this one (`hash`) in a field that nobody reads: what
 * the place was told before is not known to stand there.
 */
export function isInDoubt(
  { place }: SinkPlan,
  { connectorField, writeIndex }: SinkMapping,
  unanswered: ClaimedDelivery["unanswered"],
  hash: string,
): boolean {
  if (unanswered === null || readIndexOf(place, connectorField) >= 0) return false;
  const attempted = unanswered.written.map((attempt) => fieldOf(attempt, writeIndex));
  return attempted.some((part) => isKnown(part) && part !== hash);
}
