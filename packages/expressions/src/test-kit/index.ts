/** Random conditions, formulas and rows for tests outside this package. */
export { FORMULA_FIELDS, formula, formulaRow } from "./formulas.ts";
export { FIELDS, predicate, row } from "./predicates.ts";
