/**
 * Changes whose source does not tell when they were made: some time after the last reading that did not bring them. What
 * somebody set elsewhere since then, and what had not come to the source yet, may be the later one: where the latest
 * change counts it stays, and the other value is listed as a conflict.
 */
import { type Hearing, placeName, ruleOf, standingClaim } from "./authority.ts";
import { toldTime } from "./change-time.ts";
import type { DecideEnv } from "./decision.ts";
import { Inconvertible, type Plan, type SinkPlan, type SourcePlan } from "./plan.ts";
import { isRead } from "./fingerprint.ts";
import type { LookedPage } from "./look.ts";
import { wasTold } from "./sink-news.ts";
import type { Resolved } from "./storage.ts";
import type { StoredRecord } from "./stored.ts";
import type { Traveller } from "./traveller.ts";

interface Place {
  source: SourcePlan;
  /** The destination at the same place. */
  sink: SinkPlan | null;
  page: Pick<LookedPage, "seen" | "resolved">;
}

/** Fields of a changed record of which nobody can tell whether what stands was set before or after; null: none can be. */
export function setMeanwhile(
  { authority }: Pick<Plan, "authority">,
  { source, sink, page }: Place,
  traveller: Traveller,
  stored: StoredRecord,
  env: Pick<DecideEnv, "now" | "reapply" | "knownUntil" | "following">,
): Hearing["meanwhile"] {
  const { link } = traveller;
  const knownUntil = knownOf(traveller, page.resolved.quarantined, env);
  const at = knownUntil ?? env.following.since;
  if (at === null || traveller.isBack || toldTime(traveller, env, page.seen.isCurrent) !== null) return null;
  const by = placeName(source.place);
  const has = (field: string): boolean => {
    if (ruleOf(authority, field).authority !== "LATEST") return false;
    const set = standingClaim(authority, field, stored.origin[field]);
    if (!set || set.by === by || set.at <= at) return false;
    const mapping = sink?.mappings.find(({ coreField, createOnly }) => coreField === field && !createOnly);
    const value = stored.values[field] ?? null;
    // What is never written there, as a text to a column of numbers, can't be known there: where no reading says since
    // when, it would stay for ever.
    if (!mapping || mapping.convert(value) instanceof Inconvertible) return knownUntil !== null;
    // Whoever changed there what it was told did so later.
    return !wasTold(mapping, link?.told ?? "", value);
  };
  return { at, has };
}

/** Until when a record's changes are known, UTC ISO-8601; null: no reading tells. */
function knownOf(
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
