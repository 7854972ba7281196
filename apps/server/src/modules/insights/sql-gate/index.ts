/** The gate of statements that people write: what may run, what they name, and where something is wrong in them. */
export { checkSql, GATE_LIMITS } from "./gate.ts";
export { SQL_FUNCTION_CATEGORIES, SQL_FUNCTIONS, type SqlFunction } from "./functions.ts";
export { OPERATORS, TYPES } from "./grammar.ts";
export { outputPlaces, spellingOf } from "./outputs.ts";
export { SQL_LIMITS } from "./parse.ts";
export { sqlError, sqlRefused } from "./refusal.ts";
export { readSelect, type SelectReader, SqlClauseError } from "./select-reader.ts";
export { foldName, lineColumn, type TextRange } from "./text-places.ts";
export { bodyOf, namesIn, nodesOf, textOf, type TreeNode } from "./tree.ts";
