/** What the time of change of a record says of our own writes to it. */
import type { SinkPlan } from "../../plan/plan.ts";
import type { InboundRecord } from "../../protocol/inbound-record.ts";
import { timeOfAttempt } from "../fingerprint.ts";

/** What the time of change of a record says: it is our last write's own, a later one, or nothing that could be compared. */
export type ChangeTime = "write" | "later" | "unknown";

export function timeOf(
  sink: SinkPlan,
  { record: { modifiedAt }, link, written }: InboundRecord,
  now: string,
): ChangeTime {
  const known = link?.modifiedAt ?? null;
  if (!modifiedAt || (known === null && written.length === 0)) return "unknown";
  if (modifiedAt === known) return "write";
  // When an attempt was begun is known by our clock: a clock that is ahead of it says nothing about that.
  if (written.length > 0 && modifiedAt > now) return "unknown";
  // A write that was never answered may have left its own.
  const isLater = (known === null || modifiedAt > known) && isAfterAttempts(sink, modifiedAt, written);
  return isLater ? "later" : "unknown";
}

/** From an attempt's being written down to the moment when whoever began it can't send it any more: a lease's time. */
const ATTEMPT_MS = 30_000;

const isAfterAttempts = ({ readDelayMs }: SinkPlan, modifiedAt: string, written: readonly string[]): boolean =>
  written.every((attempt) => {
    const begunAt = timeOfAttempt(attempt);
    return begunAt !== null && Date.parse(modifiedAt) > begunAt + ATTEMPT_MS + readDelayMs;
  });

/** Whether the time of change lies so long after the last write's answer, by our clock, that it is none of its own. */
export function isAfterWrite(
  { readDelayMs }: SinkPlan,
  { record: { modifiedAt }, writtenAt }: InboundRecord,
  now: string,
): boolean {
  if (!modifiedAt || writtenAt === undefined || modifiedAt > now) return false;
  return Date.parse(modifiedAt) > writtenAt + ATTEMPT_MS + readDelayMs;
}
