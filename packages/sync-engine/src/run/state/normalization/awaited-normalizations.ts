/** What `respelled` holds of the fields of an external record: what is awaited since they were written, and what was shown. */
import { joinParts, partsOf } from "../../merge/partial-reads.ts";

/** A field's entry in `respelled`. */
export interface Entry {
  /** What was shown when last it was not what had been written, and what had been: fingerprints. */
  written: string;
  shown: string;
  /** Writes in a row after which it was not. */
  count: number;
  /** Written since it was last read: by the last write, or by one before it that did not write it again. */
  awaited: Awaited;
  /** What was written, whatever its spelling; empty for lists and objects. */
  spelled: string;
  /** Of what was written: see `outlineOf`. Empty where nothing is known of that. */
  outline: string;
  /** What was shown when it was last read before it was written; empty where it never was. */
  before: string;
  /** The last write wrote it, and its answer named the time of change that it left: a later one is an edit's. */
  isTimed: boolean;
}

/** A field that was written, by its index among those written there. */
export type AwaitedWrite = { index: number } & Pick<Entry, "spelled" | "outline" | "before" | "isTimed">;

export const NO = 0;
export const LAST = 1;
const EARLIER = 2;
type Awaited = typeof NO | typeof LAST | typeof EARLIER;

/**
 * `respelled` once these fields (by index among those written there) were written and nothing said how they are stored.
 * Fields that only an earlier write wrote may have been edited between the two: the time of change of the record is
 * the last write's, and says nothing of them.
 */
export function awaitNormalization(respelled: string | null, writes: readonly AwaitedWrite[]): string | null {
  const entries = new Map<number, Entry>();
  for (const [index, entry] of parseEntries(respelled)) {
    if (entry.count > 0 || entry.awaited !== NO)
      entries.set(index, { ...entry, awaited: entry.awaited === NO ? NO : EARLIER, isTimed: false });
  }
  for (const { index, spelled, outline, before, isTimed } of writes) {
    const entry = entries.get(index) ?? { written: "", shown: "", count: 0, awaited: NO, before };
    const first = entry.awaited === NO ? before : entry.before;
    entries.set(index, { ...entry, spelled, outline, before: first, awaited: LAST, isTimed });
  }
  return formatEntries(entries);
}

/** `respelled` once a read has shown all that was written last. `keepsReplaced`: other reads may still be older. */
export const confirmNormalization = (respelled: string | null, keepsReplaced: boolean): string | null =>
  joinParts(
    keepsReplaced ? partsOf(respelled).replaced : null,
    formatEntries(new Map([...parseEntries(respelled)].filter(([, { awaited }]) => awaited === NO))),
  );

/** Whether something was written by a write before the last one, and not read since. */
export const awaitsEarlier = (respelled: string | null): boolean =>
  [...parseEntries(respelled).values()].some(({ awaited }) => awaited === EARLIER);

/** Whether something was written that was not read since, and left a time of change that nobody knows. */
export const awaitsUntimed = (respelled: string | null): boolean =>
  [...parseEntries(respelled).values()].some(({ awaited, isTimed }) => awaited !== NO && !isTimed);

/** What was written to a field, by its index among those written, where it was not read since; else null. */
export function awaitedWrite(respelled: string | null, index: number): Pick<Entry, "spelled" | "before"> | null {
  const entry = parseEntries(respelled).get(index);
  return entry && entry.awaited !== NO ? entry : null;
}

/** `respelled` once these fields were read. */
export function withoutAwaited(respelled: string | null, indexes: ReadonlySet<number>): string | null {
  const { replaced } = partsOf(respelled);
  const others = [...parseEntries(respelled)].filter(([index, { awaited }]) => awaited === NO || !indexes.has(index));
  return joinParts(replaced, formatEntries(new Map(others)));
}

/**
 * `3:written:shown:count:1:spelled:before:1:outline …`, by index among the fields written there; 1 behind `before` where
 * timed. What says nothing at the end is left out.
 */
export function parseEntries(respelled: string | null): ReadonlyMap<number, Entry> {
  const entries = new Map<number, Entry>();
  const { entries: text } = partsOf(respelled);
  for (const part of text === null ? [] : text.split(" ")) {
    const [index, written = "", shown = "", count, awaited, spelled = "", before = "", timed, outline = ""] =
      part.split(":");
    entries.set(Number(index), {
      written,
      shown,
      count: Number(count),
      awaited: awaited === "1" ? LAST : awaited === "2" ? EARLIER : NO,
      spelled,
      outline,
      before,
      isTimed: timed === "1",
    });
  }
  return entries;
}

export function formatEntries(entries: ReadonlyMap<number, Entry>): string | null {
  if (entries.size === 0) return null;
  const parts = [...entries].map(([index, { written, shown, count, awaited, spelled, outline, before, isTimed }]) => {
    const marks = outline === "" ? (isTimed ? [1] : []) : [isTimed ? 1 : 0, outline];
    const awaits = awaited === NO ? [] : [spelled, before, ...marks];
    return [index, written, shown, count, awaited, ...awaits].join(":");
  });
  return parts.join(" ");
}
