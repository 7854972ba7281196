/** The WHERE of a statement as a filter of the basic mode: comparisons of numbers and dates, which mean the same in both. */
import type { Predicate } from "@accord/contracts/data/predicate";
import type { DataType } from "@accord/contracts/data/values";
import { bodyOf, namesIn, nodesOf, type SelectReader } from "../../sql-gate/index.ts";
import { columnOf, type FromSql } from "./sql-fields.ts";

/** Texts are compared letter by letter in SQL and in any case in the basic mode; moments by the day there. */
const COMPARED: ReadonlySet<DataType> = new Set(["integer", "decimal", "double", "date"]);

const OPERATORS: Readonly<Record<string, "equals" | "less" | "lessOrEqual" | "greater" | "greaterOrEqual">> = {
  "=": "equals",
  "<": "less",
  "<=": "lessOrEqual",
  ">": "greater",
  ">=": "greaterOrEqual",
};

export function basicFilter(reader: SelectReader, from: FromSql): Predicate | undefined {
  const where = reader.select["whereClause"];
  if (where === undefined) return undefined;
  const filter = predicateOf(where, reader, from);
  return filter.type === "group" ? filter : { type: "group", combinator: "and", children: [filter] };
}

function predicateOf(node: unknown, reader: SelectReader, from: FromSql): Predicate {
  const all = bodyOf(node, "BoolExpr");
  if (all && all["boolop"] !== "NOT_EXPR")
    return {
      type: "group",
      combinator: all["boolop"] === "OR_EXPR" ? "or" : "and",
      children: nodesOf(all["args"]).map((one) => predicateOf(one, reader, from)),
    };
  const compared = bodyOf(node, "A_Expr");
  const operator = compared && OPERATORS[namesIn(compared["name"])[0] ?? ""];
  const column = columnOf(compared?.["lexpr"], from);
  const value = compared && reader.valueOf(compared["rexpr"]);
  if (
    !compared ||
    compared["kind"] !== "AEXPR_OP" ||
    !operator ||
    !column ||
    !value ||
    !COMPARED.has(column.field.dataType)
  )
    return reader.fail("condition", node);
  const field = `${column.source.datasourceAlias}.${column.field.apiName}`;
  return { type: "condition", left: { kind: "field", field }, operator, right: [value] };
}
