/** Creations without an answer that show in what is read: as a new record, or in one that the system updated instead. */
import type { SourceRecord } from "@accord/connector-sdk";
import { BLANK, fieldOf, isKnown } from "../fingerprint.ts";
import { normalFingerprint } from "../normalization/normal-fingerprint.ts";
import type { EndpointPlan, SourcePlan } from "../../plan/plan.ts";
import { spellingHash, unreduced } from "../normalization/spelling.ts";
import type { Resolved } from "../../protocol/storage.ts";
import type { StoredLink } from "../../protocol/stored.ts";

/** A new external record that is just what we tried to create there: ours, though the answer never came. */
export function ownUnconfirmedCreation(
  source: SourcePlan,
  record: SourceRecord,
  seen: string,
  resolved: Resolved,
  adopted: ReadonlySet<string>,
): string | null {
  if (resolved.unanswered.size === 0) return null;
  const spellings = [seen, normalFingerprint(source, record, seen)];
  const spelled = spellingsOf(record);
  for (const [recordId, { intent, written, isTied }] of resolved.unanswered) {
    const isFree = intent === "create" && !isTied && !adopted.has(recordId);
    if (isFree && written.some((attempt) => isAlike(source.place, spellings, spelled, attempt))) return recordId;
  }
  return null;
}

/** What may have been written where a record shows its fields: fingerprints of all spellings of a field's value. */
function spellingsOf({ values }: SourceRecord): (field: string) => ReadonlySet<string | null> {
  const hashes = new Map<string, ReadonlySet<string | null>>();
  return (field) => {
    const value = values[field];
    const known = hashes.get(field) ?? new Set([value, ...unreduced(value)].map(spellingHash));
    hashes.set(field, known);
    return known;
  };
}

function isAlike(
  place: EndpointPlan,
  spellings: readonly string[],
  spelled: (field: string) => ReadonlySet<string | null>,
  written: string,
): boolean {
  const { shared, readFields, writeFields } = place;
  let alike = 0;
  for (const { read, writeIndex } of shared) {
    const part = fieldOf(written, writeIndex);
    if (!isKnown(part) || !isKnown(fieldOf(spellings[0] ?? "", read))) continue;
    const isSame = spellings.some((seen) => part === fieldOf(seen, read));
    if (!isSame && !spelled(readFields[read] ?? "").has(fieldOf(written, writeFields.length + writeIndex)))
      return false;
    alike += 1;
  }
  return alike > 0;
}

/**
 * Attempts to create other records that a known record shows now in full, part of it as before: the system may have
 * updated what it held by the same key, and that is no edit.
 */
export function creationsOfOthers(
  source: SourcePlan,
  record: SourceRecord,
  { shown, link }: { shown: string; link: StoredLink },
  resolved: Resolved,
): readonly string[] {
  if (resolved.unanswered.size === 0 || link.dead || link.seen === null) return [];
  const others = [...resolved.unanswered].flatMap(([recordId, { intent, written, isTied }]) =>
    intent === "create" && !isTied && recordId !== link.recordId ? written : [],
  );
  if (others.length === 0) return [];
  const spellings = [shown, normalFingerprint(source, record, shown)];
  const spelled = spellingsOf(record);
  const { seen } = link;
  const isPartAsBefore = (attempt: string): boolean =>
    source.place.shared.some(({ read, writeIndex }) => {
      const part = fieldOf(seen, read);
      return isKnown(fieldOf(attempt, writeIndex)) && isKnown(part) && part !== BLANK && part === fieldOf(shown, read);
    });
  return others.filter((attempt) => isPartAsBefore(attempt) && isAlike(source.place, spellings, spelled, attempt));
}
