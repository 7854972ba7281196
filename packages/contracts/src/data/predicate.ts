/** Predicate trees: decisions, filters, attach rules, record search and datasets all use this one shape. */
import { z } from "zod";
import { Value } from "./values.ts";

export const PREDICATE_OPERATORS = [
  // any type
  "equals",
  "notEquals",
  "isBlank",
  "isNotBlank",
  "inList",
  "notInList",
  // text
  "contains",
  "notContains",
  "startsWith",
  "endsWith",
  "matchesRegex",
  "lengthEquals",
  "lengthLess",
  "lengthGreater",
  "isEmail",
  "isUrl",
  "isPhoneNumber",
  // number, date and datetime
  "less",
  "lessOrEqual",
  "greater",
  "greaterOrEqual",
  "between",
  // date and datetime: amount on the right of `last` and `next`
  "lastDays",
  "nextDays",
  "lastWeeks",
  "nextWeeks",
  "lastMonths",
  "nextMonths",
  "today",
  "thisWeek",
  "thisMonth",
  "thisQuarter",
  "thisYear",
  // boolean
  "isTrue",
  "isFalse",
  // multi-value
  "includesAny",
  "includesAll",
  "excludes",
  // text against a column of reference data: data set and column on the right
  "inReferenceData",
  "notInReferenceData",
  // change (pipelines only)
  "hasChanged",
  "changedFrom",
  "changedTo",
  "isInsert",
  "isUpdate",
  "isDeleted",
] as const;
export const PredicateOperator = z.enum(PREDICATE_OPERATORS);
export type PredicateOperator = z.infer<typeof PredicateOperator>;

/** Characters of a predicate in the address of a list: browsers and proxies cut longer addresses. */
export const MAX_FILTER_IN_ADDRESS = 20_000;

/** What a condition compares: a field of the record, a literal, a pipeline token or a dataset variable. */
export const Operand = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("field"), field: z.string().min(1).max(300) }),
  z.strictObject({ kind: z.literal("literal"), value: Value }),
  z.strictObject({ kind: z.literal("token"), token: z.string().min(1).max(1000) }),
  z.strictObject({ kind: z.literal("variable"), apiName: z.string().min(1).max(120) }),
]);
export type Operand = z.infer<typeof Operand>;

export const Condition = z.strictObject({
  type: z.literal("condition"),
  left: Operand,
  operator: PredicateOperator,
  /** Absent for operators that need none; two items for `between`; any number for lists. */
  right: z.array(Operand).max(1000).default([]),
});
export type Condition = z.infer<typeof Condition>;

export interface PredicateGroup {
  type: "group";
  combinator: "and" | "or";
  children: Predicate[];
}
export type Predicate = Condition | PredicateGroup;

/** Depth is limited by the parser of the request body (64 levels). An empty group is true. */
export const Predicate: z.ZodType<Predicate> = z.lazy(() => z.union([Condition, PredicateGroup]));
export const PredicateGroup: z.ZodType<PredicateGroup> = z.strictObject({
  type: z.literal("group"),
  combinator: z.enum(["and", "or"]),
  children: z.array(Predicate).max(200),
});
