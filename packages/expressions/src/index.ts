/** Values, their conversion and comparison, predicates, tokens and formulas: pure, in memory and as SQL. */
export * from "./formula/index.ts";
export { kindOfValues } from "./predicate/datum.ts";
export * from "./predicate/memory.ts";
export * from "./predicate/value-test.ts";
export * from "./predicate/operators.ts";
export {
  checkPredicate,
  fieldsOf,
  PREDICATE_PROBLEM_CODES,
  PredicateError,
  type PredicateProblem,
  type PredicateProblemCode,
  type PredicateScope,
  withoutConditions,
} from "./predicate/plan.ts";
export * from "./predicate/references.ts";
export * from "./predicate/relative-dates.ts";
export { type ColumnarColumn, type ColumnarScope, columnarPredicateSql } from "./predicate/columnar-sql.ts";
export * from "./predicate/sql.ts";
export * from "./regex/portable.ts";
export * from "./sql/fragment.ts";
export * from "./tokens/template.ts";
export * from "./values/arithmetic.ts";
export * from "./values/calendar.ts";
export * from "./values/compare.ts";
export * from "./values/convert.ts";
export * from "./values/date-pattern.ts";
export * from "./values/decimal.ts";
export * from "./values/kind.ts";
export * from "./values/path.ts";
export * from "./values/secret-fields.ts";
export * from "./values/storable.ts";
export * from "./values/time.ts";
