/** A formula as SQL for PostgreSQL with bind parameters. */
import type { Value } from "@accord/contracts/data/values";
import { foldedSql, type SqlColumn } from "../predicate/sql.ts";
import { assertSqlSize, fixedSql, joinSql, sql, type SqlFragment } from "../sql/fragment.ts";
import { textOf } from "../values/compare.ts";
import type { CheckedFormula, Typed } from "./check.ts";
import { cutText, cutTextSql } from "./text-length.ts";
import { counted, type FormulaEnv, type FormulaType } from "./types.ts";

export interface FormulaSqlScope extends FormulaEnv {
  column: (name: string) => SqlColumn | undefined;
  /** Value of a token or variable. */
  token?: (token: string) => Value | undefined;
}

/** The SQL expression of a checked formula. Its columns must be those it was checked with. */
export const formulaSql = ({ typed }: CheckedFormula, scope: FormulaSqlScope): SqlFragment => print(typed, scope);

/** Each part is measured as soon as it is made: those around it may hold it many times. */
const print = (typed: Typed, scope: FormulaSqlScope): SqlFragment => assertSqlSize(printNode(typed, scope));

const TYPE: Readonly<Record<FormulaType, SqlFragment>> = {
  integer: fixedSql("numeric"),
  decimal: fixedSql("numeric"),
  double: fixedSql("double precision"),
  text: fixedSql("text"),
  boolean: fixedSql("boolean"),
  date: fixedSql("date"),
  datetime: fixedSql("timestamptz"),
  null: fixedSql("text"),
};

function printNode(typed: Typed, scope: FormulaSqlScope): SqlFragment {
  const inner = (part: Typed) => print(part, scope);
  switch (typed.kind) {
    case "literal":
      return typed.value === null ? sql`NULL::${TYPE[typed.type]}` : sql`${typed.value}::${TYPE[typed.type]}`;
    case "field": {
      const column = scope.column(typed.name)!.sql;
      return typed.type === "text" ? cutTextSql(column, scope) : column;
    }
    case "token": {
      const value = scope.token?.(typed.name);
      const bound = value === null || value === undefined ? null : typeof value === "boolean" ? value : textOf(value);
      const text = typeof bound === "string" ? cutText(bound, scope) : bound;
      return sql`${text}::${TYPE[typed.type]}`;
    }
    case "convert":
      return conversion(typed, inner(typed.value), scope);
    case "negate":
      return sql`(-${inner(typed.value)})`;
    case "not":
      return sql`(NOT ${inner(typed.value)})`;
    case "arithmetic":
      return arithmetic(typed.operator, typed.left.type, inner(typed.left), inner(typed.right));
    case "compare": {
      const [left, right] = [typed.left, typed.right].map((part) => comparable(inner(part), part.type)) as Two;
      return sql`(${left} ${fixedSql(typed.operator === "!=" ? "<>" : typed.operator)} ${right})`;
    }
    case "and":
      return sql`(${inner(typed.left)} AND ${inner(typed.right)})`;
    case "or":
      return sql`(${inner(typed.left)} OR ${inner(typed.right)})`;
    case "in": {
      const items = typed.items.map((item) => comparable(inner(item), item.type));
      return sql`(${comparable(inner(typed.value), typed.value.type)} IN (${joinSql(items, ", ")}))`;
    }
    case "case": {
      const branches = typed.branches.map(({ when, value }) => sql`WHEN ${inner(when)} THEN ${inner(value)}`);
      const otherwise = typed.otherwise ? sql` ELSE ${inner(typed.otherwise)}` : fixedSql("");
      return sql`(CASE ${joinSql(branches, " ")}${otherwise} END)`;
    }
    case "call": {
      const types = counted(typed.args.map((arg) => arg.type));
      return sql`(${typed.definition.sql(counted(typed.args.map(inner)), scope, types, counted(typed.fixed))})`;
    }
  }
}

type Two = [SqlFragment, SqlFragment];

const comparable = (part: SqlFragment, type: FormulaType): SqlFragment => (type === "text" ? foldedSql(part) : part);

function conversion(
  typed: Extract<Typed, { kind: "convert" }>,
  value: SqlFragment,
  scope: FormulaSqlScope,
): SqlFragment {
  if (typed.value.type === "date" && typed.type === "datetime")
    return sql`(${value}::timestamp AT TIME ZONE ${scope.timeZone}::text)`;
  return sql`${value}::${TYPE[typed.type]}`;
}

function arithmetic(
  operator: "+" | "-" | "*" | "/" | "%",
  type: FormulaType,
  left: SqlFragment,
  right: SqlFragment,
): SqlFragment {
  switch (operator) {
    case "/":
      return sql`(${left} / NULLIF(${right}, 0))`;
    case "%":
      return type === "double"
        ? sql`mod(${left}::numeric, NULLIF(${right}::numeric, 0))::double precision`
        : sql`mod(${left}, NULLIF(${right}, 0))`;
    default:
      return sql`(${left} ${fixedSql(operator)} ${right})`;
  }
}
