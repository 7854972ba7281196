/**
 * Fields that show again what our own writes replaced there, in a system that shows writes late: they are read as if they
 * showed what was written, and what else a record shows is decided as ever.
 */
import type { SourceRecord } from "@accord/connector-sdk";
import type { SourcePlan } from "../plan/plan.ts";
import { LATE_READ_MS } from "../protocol/retry.ts";
import type { StoredLink } from "../protocol/stored.ts";
import { fieldOf, fieldsIn, partAt, replaceFields } from "../state/fingerprint.ts";
import { awaitedWrite, awaitsEarlier, awaitsUntimed } from "../state/normalization/awaited-normalizations.ts";
import { writeIndexOf } from "../state/fields/read-index.ts";
import { replacedIn } from "./partial-reads.ts";

/** A record as a page shows it, and what is known of it. */
interface ShownAgain {
  record: Pick<SourceRecord, "modifiedAt" | "deleted">;
  /** Fingerprint of what it shows (source fields). */
  shown: string;
  link: StoredLink | null;
  /** When its place last answered a write of it, and when the page was asked for, milliseconds. */
  writtenAt: number | undefined;
  askedAt: number;
}

/**
 * By their index among those read: fields that show what our writes of the last minute replaced, though nothing tells
 * that somebody put it back. There is no time of change, or it did not move on since before the write; or they show an
 * earlier write of ours, by a time from before the last one was answered. Only where the record comes again, with another
 * reading or once its time of change moves on: what still shows after the minute is news.
 */
export function lateFields(
  source: Pick<SourcePlan, "listsAll" | "readDelayMs" | "place">,
  { record, shown, link, writtenAt, askedAt }: ShownAgain,
): ReadonlySet<number> {
  if (!link || link.dead || link.seen === null || record.deleted || writtenAt === undefined) return NONE_LATE;
  if (askedAt - writtenAt >= Math.max(LATE_READ_MS, source.readDelayMs)) return NONE_LATE;
  const { modifiedAt } = record;
  if (modifiedAt ? !awaitsUntimed(link.respelled) : !source.listsAll) return NONE_LATE;
  const isAsOld = !modifiedAt || modifiedAt === link.modifiedAt;
  if (!isAsOld && Date.parse(modifiedAt) >= writtenAt) return NONE_LATE;
  const isOfEarlierWrite = awaitsEarlier(link.respelled);
  const late = new Set<number>();
  for (const [read, parts] of replacedIn(link.respelled)) {
    const part = fieldOf(shown, read);
    if (part === fieldOf(link.seen, read) || !parts.includes(part)) continue;
    if (isAsOld || isOfEarlierWrite || lastRead(source, link, read) !== part) late.add(read);
  }
  return late;
}

/** What a field showed when it was read last, if it was written since. */
function lastRead({ place }: Pick<SourcePlan, "place">, { respelled }: StoredLink, read: number): string | undefined {
  const index = writeIndexOf(place, read);
  return index === undefined ? undefined : awaitedWrite(respelled, index)?.before;
}

export const NONE_LATE: ReadonlySet<number> = new Set();

/** What a record shows, with what late fields are expected to show in place of what they do. */
export const withoutLate = (shown: string, { seen }: Pick<StoredLink, "seen">, late: ReadonlySet<number>): string =>
  replaceFields(shown, fieldsIn(shown), new Map([...late].map((read) => [read, partAt(seen ?? "", read)])));
