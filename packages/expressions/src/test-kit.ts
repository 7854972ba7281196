/** Random conditions, formulas and rows for tests outside this package. */
export { FORMULA_FIELDS, formula, formulaRow } from "./formula/formula.arbitrary.ts";
export { FIELDS, predicate, row } from "./predicate/predicate.arbitrary.ts";
