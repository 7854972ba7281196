/** Random conditions, formulas and rows for tests outside this package. */
export { FORMULA_FIELDS, formula, formulaRow } from "./formulas.ts";
export { FIELDS, OWN_FIELDS, OWNERS, predicate, REFERENCE_TEXTS, row, valueIn } from "./predicates.ts";
