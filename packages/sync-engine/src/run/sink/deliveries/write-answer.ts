/**
 * What the answer to a write proves of what is stored. Some systems answer what they were sent, whatever they store, or the
 * record as it was before: then the next reading shows it.
 */
import type { WriteOutcome } from "@accord/connector-sdk";
import { hashValue } from "@accord/connector-sdk/fingerprint";
import type { Value, Values } from "@accord/contracts/data/values";
import { replacedIn } from "../../merge/partial-reads.ts";
import type { SinkPlan } from "../../plan/plan.ts";
import type { ClaimedDelivery } from "../../protocol/storage.ts";
import type { StoredLink } from "../../protocol/stored.ts";
import { readIndexOf } from "../../state/fields/read-index.ts";
import { expectedOf, fieldOf, isKnown } from "../../state/fingerprint.ts";
import { awaitsUntimed } from "../../state/normalization/awaited-normalizations.ts";
import { isCutOrRounded, isReduced, spellingHash } from "../../state/normalization/spelling.ts";

interface WriteAnswer {
  /** It speaks of what this write left, and of nobody's edit after it. */
  isOwn: boolean;
  /** As they are stored; null: that is not known. Absent where the answer tells no values. */
  values: Values | undefined;
  /** The latest time of change that is known; null: none. */
  modifiedAt: string | null;
  /** That time is the one that the write left. */
  isTimed: boolean;
}

/** `sent`: what surely stands there. */
export function answerOf(
  sink: SinkPlan,
  { link }: ClaimedDelivery,
  outcome: Extract<WriteOutcome, { status: "done" }>,
  sent: Values,
): WriteAnswer {
  const { values, isReadBack, isUnproven } = outcome;
  const modifiedAt = outcome.modifiedAt ?? null;
  const wasHeld = (field: string): boolean => link !== null && wasThere(sink, link, field, values?.[field] ?? null);
  const isTimed = modifiedAt !== null;
  if (isReadBack) return { isOwn: isSameThing(sent, values ?? {}, wasHeld), values, modifiedAt, isTimed };
  if (!isUnproven || !values) return { isOwn: true, values, modifiedAt, isTimed };
  const stored: Values = { ...values };
  let isOutdated = false;
  for (const field in sent) {
    const isEcho = hashValue(values[field] ?? null) === hashValue(sent[field] ?? null);
    if (!isEcho && wasHeld(field)) isOutdated = true;
    if (isEcho || wasHeld(field)) stored[field] = null;
  }
  const known = link?.modifiedAt ?? null;
  return {
    isOwn: true,
    values: stored,
    modifiedAt: known !== null && modifiedAt !== null && modifiedAt < known ? known : modifiedAt,
    isTimed: isTimed && !isOutdated && (link === null || link.dead || hasMovedOn(modifiedAt, link)),
  };
}

/** Of a record that was known before, only a time that has moved on from one that is known for certain is the write's. */
const hasMovedOn = (modifiedAt: string, { modifiedAt: known, respelled }: StoredLink): boolean =>
  known !== null && modifiedAt > known && !awaitsUntimed(respelled);

/**
 * Whether what was read after a write is what was written: as it was sent, in another spelling, or as much of it as the
 * system can hold, unless that stood there before (`wasHeld`). All else may be somebody's edit.
 */
const isSameThing = (sent: Values, found: Values, wasHeld: (field: string) => boolean): boolean =>
  Object.entries(sent).every(([field, value]) => {
    const shown = found[field] ?? null;
    const spelled = spellingHash(value);
    const isSpelling = hashValue(shown) === hashValue(value) || (spelled !== null && spelled === spellingHash(shown));
    return isSpelling || isReduced(value, shown) || (isCutOrRounded(value, shown) && !wasHeld(field));
  });

/** Whether a field held this value before the write, or may have: it was written there, or replaced, a short while ago. */
function wasThere(
  { place }: SinkPlan,
  { seen, lastWritten, respelled }: StoredLink,
  field: string,
  value: Value,
): boolean {
  const read = readIndexOf(place, field);
  const before = [expectedOf(seen ?? "", read), fieldOf(lastWritten ?? "", place.writeFields.indexOf(field))].filter(
    isKnown,
  );
  return [...before, ...(replacedIn(respelled).get(read) ?? [])].includes(hashValue(value));
}
