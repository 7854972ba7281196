/**
 * A predicate as an SQL condition for a columnar engine (DuckDB), where it holds for exactly the rows that PostgreSQL finds.
 * What is not certain to mean the same there has no form: the caller then asks PostgreSQL.
 */
import type { Predicate } from "@accord/contracts/data/predicate";
import type { Value } from "@accord/contracts/data/values";
import { fixedSql, joinSql, sql, type SqlFragment } from "../sql/fragment.ts";
import { isBlank } from "../values/compare.ts";
import { type FieldShape, type Kind, kindOf } from "../values/kind.ts";
import { dayText, instantText } from "../values/time.ts";
import { FALSE, TRUE } from "./column-sql.ts";
import { type ComparableValue, comparableValueOf, spanOfDays } from "./datum.ts";
import { type Ordering, SIGN } from "./field-sql.ts";
import { type Plan, type PlanCondition, planPredicate, wholeAmount, withoutBlankVariables } from "./plan.ts";
import { relativeDays } from "./relative-dates.ts";

export interface ColumnarColumn extends FieldShape {
  sql: SqlFragment;
  /** Its text in small letters as PostgreSQL makes them: no other engine folds each letter in the same way. */
  folded: SqlFragment;
}

export interface ColumnarScope {
  column: (name: string) => ColumnarColumn | undefined;
  variable?: (apiName: string) => Value | undefined;
  hasVariable?: (apiName: string) => boolean;
  timeZone: string;
  /** UTC milliseconds. */
  now: number;
}

/** Null where it can't be said with certainty. Throws `PredicateError`, as `predicateSql` does. */
export function columnarPredicateSql(predicate: Predicate, scope: ColumnarScope): SqlFragment | null {
  const plan = planPredicate(predicate, {
    field: scope.column,
    timeZone: scope.timeZone,
    ...(scope.variable ? { hasVariable: scope.hasVariable ?? (() => true) } : {}),
  });
  const asked = withoutBlankVariables(plan, scope.variable);
  return asked ? nodeSql(asked, scope) : TRUE;
}

function nodeSql(plan: Plan, scope: ColumnarScope): SqlFragment | null {
  if (plan.type === "condition") {
    const positive = conditionSql(plan, scope);
    return plan.negated && positive ? sql`((${positive}) IS NOT TRUE)` : positive;
  }
  if (plan.children.length === 0) return TRUE;
  const parts = plan.children.map((child) => nodeSql(child, scope));
  return allOf(parts, plan.combinator === "and" ? " AND " : " OR ");
}

/** Null as soon as one of them is. */
function allOf(parts: readonly (SqlFragment | null)[], between: " AND " | " OR "): SqlFragment | null {
  const known = parts.filter((part) => part !== null);
  return known.length < parts.length ? null : sql`(${joinSql(known, between)})`;
}

function conditionSql(plan: PlanCondition, scope: ColumnarScope): SqlFragment | null {
  const { left, right, operator } = plan;
  if (left.type !== "field") return null;
  const column = scope.column(left.name);
  const kind = plan.kind ?? left.kind;
  if (!column || kind !== kindOf(column)) return null;
  const values: Value[] = [];
  for (const operand of right) {
    if (operand.type === "field" || operand.type === "token") return null;
    const value = operand.type === "value" ? operand.value : (scope.variable?.(operand.apiName) ?? null);
    values.push(...(Array.isArray(value) ? value : [value]));
  }
  return fieldSql({ operator, kind, column, values, scope });
}

interface FieldTest {
  operator: PlanCondition["operator"];
  kind: Kind;
  column: ColumnarColumn;
  values: readonly Value[];
  scope: ColumnarScope;
}

function fieldSql(test: FieldTest): SqlFragment | null {
  const { operator, kind, column, values, scope } = test;
  if (kind === "list" || kind === "object" || kind === "double") return null;
  switch (operator) {
    case "isBlank":
      return blankSql(kind, column);
    case "equals":
    case "inList":
      return equalsAnySql(test);
    case "isTrue":
      return sql`(${column.sql} = TRUE)`;
    case "isFalse":
      return sql`(${column.sql} = FALSE)`;
    case "contains":
    case "startsWith":
    case "endsWith":
      return textSql(operator, column, values[0]);
    case "less":
    case "lessOrEqual":
    case "greater":
    case "greaterOrEqual": {
      const datum = comparableValueOf(values[0], kind, scope.timeZone);
      return datum === null ? FALSE : orderSql(kind, column.sql, operator, datum);
    }
    case "between": {
      const [first, second] = [0, 1].map((at) => comparableValueOf(values[at], kind, scope.timeZone));
      if (first === null || second === null || first === undefined || second === undefined) return FALSE;
      const bounds = [
        orderSql(kind, column.sql, "greaterOrEqual", first),
        orderSql(kind, column.sql, "lessOrEqual", second),
      ];
      return allOf(bounds, " AND ");
    }
    default:
      return daysSql(test);
  }
}

const blankSql = (kind: Kind, { sql: of }: ColumnarColumn): SqlFragment =>
  kind === "text" || kind === "id" ? sql`(${of} IS NULL OR ${of} = '')` : sql`(${of} IS NULL)`;

function equalsAnySql({ kind, column, values, scope }: FieldTest): SqlFragment | null {
  const of = kind === "text" ? column.folded : column.sql;
  const data = values.map((value) => comparableValueOf(value, kind, scope.timeZone)).filter((datum) => datum !== null);
  const parts = [
    ...(values.some(isBlank) ? [blankSql(kind, column)] : []),
    ...data.map((datum) => orderSql(kind, of, "equals", datum)),
  ];
  return parts.length === 0 ? FALSE : allOf(parts, " OR ");
}

function textSql(
  operator: "contains" | "startsWith" | "endsWith",
  column: ColumnarColumn,
  value: Value | undefined,
): SqlFragment | null {
  const wanted = comparableValueOf(value, "text", "UTC");
  if (wanted === null) return FALSE;
  const name = fixedSql({ contains: "contains", startsWith: "starts_with", endsWith: "ends_with" }[operator]);
  return sql`${name}(${column.folded}, ${String(wanted)}::VARCHAR)`;
}

/** Relative days: the only operators left that have a form. */
function daysSql({ operator, kind, column, values, scope }: FieldTest): SqlFragment | null {
  const days = relativeDays(operator, wholeAmount(values[0]) ?? -1, scope.now, scope.timeZone);
  if (!days || (kind !== "date" && kind !== "moment")) return null;
  if (days.first > days.last) return FALSE;
  if (kind === "moment") return orderSql(kind, column.sql, "equals", spanOfDays(days.first, days.last, scope.timeZone));
  const [first, last] = [dayLiteral(days.first), dayLiteral(days.last)];
  return first && last && sql`(${column.sql} >= ${first} AND ${column.sql} <= ${last})`;
}

function orderSql(kind: Kind, left: SqlFragment, operator: Ordering, datum: ComparableValue): SqlFragment | null {
  if (kind !== "moment") {
    const right = datumSql(datum, kind);
    return right && sql`(${left} ${fixedSql(SIGN[operator])} ${right})`;
  }
  if (typeof datum !== "object" || !("from" in datum)) return null;
  const [from, to] = [instantLiteral(datum.from), instantLiteral(datum.to)];
  if (!from || !to) return null;
  switch (operator) {
    case "equals":
      return sql`(${left} >= ${from} AND ${left} < ${to})`;
    case "less":
      return sql`(${left} < ${from})`;
    case "lessOrEqual":
      return sql`(${left} < ${to})`;
    case "greater":
      return sql`(${left} >= ${to})`;
    case "greaterOrEqual":
      return sql`(${left} >= ${from})`;
  }
}

/** Numbers that the column's type holds; others are compared by PostgreSQL. */
const WHOLE = /^-?\d{1,18}$/;
const DECIMAL = /^-?\d{1,12}(\.\d{1,6})?$/;

function datumSql(datum: ComparableValue, kind: Kind): SqlFragment | null {
  const text = String(datum);
  switch (kind) {
    case "text":
    case "id":
      return sql`${text}::VARCHAR`;
    case "integer":
      return WHOLE.test(text) ? sql`${text}::BIGINT` : null;
    case "decimal":
      return DECIMAL.test(text) ? sql`${text}::DECIMAL(18,6)` : null;
    case "boolean":
      return datum === true ? TRUE : FALSE;
    case "date":
      return typeof datum === "number" ? dayLiteral(datum) : null;
    default:
      return null;
  }
}

/** First and last day of the years 1 to 9999. */
const [FIRST_DAY, LAST_DAY] = [-719_162, 2_932_896];

const dayLiteral = (day: number): SqlFragment | null =>
  day >= FIRST_DAY && day <= LAST_DAY ? sql`${dayText(day)}::DATE` : null;

function instantLiteral(ms: number): SqlFragment | null {
  const text = Number.isFinite(ms) ? instantText(ms) : null;
  return text === null ? null : sql`${text.replace("T", " ").replace("Z", "")}::TIMESTAMP`;
}
