/**
 * Aggregates: functions over the rows of a group, for datasets only. Those in the schema `accord_analytics` are made by a migration
 * of the database of records; they keep one value or one bounded text for each group, where PostgreSQL's own keep them all.
 */
import { fixedSql, sql, type SqlFragment } from "../../sql/fragment.ts";
import type { FormulaEnv, FormulaFunction, FormulaType, Parameter } from "../types.ts";

type Returns = FormulaFunction["returns"];

function aggregate(
  name: string,
  help: string,
  parameters: readonly Parameter[],
  returns: Returns,
  make: (args: readonly SqlFragment[], env: FormulaEnv) => SqlFragment,
  signature = `${name}(${parameters.map((one) => (one === "any" ? "value" : one)).join(", ")})`,
  constant: readonly number[] = [],
): FormulaFunction {
  return { name, category: "aggregate", signature, help, parameters, constant, returns, sql: make };
}

const sum = ([type = "decimal"]: readonly FormulaType[]): FormulaType => (type === "double" ? "double" : "decimal");
const same = ([type = "null"]: readonly FormulaType[]): FormulaType => type;

export const AGGREGATES: readonly FormulaFunction[] = [
  aggregate("sum", "The total.", ["number"], sum, ([value]) => sql`sum(${value})`),
  aggregate("avg", "The mean.", ["number"], sum, ([value]) => sql`avg(${value})`),
  aggregate("min", "The smallest value.", ["any"], same, ([value]) => sql`min(${value})`),
  aggregate("max", "The largest value.", ["any"], same, ([value]) => sql`max(${value})`),
  aggregate("count", "How many rows have a value.", ["any"], "integer", ([value]) => sql`count(${value})`),
  aggregate(
    "count_distinct",
    "How many different values there are.",
    ["any"],
    "integer",
    ([value]) => sql`count(DISTINCT ${value})`,
  ),
  aggregate(
    "median",
    "The value in the middle.",
    ["double"],
    "double",
    ([value]) => sql`percentile_cont(0.5) WITHIN GROUP (ORDER BY ${value})`,
  ),
  aggregate(
    "percentile",
    "The value below which a share of the rows lies; the share from 0 to 1.",
    ["double", "double"],
    "double",
    ([value, share]) => sql`percentile_cont(least(greatest(${share}, 0), 1)) WITHIN GROUP (ORDER BY ${value})`,
    "percentile(number, share)",
    [1],
  ),
  aggregate(
    "stddev",
    "The standard deviation of a sample.",
    ["double"],
    "double",
    ([value]) => sql`stddev_samp(${value})`,
  ),
  aggregate(
    "first",
    "The value of the row that comes first by another value.",
    ["any", "any"],
    same,
    ([value, by]) => sql`accord_analytics.first_value(${value} ORDER BY ${by} NULLS LAST)`,
    "first(value, by)",
  ),
  aggregate(
    "last",
    "The value of the row that comes last by another value.",
    ["any", "any"],
    same,
    ([value, by]) => sql`accord_analytics.first_value(${value} ORDER BY ${by} DESC NULLS LAST)`,
    "last(value, by)",
  ),
  aggregate(
    "string_agg",
    "All texts joined.",
    ["text", "text"],
    "text",
    ([value, separator], { maxTextLength }) =>
      sql`accord_analytics.text_list(${value}, ${separator}, ${fixedSql(String(maxTextLength))} ORDER BY ${value})`,
    "string_agg(text, separator)",
  ),
];
