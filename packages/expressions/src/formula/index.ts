/** The formula language: one parser and type checker, carried out in memory or as SQL. */
export { type CheckedFormula, checkFormula, type FormulaScope } from "./check.ts";
export { FORMULA_FUNCTIONS, formulaFunction } from "./functions/index.ts";
export { compileFormula, type FormulaReader } from "./memory.ts";
export { typeOfValue } from "./operands.ts";
export {
  FORMULA_PROBLEM_CODES,
  type Formula,
  parseFormula,
  type FormulaProblem,
  type FormulaProblemCode,
} from "./parse.ts";
export { cutText, cutTextSql } from "./text-length.ts";
export { formulaSql, type FormulaSqlScope } from "./sql.ts";
export { dataTypeOf, type FormulaEnv, type FormulaFunction, type FormulaType, typeOfField } from "./types.ts";
