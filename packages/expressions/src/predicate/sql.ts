/** A predicate as an SQL condition for PostgreSQL with bind parameters. Means the same as its form in memory. */
import type { Predicate, PredicateOperator } from "@accord/contracts/data/predicate";
import type { Value } from "@accord/contracts/data/values";
import { assertSqlSize, fixedSql, joinSql, sql, SqlTooLongError, type SqlFragment } from "../sql/fragment.ts";
import { foldText, isBlank, textOf } from "../values/compare.ts";
import type { Kind } from "../values/kind.ts";
import {
  blankSql,
  comparableSql,
  datumSql,
  FALSE,
  foldedSql,
  instantSql,
  type SqlColumn,
  type SqlScope,
  TRUE,
} from "./column-sql.ts";
import { comparableValueOf, kindOfValues } from "./datum.ts";
import { fieldSql, SIGN } from "./field-sql.ts";
import { valueTest } from "./value-test.ts";
import {
  datasetOf,
  type Plan,
  type PlanCondition,
  type PlanOperand,
  planPredicate,
  PredicateError,
  tooManyConditions,
  withoutBlankVariables,
} from "./plan.ts";

export { foldedSql, type SqlColumn, type SqlScope } from "./column-sql.ts";

/**
 * An SQL condition that is true for exactly the rows the predicate holds for. Under NOT or in a select list wrap it in
 * `(…) IS TRUE`: a blank column may make it null. Throws `PredicateError`.
 */
export function predicateSql(predicate: Predicate, scope: SqlScope): SqlFragment {
  const { token, referenceData } = scope;
  const plan = planPredicate(predicate, {
    field: scope.column,
    timeZone: scope.timeZone,
    ...(referenceData
      ? { hasReferenceData: (dataset: string, name: string) => referenceData(dataset, name) !== undefined }
      : {}),
    ...(scope.variable ? { hasVariable: scope.hasVariable ?? (() => true) } : {}),
    ...(token ? { hasToken: (name: string) => token(name) !== undefined } : {}),
  });
  try {
    const asked = withoutBlankVariables(plan, scope.variable);
    return asked ? assertSqlSize(nodeSql(asked, scope)) : TRUE;
  } catch (error) {
    if (error instanceof SqlTooLongError) throw new PredicateError([tooManyConditions()]);
    throw error;
  }
}

function nodeSql(plan: Plan, scope: SqlScope): SqlFragment {
  if (plan.type === "condition") {
    const positive = conditionSql(plan, scope);
    return plan.negated ? sql`(${positive}) IS NOT TRUE` : positive;
  }
  if (plan.children.length === 0) return TRUE;
  const parts = plan.children.map((child) => nodeSql(child, scope));
  return sql`(${joinSql(parts, plan.combinator === "and" ? " AND " : " OR ")})`;
}

function conditionSql(plan: PlanCondition, scope: SqlScope): SqlFragment {
  const left = plan.left;
  if (plan.operator === "inReferenceData") return referenceSql(plan, scope);
  if (left.type === "field" && plan.right.every((operand) => operand.type !== "field")) {
    const values = plan.right.map((operand) => valueOf(operand, scope)).flatMap((value) => value ?? [null]);
    return fieldSql(plan.operator, plan.kind ?? left.kind, columnOf(left, scope), values, scope);
  }
  if (left.type !== "field" && plan.right.every((operand) => operand.type !== "field")) {
    const value = valueOf(left, scope);
    const right = plan.right.map((operand) => valueOf(operand, scope)).flatMap((one) => one ?? [null]);
    const kind = plan.kind ?? kindOfValues(plan.operator, value, right);
    return valueTest(plan.operator, kind, right, scope.timeZone, scope.now)(value) ? TRUE : FALSE;
  }
  return betweenOperandsSql(plan, plan.kind ?? "text", scope);
}

/** Blank is never in reference data. */
function referenceSql({ left, right }: PlanCondition, scope: SqlScope): SqlFragment {
  const texts = scope.referenceData?.(...datasetOf(right));
  if (!texts) return FALSE;
  if (left.type === "field") return sql`(${foldedSql(columnOf(left, scope).sql)} IN (${texts}))`;
  const value = valueOf(left, scope);
  return isBlank(value) ? FALSE : sql`(${foldText(textOf(value))}::text IN (${texts}))`;
}

/** Planning has made sure that there is one. */
function columnOf(operand: Extract<PlanOperand, { type: "field" }>, scope: SqlScope): SqlColumn {
  const column = scope.column(operand.name);
  if (!column) throw new Error(`there is no column ${operand.name}`);
  return column;
}

function valueOf(operand: PlanOperand, scope: SqlScope): Value | undefined {
  switch (operand.type) {
    case "value":
      return operand.value;
    case "token":
      return scope.token?.(operand.token);
    case "variable":
      return scope.variable?.(operand.apiName);
    case "field":
      throw new Error("a field has no fixed value");
  }
}

/** Comparisons with a field on the right: both sides in the common kind, blanks equal to blanks alone. */
function betweenOperandsSql(plan: PlanCondition, kind: Kind, scope: SqlScope): SqlFragment {
  const [first, second = first] = plan.right;
  if (!first || !second) throw new Error("a comparison needs something to compare with");
  const single = (operator: PredicateOperator, operand: PlanOperand): SqlFragment =>
    conditionSql({ ...plan, operator, right: [operand] }, scope);
  if (plan.operator === "inList")
    return sql`(${joinSql(
      plan.right.map((operand) => single("equals", operand)),
      " OR ",
    )})`;
  if (plan.operator === "between")
    return sql`(${single("greaterOrEqual", first)} AND ${single("lessOrEqual", second)})`;
  const left = operandSql(plan.left, kind, scope);
  const right = operandSql(first, kind, scope);
  switch (plan.operator) {
    case "equals":
      return equalOperandsSql(left, right, kind);
    case "less":
    case "lessOrEqual":
    case "greater":
    case "greaterOrEqual":
      return sql`${left.value} ${fixedSql(SIGN[plan.operator])} ${right.value}`;
    case "contains":
      return textPair(left, right, (a, b) => sql`position(${b} IN ${a}) > 0`);
    case "startsWith":
      return textPair(left, right, (a, b) => sql`starts_with(${a}, ${b})`);
    case "endsWith":
      return textPair(left, right, (a, b) => sql`right(${a}, char_length(${b})) = ${b}`);
    default:
      throw new PredicateError([{ path: [], code: "types_differ", facts: { operator: plan.operator } }]);
  }
}

interface OperandSql {
  value: SqlFragment;
  blank: SqlFragment;
}

function operandSql(operand: PlanOperand, kind: Kind, scope: SqlScope): OperandSql {
  if (operand.type === "field") {
    const column = columnOf(operand, scope);
    return { value: comparableSql(column, kind, scope.timeZone), blank: blankSql(column) };
  }
  const value = valueOf(operand, scope);
  if (isBlank(value)) return { value: fixedSql(kind === "list" ? "'{}'::text[]" : "NULL"), blank: TRUE };
  // A fixed day on the left of a column stands for its first moment.
  const datum = comparableValueOf(value, kind, scope.timeZone);
  if (datum === null) return { value: fixedSql("NULL"), blank: FALSE };
  if (kind === "moment") return { value: instantSql((datum as { from: number }).from), blank: FALSE };
  return { value: datumSql(datum, kind), blank: FALSE };
}

const equalOperandsSql = (left: OperandSql, right: OperandSql, kind: Kind): SqlFragment =>
  kind === "list"
    ? sql`(${left.value} @> ${right.value} AND ${left.value} <@ ${right.value})`
    : sql`((${left.blank} AND ${right.blank}) OR (NOT ${left.blank} AND NOT ${right.blank} AND ${left.value} = ${right.value}))`;

const textPair = (
  left: OperandSql,
  right: OperandSql,
  make: (left: SqlFragment, right: SqlFragment) => SqlFragment,
): SqlFragment => sql`(NOT ${left.blank} AND NOT ${right.blank} AND ${make(left.value, right.value)})`;
