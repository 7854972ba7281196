/** Fields that were missing when their record was read last, and are there again: which of their values are no edits. */
import { runTexts } from "@accord/contracts/messages/en/sync/run/cycle";
import { fill } from "@accord/contracts/messages/fill";
import { hashValue } from "@accord/connector-sdk/fingerprint";
import type { Values } from "@accord/contracts/data/values";
import { isBlank, sameValue } from "@accord/expressions";
import { isAttempted } from "../unconfirmed/unconfirmed-writes.ts";
import type { BatchContext } from "../../source/decision.ts";
import {
  fieldOf,
  hasMissing,
  heldBefore,
  isExpectation,
  isKnown,
  isMissing,
  isMissingUnsure,
  missingPart,
  partAt,
  wasSeenBefore,
} from "../fingerprint.ts";
import { writeTo } from "./missing-fields.ts";
import type { EndpointPlan, SinkPlan, SourcePlan } from "../../plan/plan.ts";
import { writeIndexOf } from "./read-index.ts";
import { withoutAwaited } from "../normalization/awaited-normalizations.ts";
import { normalizationOf } from "../normalization/normalized-values.ts";
import { spellingHash } from "../normalization/spelling.ts";
import type { StoredLink } from "../../protocol/stored.ts";
import type { Returned, Normalization, InboundRecord } from "../../protocol/inbound-record.ts";

/** What is known of a field from before it was missing; null where it was not. */
function markOf(place: EndpointPlan, link: StoredLink, read: number): string | null {
  const known = partAt(link.seen ?? "", read);
  if (isMissing(known)) return known;
  const before = isExpectation(link.seen) ? writeTo(place, link, read)?.before : undefined;
  return before !== undefined && isMissing(before) ? missingPart(before, true) : null;
}

/**
 * Fields that are back, by their index among those read. As before: blank, or what it held before, or was told since.
 * Unsure: something else, though it may not have been entered since: it was never seen before, or something was written
 * meanwhile that may have been stored. Any other value is an edit.
 */
export function returnedFields(source: SourcePlan, inbound: InboundRecord): ReadonlyMap<number, Returned> {
  const { place, mappings } = source;
  const { link, record, seen, isBack, mapped } = inbound;
  if (!link || isBack || !(hasMissing(link.seen) || hasMissing(link.respelled))) return NONE;
  let returned: Map<number, Returned> | null = null;
  for (const [read, field] of place.readFields.entries()) {
    const mark = isMissing(partAt(seen, read)) || place.lapsed?.has(read) ? null : markOf(place, link, read);
    if (mark === null) continue;
    const mapping = mappings.find(({ readIndex }) => readIndex === read);
    const parts = [fieldOf(seen, read), ...(mapping ? [hashValue(mapped[mapping.coreField])] : [])];
    const isHeld = parts.some((part) => heldBefore(mark, part) || isWritten(place, link, { read, mark, part }));
    const spelled = writeTo(place, link, read)?.spelled ?? "";
    const isSpelled = spelled !== "" && spelled === spellingHash(record.values[field]);
    const isOwn = isSpelled || isAttempted(source, inbound, read);
    if (isHeld || isOwn || isBlank(record.values[field])) (returned ??= new Map()).set(read, "asBefore");
    else if (isMissingUnsure(mark) || !wasSeenBefore(mark)) (returned ??= new Map()).set(read, "unsure");
  }
  return returned ?? NONE;
}

/** Whether we told the place a value. What it held when it was found by a look-up is noted too, but was never read. */
function isWritten(
  place: EndpointPlan,
  link: StoredLink,
  { read, mark, part }: { read: number; mark: string; part: string },
): boolean {
  const index = writeIndexOf(place, read);
  if (index === undefined || link.lastWritten === null) return false;
  const isOurs = wasSeenBefore(mark) || writeTo(place, link, read) !== null;
  const lastWritten = fieldOf(link.lastWritten, index);
  return isOurs && isKnown(lastWritten) && lastWritten === part;
}

const NONE: ReadonlyMap<number, Returned> = new Map();

/**
 * Which of a record's values are no edits though they are not as they were last seen: for their spelling, or since their
 * fields were missing. What may be an old value goes over no other one. `values`: those of the core.
 */
export function judgeShown(
  sink: SinkPlan | null,
  source: SourcePlan,
  inbound: InboundRecord,
  values: Values,
  { now, reapply }: Pick<BatchContext, "now" | "reapply">,
): Normalization | null {
  const { returned, mapped, record, link } = inbound;
  let spelling = withoutWrites(source, inbound, normalizationOf(sink, source, inbound, values, now));
  // Whoever has all read again from a system that is not written wants what it holds.
  if (reapply && !source.isAlsoSink) return spelling;
  for (const { readIndex, coreField, connectorField } of source.mappings) {
    if (returned.get(readIndex) !== "unsure" || !(coreField in mapped)) continue;
    const current = values[coreField] ?? null;
    if (isBlank(current) || sameValue(current, mapped[coreField] ?? null)) continue;
    const value = record.values[connectorField] ?? null;
    const sample = fill(runTexts.sampleKept, {
      kept: JSON.stringify(current),
      other: JSON.stringify(value),
      record: record.id,
    });
    const warning = { nodeId: source.nodeId, code: "field_returned", record: record.id, field: coreField, sample };
    spelling ??= noNormalization(link);
    spelling = {
      ...spelling,
      doubtful: new Set([...spelling.doubtful, readIndex]),
      refused: { ...spelling.refused, [coreField]: [value, "stale_read"] },
      warnings: [...spelling.warnings, { ...warning, message: runTexts.fieldReturned }],
    };
  }
  return spelling;
}

const noNormalization = (link: StoredLink | null): Normalization => ({
  fields: new Set(),
  doubtful: new Set(),
  respelled: link?.respelled ?? null,
  refused: {},
  warnings: [],
});

/** What was written to a field before it was missing is no longer awaited once it is back. */
function withoutWrites(
  { place }: SourcePlan,
  { returned, link }: InboundRecord,
  spelling: Normalization | null,
): Normalization | null {
  if (returned.size === 0) return spelling;
  const { respelled, ...others } = spelling ?? noNormalization(link);
  const writeIndexes = [...returned.keys()].flatMap((read) => writeIndexOf(place, read) ?? []);
  return { ...others, respelled: withoutAwaited(respelled, new Set(writeIndexes)) };
}
