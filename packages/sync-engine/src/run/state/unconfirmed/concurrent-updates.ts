/**
 * Changes whose source does not tell when they were made: some time after the last reading that did not bring them. What
 * somebody set elsewhere since then, and what had not come to the source yet, may be the later one: where the latest
 * change counts it stays, and the other value is listed as a conflict.
 */
import { type ClaimContext, placeName, ruleOf, standingClaim } from "../../merge/authority/authority.ts";
import { sourceTime } from "../../merge/authority/change-time.ts";
import type { BatchContext } from "../../source/decision.ts";
import { ConversionError, type Plan, type SinkPlan, type SourcePlan } from "../../plan/plan.ts";
import { isMissing, isRead, partAt } from "../fingerprint.ts";
import type { ProcessedPage } from "../../source/page/process-page.ts";
import { wasWritten } from "../../sink/sink-relevance.ts";
import type { Resolved } from "../../protocol/storage.ts";
import type { StoredLink, StoredRecord } from "../../protocol/stored.ts";
import type { InboundRecord } from "../../protocol/inbound-record.ts";

interface Place {
  source: SourcePlan;
  /** The destination at the same place. */
  sink: SinkPlan | null;
  page: Pick<ProcessedPage, "seen" | "resolved">;
}

/**
 * Of fields of a changed record of which nobody can tell whether what stands was set before or after: since when they may
 * have been changed. Null: that can be of none.
 */
export function setConcurrently(
  { authority }: Pick<Plan, "authority">,
  { source, sink, page }: Place,
  inbound: InboundRecord,
  stored: StoredRecord,
  env: Pick<BatchContext, "now" | "reapply" | "knownUntil" | "following">,
): ClaimContext["meanwhile"] {
  const { link } = inbound;
  const { since } = env.following;
  const ofRecord = knownOf(inbound, page.resolved.quarantined, env);
  if ((ofRecord ?? since) === null || inbound.isBack || sourceTime(inbound, env, page.seen.isCurrent) !== null)
    return null;
  const by = placeName(source.place);
  return (field) => {
    if (ruleOf(authority, field).authority !== "LATEST") return null;
    const set = standingClaim(authority, field, stored.origin[field]);
    // Readings to which a field was missing say nothing of it.
    const knownUntil = wasMissing(source, link, field) ? since : ofRecord;
    const at = knownUntil ?? since;
    if (at === null || !set || set.by === by || set.at <= at) return null;
    if (!link) return at;
    const mapping = sink?.mappings.find(({ coreField, createOnly }) => coreField === field && !createOnly);
    const value = stored.values[field] ?? null;
    // What is never written there, as a text to a column of numbers, can't be known there: where no reading says since
    // when, it would stay for ever.
    if (!mapping || mapping.convert(value) instanceof ConversionError) return knownUntil === null ? null : at;
    // Whoever changed there what it was told did so later.
    return wasWritten(mapping, link.lastWritten ?? "", value) ? null : at;
  };
}

/** Whether a record was read without a field when it was read last. */
const wasMissing = ({ mappings }: SourcePlan, link: StoredLink | null, field: string): boolean =>
  mappings.some(({ coreField, readIndex }) => coreField === field && isMissing(partAt(link?.seen ?? "", readIndex)));

/** Until when a record's changes are known, UTC ISO-8601; null: no reading tells. */
export function knownOf(
  { record, link }: Pick<InboundRecord, "record" | "link">,
  quarantineEntries: Resolved["quarantined"],
  { knownUntil, following }: Pick<BatchContext, "knownUntil" | "following">,
): string | null {
  // Readings go past what is quarantined: what changed in it since then was changed after the one before that.
  const before = quarantineEntries.get(record.id);
  if (before !== undefined) return before.knownUntil ?? following.since;
  // Found by a look-up or in a write, and never read: no reading of changes says anything of it.
  if (link) return isRead(link.seen) ? knownUntil : null;
  // One that may have been there all along, unread or held back, was changed now in one field; the others may be old.
  return following.isReadWhole ? knownUntil : null;
}
