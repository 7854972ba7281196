/** Which of a source's values make it into the core record, and why the others do not. */
import type { Value, Values } from "@accord/contracts/data/values";
import { isBlank, sameValue } from "@accord/expressions";
import { type Hearing, placeName, refusalOf, ruleOf, takesOver } from "./authority.ts";
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
  const before = stored?.values ?? {};
  const values: Values = { ...before };
  const changes: Merged["changes"] = {};
  let refused: Merged["refused"] = null;
  let origin = stored?.origin ?? {};
  let hasChanged = false;
  const claim = { by: placeName(source.place), at };
  for (const field in contributed) {
    const value = contributed[field] ?? null;
    const old = before[field] ?? null;
    const isSame = sameValue(value, old);
    const rule = ruleOf(plan.authority, field);
    const set = stored?.origin[field];
    const reason = isSame || stored === null ? null : refusalOf(rule, claim, value, { value: old, set }, hearing);
    if (reason) {
      refused ??= {};
      refused[field] = [value, reason];
      continue;
    }
    if (rule.keepsOrigin && (!isSame || takesOver(rule, claim, set, hearing.isRepeat))) {
      const isKept = !isBlank(value) || (rule.authority === "LATEST" && !isSame);
      if (isKept || set) {
        if (origin === stored?.origin) origin = { ...origin };
        if (isKept) origin[field] = claim;
        else delete origin[field];
      }
    }
    if (isSame && stored !== null) continue;
    values[field] = value;
    if (isSame) continue;
    changes[field] = [old, value];
    hasChanged = true;
  }
  return { values, origin, changes, refused, hasChanged };
}
