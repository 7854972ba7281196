/** Functions over the rows of a result, ordered by a value: for datasets, where they are turned on. */
import { sql, type SqlFragment } from "../../sql/fragment.ts";
import type { FormulaFunction, FormulaType, Parameter } from "../types.ts";

function overRows(
  name: string,
  help: string,
  parameters: readonly Parameter[],
  returns: FormulaFunction["returns"],
  make: (args: readonly SqlFragment[]) => SqlFragment,
  signature: string,
): FormulaFunction {
  return { name, category: "window", signature, help, parameters, returns, takesNull: true, sql: make };
}

const same = ([type = "null"]: readonly FormulaType[]): FormulaType => type;
const sum = ([type = "decimal"]: readonly FormulaType[]): FormulaType => (type === "double" ? "double" : "decimal");

export const WINDOW_FUNCTIONS: readonly FormulaFunction[] = [
  overRows(
    "row_number",
    "The place of a row, counted from 1.",
    ["any"],
    "integer",
    ([by]) => sql`row_number() OVER (ORDER BY ${by})`,
    "row_number(by)",
  ),
  overRows(
    "rank",
    "The place of a row; equal rows share theirs.",
    ["any"],
    "integer",
    ([by]) => sql`rank() OVER (ORDER BY ${by})`,
    "rank(by)",
  ),
  overRows(
    "running_sum",
    "The total of all rows up to this one.",
    ["number", "any"],
    sum,
    ([value, by]) => sql`sum(${value}) OVER (ORDER BY ${by} ROWS UNBOUNDED PRECEDING)`,
    "running_sum(number, by)",
  ),
  overRows(
    "lag",
    "The value of the row before.",
    ["any", "any"],
    same,
    ([value, by]) => sql`lag(${value}) OVER (ORDER BY ${by})`,
    "lag(value, by)",
  ),
  overRows(
    "lead",
    "The value of the row after.",
    ["any", "any"],
    same,
    ([value, by]) => sql`lead(${value}) OVER (ORDER BY ${by})`,
    "lead(value, by)",
  ),
];
