/**
 * Records whose copy left the filter of its source, and came back. What the core got while it was held back stands: when
 * the copy was changed is not known, only that it was after the reading before it left. Its link keeps since when, what it
 * showed when it was read last, and what the core held; a copy that gets through has nothing of that any more.
 */
import { runTexts } from "@accord/contracts/messages/en/sync/run/cycle";
import { hashValue } from "@accord/connector-sdk/fingerprint";
import type { WriteOutcome } from "@accord/connector-sdk";
import { BY_USER, type FieldRule, placeName, rankOf, ruleOf, standingClaim } from "../merge/authority/authority.ts";
import { sourceTime } from "../merge/authority/change-time.ts";
import type { BatchContext } from "../source/decision.ts";
import { BLANK, partAt } from "./fingerprint.ts";
import type { ProcessedPage } from "../source/page/process-page.ts";
import type { PendingWrite } from "../sink/deliveries/pending-writes.ts";
import { ConversionError, type Plan, type SinkPlan, type SourcePlan } from "../plan/plan.ts";
import { knownOf } from "./unconfirmed/concurrent-updates.ts";
import { wasSurelyWritten, wasWrittenAnother } from "../sink/sink-relevance.ts";
import type { LinkWrite } from "../protocol/storage.ts";
import type { HeldBack, StoredRecord } from "../protocol/stored.ts";
import type { RecordWarning, InboundRecord } from "../protocol/inbound-record.ts";

/** Links of a page's records that its source's filter holds back, where that is news. `sink`: of the same place. */
export function filteredLinks(sink: SinkPlan | null, page: ProcessedPage, env: BatchContext): LinkWrite[] {
  return page.heldBack.flatMap((inbound): LinkWrite[] => {
    const { link, stored, seen } = inbound;
    if (!link || link.dead || !stored || stored.deleted || link.heldBack?.shown === seen) return [];
    const since = link.heldBack ? link.heldBack.since : sinceOf(inbound, page, env);
    const values = link.heldBack ? link.heldBack.values : fingerprintsOf(sink, stored, link.lastWritten);
    return [{ ...link, heldBack: { since, shown: seen, values }, isNew: false }];
  });
}

/** Until when a copy's changes are known as it is held back. */
function sinceOf(inbound: InboundRecord, { seen, resolved }: ProcessedPage, env: BatchContext): string | null {
  const known = knownOf(inbound, resolved.quarantined, env) ?? env.following.since;
  const changedAt = sourceTime(inbound, env, seen.isCurrent);
  return changedAt !== null && (known === null || changedAt > known) ? changedAt : known;
}

function fingerprintsOf(
  sink: SinkPlan | null,
  { values }: StoredRecord,
  lastWritten: string | null,
): HeldBack["values"] {
  const known: { [field: string]: string } = {};
  for (const field in values) {
    const value = values[field] ?? null;
    const mapping = sink?.mappings.find(({ coreField, createOnly }) => coreField === field && !createOnly);
    if (mapping && lastWritten !== null && wasWrittenAnother(mapping, lastWritten, value)) known[field] = NOT_WRITTEN;
    else if (value !== null) known[field] = hashValue(value);
  }
  return known;
}

/** No value has this fingerprint. */
const NOT_WRITTEN = "";

interface Place {
  source: SourcePlan;
  /** The destination at the same place. */
  sink: SinkPlan | null;
}

/** Of a record that is there again: which of its fields were set elsewhere while it was held back. Null: none. */
export function setElsewhere(
  { authority }: Pick<Plan, "authority">,
  { source, sink }: Place,
  inbound: InboundRecord,
  stored: StoredRecord,
): ((field: string) => boolean) | null {
  const { link, isBack } = inbound;
  const held = link?.heldBack;
  if (!link || !held || isBack || link.dead) return null;
  const by = placeName(source.place);
  return (field) => {
    const rule = ruleOf(authority, field);
    const value = stored.values[field] ?? null;
    const set = standingClaim(authority, field, stored.origin[field]);
    const isAfter = set !== undefined && held.since !== null && set.at > held.since;
    if (rule.authority === "RANKED" || rule.authority === "SELECTED") return isAfter && isOfUser(rule, set.by, by);
    const isOther = (held.values[field] ?? BLANK) !== hashValue(value);
    const mapping = sink?.mappings.find(({ coreField, createOnly }) => coreField === field && !createOnly);
    // Whoever changed there what it was written meanwhile did so later.
    if (isOther && mapping && wasSurelyWritten(mapping, link.lastWritten ?? "", value)) return false;
    // What never goes there, as a text to a column of numbers, can't have been known there.
    const isUnfit = mapping ? mapping.convert(value) instanceof ConversionError : false;
    if (rule.authority === "NONE" || set === undefined || set.by === by || held.since === null) return isOther;
    return isAfter && (isUnfit || !isChangedSince(source, inbound, held, field));
  };
}

/** Whether people set a field that the place counts for no more than they do. */
const isOfUser = (rule: FieldRule, setBy: string, by: string): boolean =>
  setBy === BY_USER && rankOf(rule, by) === rankOf(rule, BY_USER);

/** Whether a field was changed there after the last reading of the copy: when, is asked as of any other record. */
const isChangedSince = (
  { mappings }: SourcePlan,
  { seen }: InboundRecord,
  { shown }: HeldBack,
  field: string,
): boolean =>
  mappings.some(
    ({ coreField, readIndex }) => coreField === field && partAt(seen, readIndex) !== partAt(shown, readIndex),
  );

/** Changes that are not written over what was entered in copies that are held back, and so can't be known. */
export const waitingForHeldBack = (
  { nodeId }: Pick<SinkPlan, "nodeId">,
  pendingWrites: readonly PendingWrite[],
  outcomes: readonly WriteOutcome[],
): RecordWarning[] =>
  pendingWrites.flatMap(({ delivery: { link, attempts } }, index): RecordWarning[] =>
    // The first attempt is followed by another one in the same cycle.
    attempts > 0 && link?.heldBack && outcomes[index]?.status === "conflict"
      ? [{ nodeId, code: "held_back", message: runTexts.waitingForHeldBack, record: link.externalId }]
      : [],
  );
