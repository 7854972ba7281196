/**
 * Changes whose source does not tell when they were made: some time after the last reading that did not bring them. What
 * somebody set elsewhere since then, and what had not come to the source yet, may be the later one: where the latest
 * change counts it stays, and the other value is listed as a conflict.
 */
import { type Hearing, placeName, ruleOf, standingClaim } from "./authority.ts";
import { toldTime } from "./change-time.ts";
import type { DecideEnv } from "./decision.ts";
import { Inconvertible, type Plan, type SinkPlan, type SourcePlan } from "./plan.ts";
import { isMissing, isRead, partAt } from "./fingerprint.ts";
import type { LookedPage } from "./look.ts";
import { wasTold } from "./sink-news.ts";
import type { Resolved } from "./storage.ts";
import type { StoredLink, StoredRecord } from "./stored.ts";
import type { Traveller } from "./traveller.ts";

interface Place {
  source: SourcePlan;
  /** The destination at the same place. */
  sink: SinkPlan | null;
  page: Pick<LookedPage, "seen" | "resolved">;
}

/**
 * Of fields of a changed record of which nobody can tell whether what stands was set before or after: since when they may
 * have been changed. Null: that can be of none.
 */
export function setMeanwhile(
  { authority }: Pick<Plan, "authority">,
  { source, sink, page }: Place,
  traveller: Traveller,
  stored: StoredRecord,
  env: Pick<DecideEnv, "now" | "reapply" | "knownUntil" | "following">,
): Hearing["meanwhile"] {
  const { link } = traveller;
  const { since } = env.following;
  const ofRecord = knownOf(traveller, page.resolved.quarantined, env);
  if ((ofRecord ?? since) === null || traveller.isBack || toldTime(traveller, env, page.seen.isCurrent) !== null)
    return null;
  const by = placeName(source.place);
  return (field) => {
    if (ruleOf(authority, field).authority !== "LATEST") return null;
    const set = standingClaim(authority, field, stored.origin[field]);
    // Readings to which a field was missing say nothing of it.
    const knownUntil = wasMissing(source, link, field) ? since : ofRecord;
    const at = knownUntil ?? since;
    if (at === null || !set || set.by === by || set.at <= at) return null;
    const mapping = sink?.mappings.find(({ coreField, createOnly }) => coreField === field && !createOnly);
    const value = stored.values[field] ?? null;
    // What is never written there, as a text to a column of numbers, can't be known there: where no reading says since
    // when, it would stay for ever.
    if (!mapping || mapping.convert(value) instanceof Inconvertible) return knownUntil === null ? null : at;
    // Whoever changed there what it was told did so later.
    return wasTold(mapping, link?.told ?? "", value) ? null : at;
  };
}

/** Whether a record was read without a field when it was read last. */
const wasMissing = ({ mappings }: SourcePlan, link: StoredLink | null, field: string): boolean =>
  mappings.some(({ coreField, readIndex }) => coreField === field && isMissing(partAt(link?.seen ?? "", readIndex)));

/** Until when a record's changes are known, UTC ISO-8601; null: no reading tells. */
export function knownOf(
  { record, link }: Pick<Traveller, "record" | "link">,
  aside: Resolved["quarantined"],
  { knownUntil, following }: Pick<DecideEnv, "knownUntil" | "following">,
): string | null {
  // Readings go past what is set aside: what changed in it since then was changed after the one before that.
  const before = aside.get(record.id);
  if (before !== undefined) return before ?? following.since;
  // Found by a look-up or in a write, and never read: no reading of changes says anything of it.
  return link && !isRead(link.seen) ? null : knownUntil;
}
