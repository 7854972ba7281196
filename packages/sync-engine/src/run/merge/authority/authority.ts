/** Whose value wins, field by field and over time: a value once set by a trusted source outlives its cycle. */
import type { Value } from "@accord/contracts/data/values";
import type { Authority, FieldAuthority } from "@accord/contracts/sync/matching";
import { isBlank } from "@accord/expressions";
import type { Origin, RefusalReason } from "../../protocol/stored.ts";

/** Name under which manual changes stand in a field's origin. They rank with the most trusted source. */
export const BY_USER = "user";

/** How a place is named in a field's origin. */
export const placeName = (place: { connectorId: string; entity: string }): string =>
  `${place.connectorId}/${place.entity}`;

/** The compiled authority of one core field. */
export interface FieldRule {
  authority: Authority;
  rejectEmptyValues: boolean;
  rejectEmptyStrings: boolean;
  /** Whether the record keeps who set the field and when. */
  keepsOrigin: boolean;
  /** By name in origins; 0 = most trusted. Who is not in it ranks last. */
  ranks: ReadonlyMap<string, number>;
}

export interface AuthorityPlan {
  /** For all fields that have no rule of their own. */
  general: FieldRule;
  /** Null when no field has one, so that the common case looks nothing up. */
  byField: ReadonlyMap<string, FieldRule> | null;
  /** Whether a refusal may leave a conflict for people to settle. */
  findsConflicts: boolean;
  /** See `CompileInput.remapped`. */
  remapped?: Remapped;
}

/** By `remappedKey`: since when a place's word for a core field is another column's, UTC ISO-8601. */
export type Remapped = ReadonlyMap<string, string>;

export const remappedKey = (place: string, coreField: string): string => `${place} ${coreField}`;

/** Who set a field, and when; undefined where that was said of another column than the one mapped now. */
export function standingClaim({ remapped }: AuthorityPlan, field: string, set: Claim | undefined): Claim | undefined {
  const since = set && remapped?.get(remappedKey(set.by, field));
  return set && since !== undefined && set.at <= since ? undefined : set;
}

export const ruleOf = (plan: AuthorityPlan, field: string): FieldRule => plan.byField?.get(field) ?? plan.general;

type Configured = Omit<FieldAuthority, "authority"> & { authority: Authority };

/** What compiling needs of the sources, in the order of the graph. */
export interface RankedSource {
  nodeId: string;
  place: { connectorId: string; entity: string };
}

/**
 * Compiles the core node's configuration and its fields' own. `originFields`: fields whose origin something else needs,
 * as a merge that takes the latest value.
 */
export function compileAuthority(
  core: Configured & { fieldAuthority: Readonly<Record<string, FieldAuthority>> },
  sources: readonly RankedSource[],
  originFields: readonly string[] = [],
): AuthorityPlan {
  const general = compileRule(core, sources);
  const byField = new Map<string, FieldRule>();
  for (const [field, own] of Object.entries(core.fieldAuthority)) {
    byField.set(field, compileRule({ ...core, ...own, authority: own.authority ?? core.authority }, sources));
  }
  for (const field of originFields) {
    byField.set(field, { ...(byField.get(field) ?? general), keepsOrigin: true });
  }
  const findsConflicts = [general, ...byField.values()].some(({ authority }) => authority !== "NONE");
  return { general, byField: byField.size > 0 ? byField : null, findsConflicts };
}

function compileRule(config: Configured, sources: readonly RankedSource[]): FieldRule {
  const { authority, ranking = [], selectedSource, rejectEmptyValues = true } = config;
  const order = authority === "SELECTED" ? [selectedSource ?? ""] : ranking;
  const ranks = new Map<string, number>([[BY_USER, 0]]);
  sources.forEach(({ nodeId, place }, index) => {
    const at = order.indexOf(nodeId);
    // Sources that are not ranked come last, in the order of the graph; without a selection all others are alike.
    const last = authority === "SELECTED" ? order.length : order.length + index;
    const rank = at < 0 ? last : at;
    ranks.set(placeName(place), Math.min(rank, ranks.get(placeName(place)) ?? rank));
  });
  return {
    authority,
    rejectEmptyValues,
    rejectEmptyStrings: config.rejectEmptyStrings ?? rejectEmptyValues,
    keepsOrigin: authority !== "NONE",
    ranks,
  };
}

/** Places that are no source any more rank last. */
export const rankOf = (rule: FieldRule, by: string): number => rule.ranks.get(by) ?? Number.MAX_SAFE_INTEGER;

/** Who says something and when, UTC ISO-8601. */
export type Claim = Origin[string];

/** How a value came to be heard. */
export interface ClaimContext {
  /** The external record is new to the core: its blanks say that it knows nothing, not that somebody cleared them. */
  isFirst: boolean;
  /** A resync reads everything again, news or not. */
  isRepeat: boolean;
  /** The record was entered again after its deletion: its blanks count, as those of a new record do. */
  isAnew?: boolean;
  /**
   * Fields whose values are of unknown age, and when they count as set. `isOfJoined`: their source joined the running
   * pipeline, so that anything the record holds may be newer.
   */
  old?: { at: string; has: (field: string) => boolean; isOfJoined?: boolean } | null;
  /** When a field counts as changed that perhaps was before what stands was set, UTC ISO-8601; null: as the others. */
  meanwhile?: ((field: string) => string | null) | null;
  /** Fields that were set elsewhere while a filter held the record back, and stay as they are; null: none. */
  setElsewhere?: ((field: string) => boolean) | null;
  /** When the values were entered, noted even where no authority decides; null: not noted there. */
  enteredAt?: string | null;
}

/** Why a value may not replace another one; null when it may. */
export function rejectionReason(
  rule: FieldRule,
  claim: Claim,
  value: Value,
  stored: { value: Value; set: Claim | undefined },
  { isFirst }: ClaimContext,
): RefusalReason | null {
  const { set } = stored;
  // Whoever cleared a field last keeps it empty only where time decides.
  if (isBlank(stored.value)) return rule.authority === "LATEST" && set && isBefore(rule, claim, set) ? "older" : null;
  if (isBlank(value)) {
    const isRejected = value === "" ? rule.rejectEmptyStrings : rule.rejectEmptyValues;
    if (isRejected || (isFirst && rule.authority !== "NONE")) return "empty_rejected";
  }
  switch (rule.authority) {
    case "NONE":
      return null;
    case "LATEST":
      return set && isBefore(rule, claim, set) ? "older" : null;
    case "RANKED":
      return set && rankOf(rule, claim.by) > rankOf(rule, set.by) ? "lower_ranked" : null;
    case "SELECTED":
      return rankOf(rule, claim.by) > 0 ? "not_selected" : null;
  }
}

/**
 * Whether an equal value from this source makes the field that source's, so that the order of sources has no say.
 * `isRepeat`: read again, not said again.
 */
export function takesOver(rule: FieldRule, claim: Claim, set: Claim | undefined, isRepeat: boolean): boolean {
  if (!set) return true;
  if (claim.by === set.by && isRepeat) return false;
  switch (rule.authority) {
    case "NONE":
      return false;
    case "LATEST":
      return isBefore(rule, set, claim);
    case "RANKED":
    case "SELECTED":
      return rankOf(rule, claim.by) < rankOf(rule, set.by);
  }
}

/** Of two values set at the same moment, the more trusted source's counts as the later one. */
function isBefore(rule: FieldRule, left: Claim, right: Claim): boolean {
  if (left.at !== right.at) return left.at < right.at;
  return rankOf(rule, left.by) > rankOf(rule, right.by);
}

/** Whether the left claim is the better one: what a merge asks of two records' values. */
export function outranks(rule: FieldRule, left: Claim | undefined, right: Claim | undefined): boolean {
  if (!left || !right) return left !== undefined && right === undefined;
  const [leftRank, rightRank] = [rankOf(rule, left.by), rankOf(rule, right.by)];
  const isByRank = rule.authority === "RANKED" || rule.authority === "SELECTED";
  if (isByRank && leftRank !== rightRank) return leftRank < rightRank;
  return isBefore(rule, right, left);
}

/**
 * Refusals that leave two competing values, as against those of blanks or of what can't be read. A value that followed
 * each write of its field is its system's, and nobody's edit.
 */
export const isConflict = (reason: RefusalReason): boolean => CONFLICTS.has(reason);

const CONFLICTS: ReadonlySet<RefusalReason> = new Set([
  "older",
  "lower_ranked",
  "not_selected",
  "unconfirmed",
  "stale_read",
]);
