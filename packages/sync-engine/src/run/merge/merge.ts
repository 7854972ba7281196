/** Which of a source's values make it into the core record, and why the others do not. */
import type { Value, Values } from "@accord/contracts/data/values";
import { isBlank, sameValue } from "@accord/expressions";
import {
  BY_USER,
  type Claim,
  type FieldRule,
  type ClaimContext,
  placeName,
  rankOf,
  rejectionReason,
  ruleOf,
  standingClaim,
  takesOver,
} from "./authority/authority.ts";
import type { Plan } from "../plan/plan.ts";
import type { Changes, Origin, RefusalReason, StoredRecord } from "../protocol/stored.ts";

export interface Merged {
  values: Values;
  origin: Origin;
  /** Of a new record none: its values say it all. */
  changes: Changes;
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
  claimContext: ClaimContext,
): Merged {
  if (stored === null) return firstValues(plan, source, contributed, at, claimContext);
  const by = placeName(source.place);
  const news = { by, at };
  const old = claimContext.old ? { by, at: claimContext.old.at } : null;
  const before = stored.values;
  const values: Values = { ...before };
  const changes: Changes = {};
  let refused: Merged["refused"] = null;
  let { origin } = stored;
  let hasChanged = false;
  for (const field in contributed) {
    const value = contributed[field] ?? null;
    const stands = before[field] ?? null;
    const isSame = sameValue(value, stands);
    const rule = ruleOf(plan.authority, field);
    const set = standingClaim(plan.authority, field, stored.origin[field]);
    const isOld = old !== null && claimContext.old?.has(field) === true;
    const since = isOld ? null : (claimContext.meanwhile?.(field) ?? null);
    const claim = isOld ? old : since === null ? news : { by, at: since };
    const isPassedOver = claim === old && rule.authority === "NONE" && set !== undefined && claim.at < set.at;
    const ruled = isPassedOver ? "older" : rejectionReason(rule, claim, value, { value: stands, set }, claimContext);
    const isLate = claim === old && claimContext.old?.isOfJoined === true && replacesNothing(rule, stands, set);
    const isOvertaken = claim === old && isAfterByUser(rule, claim, set);
    const isSetElsewhere = claimContext.setElsewhere?.(field) === true;
    const refusal = ruled ?? (isLate || isOvertaken || isSetElsewhere ? "older" : null);
    const reason = isSame || claimContext.isAnew ? null : refusal;
    if (reason) {
      refused ??= {};
      refused[field] = [value, reason];
      continue;
    }
    if (rule.keepsOrigin && (!isSame || (!isLate && takesOver(rule, claim, set, claimContext.isRepeat)))) {
      const isKept = !isBlank(value) || (rule.authority === "LATEST" && !isSame);
      if (isKept || set) {
        if (origin === stored.origin) origin = { ...origin };
        if (isKept) origin[field] = claim;
        else delete origin[field];
      }
    }
    if (isSame) continue;
    // A record that is read for the first time may be known to have been changed lately.
    const isEntered = claim === news || (old !== null && claimContext.enteredAt === old.at);
    if (!rule.keepsOrigin && claimContext.enteredAt && isEntered) {
      if (origin === stored.origin) origin = { ...origin };
      origin[field] = { by, at: claimContext.enteredAt };
    }
    values[field] = value;
    changes[field] = [stands, value];
    hasChanged = true;
  }
  return { values, origin, changes, refused, hasChanged };
}

/** Whether somebody set the field here after it was said by a source that counts for no more than people do. */
const isAfterByUser = (rule: FieldRule, claim: Claim, set: Claim | undefined): boolean =>
  set?.by === BY_USER && claim.at < set.at && rankOf(rule, claim.by) === rankOf(rule, BY_USER);

/** Whether values of a source that joined later, and tells no times, leave the field as it is: ranks decide without them. */
const replacesNothing = (rule: FieldRule, stands: Value, set: Claim | undefined): boolean =>
  (rule.authority === "NONE" && !isBlank(stands)) ||
  (rule.authority === "LATEST" && (set !== undefined || !isBlank(stands)));

/** Of a new record all values count: nobody else has said anything yet. */
function firstValues(
  plan: Pick<Plan, "authority">,
  source: { place: { connectorId: string; entity: string } },
  contributed: Values,
  at: string,
  { old, enteredAt }: ClaimContext,
): Merged {
  let origin: Origin = NO_ORIGIN;
  let claim: Claim | null = null;
  for (const field in contributed) {
    const rule = ruleOf(plan.authority, field);
    if (!rule.keepsOrigin && !enteredAt) continue;
    const value = contributed[field] ?? null;
    if (value === null || (rule.authority !== "LATEST" && isBlank(value))) continue;
    if (origin === NO_ORIGIN) origin = {};
    origin[field] = claim ??= { by: placeName(source.place), at: old?.at ?? at };
  }
  return { values: contributed, origin, changes: NO_CHANGES, refused: null, hasChanged: true };
}

const NO_ORIGIN: Origin = Object.freeze({});
const NO_CHANGES: Changes = Object.freeze({});
