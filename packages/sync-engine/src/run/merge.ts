/** Which of a source's values make it into the core record, and why the others do not. */
import type { Value, Values } from "@accord/contracts/data/values";
import { isBlank, sameValue } from "@accord/expressions";
import { type Claim, type Hearing, placeName, refusalOf, ruleOf, takesOver } from "./authority.ts";
import type { Plan } from "./plan.ts";
import type { Origin, RefusalReason, StoredRecord } from "./stored.ts";

export interface Merged {
  values: Values;
  origin: Origin;
  changes: { [field: string]: [from: Value, to: Value] };
  refused: { [field: string]: [value: Value, reason: RefusalReason] } | null;
  hasChanged: boolean;
}

/**
 * Merges contributed values into a stored record (null: a new one). `at` is when the source says they were set. Only accepted values count; each refused one carries its reason.
 */
export function merge(
  plan: Pick<Plan, "authority">,
  source: { place: { connectorId: string; entity: string } },
  stored: StoredRecord | null,
  contributed: Values,
  at: string,
  hearing: Hearing,
): Merged {
  const claim = { by: placeName(source.place), at };
  if (stored === null) return firstValues(plan, contributed, claim);
  const before = stored.values;
  const values: Values = { ...before };
  const changes: Merged["changes"] = {};
  let refused: Merged["refused"] = null;
  let { origin } = stored;
  let hasChanged = false;
  for (const field in contributed) {
    const value = contributed[field] ?? null;
    const old = before[field] ?? null;
    const isSame = sameValue(value, old);
    const rule = ruleOf(plan.authority, field);
    const set = stored.origin[field];
    const reason = isSame ? null : refusalOf(rule, claim, value, { value: old, set }, hearing);
    if (reason) {
      refused ??= {};
      refused[field] = [value, reason];
      continue;
    }
    if (rule.keepsOrigin && (!isSame || takesOver(rule, claim, set, hearing.isRepeat))) {
      const isKept = !isBlank(value) || (rule.authority === "LATEST" && !isSame);
      if (isKept || set) {
        if (origin === stored.origin) origin = { ...origin };
        if (isKept) origin[field] = claim;
        else delete origin[field];
      }
    }
    if (isSame) continue;
    values[field] = value;
    changes[field] = [old, value];
    hasChanged = true;
  }
  return { values, origin, changes, refused, hasChanged };
}

/** Of a new record all values count: nobody else has said anything yet. */
function firstValues(plan: Pick<Plan, "authority">, contributed: Values, claim: Claim): Merged {
  const changes: Merged["changes"] = {};
  const origin: Origin = {};
  let hasChanged = false;
  for (const field in contributed) {
    const value = contributed[field] ?? null;
    if (value === null) continue;
    changes[field] = [null, value];
    hasChanged = true;
    const rule = ruleOf(plan.authority, field);
    if (rule.keepsOrigin && (rule.authority === "LATEST" || !isBlank(value))) origin[field] = claim;
  }
  return { values: contributed, origin, changes, refused: null, hasChanged };
}
