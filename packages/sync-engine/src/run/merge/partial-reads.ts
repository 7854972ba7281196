/**
 * Systems that show a write late. Until it shows, a read gives the record as it stood before: taken for somebody's edit,
 * that would undo what was written. Beside each link stands what its last writes replaced, within `respelled`; a record
 * that holds nothing else, or has an older time of change than is known, is such a read for a minute after the write.
 */
import type { SourceRecord } from "@accord/connector-sdk";
import { comparableValues, FINGERPRINT_LENGTH, hashValue } from "@accord/connector-sdk/fingerprint";
import type { Values } from "@accord/contracts/data/values";
import { expectedOf, fieldOf, isExpectation, isKnown } from "../state/fingerprint.ts";
import type { InboundRecord } from "../protocol/inbound-record.ts";
import type { EndpointPlan, SinkPlan } from "../plan/plan.ts";
import { LATE_READ_MS } from "../protocol/retry.ts";
import type { ClaimedDelivery } from "../protocol/storage.ts";
import type { StoredLink } from "../protocol/stored.ts";

/** What is kept in front of the fields' own entries. */
const MARK = "~";

/** Fingerprints that a field may still show, by its index among those read. */
type Replaced = ReadonlyMap<number, readonly string[]>;

/** The part of `respelled` that says what writes replaced, and the rest of it. */
export function partsOf(respelled: string | null): { replaced: string | null; entries: string | null } {
  if (respelled === null || !respelled.startsWith(MARK)) return { replaced: null, entries: respelled };
  const end = respelled.indexOf(" ");
  return end < 0
    ? { replaced: respelled, entries: null }
    : { replaced: respelled.slice(0, end), entries: respelled.slice(end + 1) };
}

export function joinParts(replaced: string | null, entries: string | null): string | null {
  if (replaced === null) return entries;
  return entries === null ? replaced : `${replaced} ${entries}`;
}

/**
 * What the last writes to a record replaced, once `values` are written: what was seen in their fields and what was
 * written there before. Earlier writes count while reads may not show them yet.
 */
export function replacedBy(
  place: EndpointPlan,
  { link, writtenForMs }: ClaimedDelivery,
  values: Values,
): string | null {
  if (!link || link.dead) return null;
  const replaced = new Map(isWithin(writtenForMs) ? replacedIn(link.respelled) : []);
  for (const { read, writeIndex } of place.shared) {
    const value = values[place.writeFields[writeIndex] ?? ""];
    if (value === undefined) continue;
    const before = [expectedOf(link.seen ?? "", read), fieldOf(link.lastWritten ?? "", writeIndex)].filter(isKnown);
    const parts = new Set([...(replaced.get(read) ?? []), ...before]);
    parts.delete(hashValue(value));
    if (parts.size > 0) replaced.set(read, [...parts].slice(-MAX_PARTS));
    else replaced.delete(read);
  }
  return format(replaced);
}

function format(replaced: Replaced): string | null {
  if (replaced.size === 0) return null;
  return MARK + [...replaced].map(([index, parts]) => `${index}:${parts.join("")}`).join(",");
}

/**
 * With what was written and is expected in fields that show something else: another reading may show that still.
 * `isWritten`: whether a field, by its index among those written there, was written since it was read. What others hold
 * was only read there, and is somebody's edit if it shows again.
 */
export function withUnread(
  { shared }: EndpointPlan,
  { link, seen }: Pick<InboundRecord, "link" | "seen">,
  { before, isWritten }: { before: string | null; isWritten: (index: number) => boolean },
): string | null {
  const replaced = new Map(replacedIn(before));
  for (const { read, writeIndex } of isExpectation(link?.seen ?? null) ? shared : []) {
    const part = fieldOf(link?.seen ?? "", read);
    const known = replaced.get(read) ?? [];
    if (isWritten(writeIndex) && isKnown(part) && part !== fieldOf(seen, read) && !known.includes(part))
      replaced.set(read, [...known, part].slice(-MAX_PARTS));
  }
  return format(replaced);
}

/** Values of a field that are kept: of a field that is written again and again, the last ones. */
const MAX_PARTS = 6;

/** Whether a record that was read right before a write shows it as it stood before the write before that one. */
export function isLateRead(sink: SinkPlan, { link, writtenForMs }: ClaimedDelivery, record: SourceRecord): boolean {
  if (!link || link.dead || record.deleted || !isWithin(writtenForMs)) return false;
  const { modifiedAt } = record;
  if (modifiedAt && link.modifiedAt && modifiedAt !== link.modifiedAt) return modifiedAt < link.modifiedAt;
  return showsReplaced(sink.place, link, comparableValues(record));
}

const isWithin = (writtenForMs: number | null): boolean => writtenForMs !== null && writtenForMs < LATE_READ_MS;

/** Whether all that differs from what is expected there was there before. */
function showsReplaced({ readFields, lapsed }: EndpointPlan, { seen, respelled }: StoredLink, values: Values): boolean {
  const replaced = replacedIn(respelled);
  let isOlder = false;
  for (const [index, field] of readFields.entries()) {
    const part = hashValue(values[field]);
    if (values[field] === undefined || lapsed?.has(index) || part === fieldOf(seen ?? "", index)) continue;
    if (!replaced.get(index)?.includes(part)) return false;
    isOlder = true;
  }
  return isOlder;
}

/** What writes to a record replaced. */
export function replacedIn(respelled: string | null): Replaced {
  const fields = new Map<number, string[]>();
  const { replaced } = partsOf(respelled);
  for (const field of replaced === null ? [] : replaced.slice(MARK.length).split(",")) {
    const [index, parts = ""] = field.split(":");
    fields.set(Number(index), parts.match(EACH_PART) ?? []);
  }
  return fields;
}

const EACH_PART = new RegExp(`.{${FINGERPRINT_LENGTH}}`, "g");
