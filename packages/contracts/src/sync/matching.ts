/** How a core entity decides who a record is and whose value wins: what the core node and the core fields are configured with. */
import { z } from "zod";
import { Predicate } from "../data/predicate.ts";

/**
 * Whose value wins. NONE: the last one processed. LATEST: the one changed last. RANKED: the most trusted source's.
 * SELECTED: one source's; others only fill blanks.
 */
export const AUTHORITIES = ["NONE", "LATEST", "RANKED", "SELECTED"] as const;
export const Authority = z.enum(AUTHORITIES);
export type Authority = z.infer<typeof Authority>;

/** Authority of one core field; what is absent is as the core node says. */
export const FieldAuthority = z.strictObject({
  authority: Authority.optional(),
  /** Source node ids, the most trusted first; for RANKED. Sources left out come last. */
  ranking: z.array(z.string()).optional(),
  /** Source node id; for SELECTED. */
  selectedSource: z.string().optional(),
  /** A blank value never overwrites a filled one. */
  rejectEmptyValues: z.boolean().optional(),
  /** An empty text never overwrites a filled one; as `rejectEmptyValues` when absent. */
  rejectEmptyStrings: z.boolean().optional(),
});
export type FieldAuthority = z.infer<typeof FieldAuthority>;

/** Who survives a merge; the first rule that tells the candidates apart decides, at last the oldest. */
export const WinnerRule = z.discriminatedUnion("rule", [
  z.strictObject({ rule: z.literal("mostComplete") }),
  z.strictObject({ rule: z.literal("oldest") }),
  z.strictObject({ rule: z.literal("newest") }),
  z.strictObject({ rule: z.literal("hasExternalId"), connectorId: z.string().min(1), entity: z.string().optional() }),
]);
export type WinnerRule = z.infer<typeof WinnerRule>;

/** Which value a merged record gets. `fillBlank`: the winner's, where that is blank a loser's. */
export const FIELD_POLICIES = ["winner", "fillBlank", "latest", "concatenate"] as const;
export const FieldPolicy = z.enum(FIELD_POLICIES);
export type FieldPolicy = z.infer<typeof FieldPolicy>;

/** Conditions, or code of a person's own. What is written for the other stays where it is. */
export const CHOSEN_BY = ["conditions", "code"] as const;
const ChosenBy = z.enum(CHOSEN_BY);
const MergeCode = z.string().max(50_000);

/** The merge wizard of the core node: find duplicates, choose the winner, join the values. */
export const MergeRules = z.strictObject({
  /** Duplicates are noted and left alone. */
  reportOnly: z.boolean().default(true),
  /** Duplicates of one record; with more of them nothing is merged, only reported. */
  maxDuplicates: z.int().min(1).max(100).default(5),
  /** Incoming records for which this holds are not compared. */
  skipWhen: Predicate.nullish(),
  /** Left: a field of stored records. Right: a value of the incoming record. Blank on the right never matches. */
  match: Predicate.nullish(),
  winner: z
    .array(WinnerRule)
    .max(20)
    .default([{ rule: "mostComplete" }, { rule: "oldest" }]),
  fields: z
    .array(z.strictObject({ field: z.string().min(1), policy: FieldPolicy }))
    .max(1000)
    .default([]),
  /** `chooseWinner(incoming, duplicates)` returns the id of the record that stays. */
  winnerBy: ChosenBy.optional(),
  winnerCode: MergeCode.optional(),
  /** `mergeValues(incoming, duplicates, winnerId)` returns values for the record that stays; others are as `fields` says. */
  valuesBy: ChosenBy.optional(),
  valuesCode: MergeCode.optional(),
});
export type MergeRules = z.output<typeof MergeRules>;
