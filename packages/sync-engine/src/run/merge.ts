/** Which of a source's values make it into the core record: authority over time, empty values, and why not. */
import type { Value, Values } from "@accord/contracts/data/values";
import { isBlank, sameValue } from "@accord/expressions";
import type { Plan, SourcePlan } from "./plan.ts";
import type { Origin, RefusalReason, StoredRecord } from "./storage.ts";

/** Name under which manual changes stand in a field's origin. */
export const BY_USER = "user";

/** How a place is named in a field's origin. */
export const placeName = (place: { connectorId: string; entity: string }): string =>
  `${place.connectorId}/${place.entity}`;

export interface Merged {
  values: Values;
  origin: Origin;
  changes: { [field: string]: [from: Value, to: Value] };
  refused: { [field: string]: [value: Value, reason: RefusalReason] } | null;
  hasChanged: boolean;
}

/**
 * Merges contributed values into a stored record (null: a new one). `at` is when the source says they were set.
 * Only accepted values count; each refused one carries its reason.
 */
export function merge(
  plan: Plan,
  source: SourcePlan,
  stored: StoredRecord | null,
  contributed: Values,
  at: string,
): Merged {
  const before = stored?.values ?? {};
  const values: Values = { ...before };
  const changes: Merged["changes"] = {};
  let refused: Merged["refused"] = null;
  let origin = stored?.origin ?? {};
  let hasChanged = false;
  const keepsOrigin = plan.authority !== "NONE";
  for (const field in contributed) {
    const value = contributed[field] ?? null;
    const old = before[field] ?? null;
    const isSame = sameValue(value, old);
    const reason = isSame || stored === null ? null : refusal(plan, source, stored, field, value, old, at);
    if (reason) {
      refused ??= {};
      refused[field] = [value, reason];
      continue;
    }
    if (keepsOrigin && (!isSame || outranks(plan, source, stored, field))) {
      if (origin === stored?.origin) origin = { ...origin };
      if (!isBlank(value)) origin[field] = { by: placeName(source.place), at };
      else delete origin[field];
    }
    if (isSame && stored !== null) continue;
    values[field] = value;
    if (isSame) continue;
    changes[field] = [old, value];
    hasChanged = true;
  }
  return { values, origin, changes, refused, hasChanged };
}

function refusal(
  plan: Plan,
  source: SourcePlan,
  stored: StoredRecord,
  field: string,
  value: Value,
  old: Value,
  at: string,
): RefusalReason | null {
  if (plan.rejectEmpty && isBlank(value) && !isBlank(old)) return "empty_rejected";
  const set = stored.origin[field];
  if (!set || isBlank(old)) return null;
  if (plan.authority === "LATEST") return at < set.at ? "older" : null;
  if (plan.authority === "RANKED") return source.rank > rankOf(plan, set.by) ? "lower_ranked" : null;
  return null;
}

/** An equal value from a more trusted source makes the field that source's. */
function outranks(plan: Plan, source: SourcePlan, stored: StoredRecord | null, field: string): boolean {
  const set = stored?.origin[field];
  if (!set) return true;
  return plan.authority === "RANKED" && source.rank < rankOf(plan, set.by);
}

/** Manual changes rank with the most trusted source; places that are no source any more rank last. */
function rankOf(plan: Plan, by: string): number {
  if (by === BY_USER) return 0;
  const source = plan.sources.find((candidate) => placeName(candidate.place) === by);
  return source ? source.rank : Number.MAX_SAFE_INTEGER;
}
