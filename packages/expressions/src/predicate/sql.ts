/** A predicate as an SQL condition for PostgreSQL with bind parameters. Means the same as its form in memory. */
import type { Predicate, PredicateOperator } from "@accord/contracts/data/predicate";
import type { Value } from "@accord/contracts/data/values";
import { RegexError, SHAPE_PATTERNS, toPostgresRegex } from "../regex/portable.ts";
import { fixedSql, joinSql, sql, type SqlFragment } from "../sql/fragment.ts";
import { isBlank, textOf } from "../values/compare.ts";
import { type FieldShape, type Kind, kindOf } from "../values/kind.ts";
import { dayText, momentText } from "../values/time.ts";
import { type Datum, datumOf, kindOfValues, spanOfDays } from "./datum.ts";
import { comparison, hasBlankVariable } from "./memory.ts";
import { type Plan, type PlanCondition, type PlanOperand, planPredicate, PredicateError, wholeAmount } from "./plan.ts";
import { relativeDays } from "./relative-dates.ts";

/** A column that a predicate may name, and the SQL that stands for it: made by the caller, never from user text. */
export interface SqlColumn extends FieldShape {
  sql: SqlFragment;
}

export interface SqlScope {
  column: (name: string) => SqlColumn | undefined;
  /** undefined: unknown; blank: the condition is left out. */
  variable?: (apiName: string) => Value | undefined;
  hasVariable?: (apiName: string) => boolean;
  /** Value of a token; tokens are refused when absent. */
  token?: (token: string) => Value | undefined;
  timeZone: string;
  /** UTC milliseconds. */
  now: number;
}

const TRUE = fixedSql("TRUE");
const FALSE = fixedSql("FALSE");

/**
 * An SQL condition that is true for exactly the rows the predicate holds for. Under NOT or in a select list wrap it in
 * `(…) IS TRUE`: a blank column may make it null. Throws `PredicateError`.
 */
export function predicateSql(predicate: Predicate, scope: SqlScope): SqlFragment {
  const { token } = scope;
  const plan = planPredicate(predicate, {
    field: scope.column,
    timeZone: scope.timeZone,
    ...(scope.variable ? { hasVariable: scope.hasVariable ?? (() => true) } : {}),
    ...(token ? { hasToken: (name: string) => token(name) !== undefined } : {}),
  });
  return nodeSql(plan, scope);
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
  if (hasBlankVariable(plan, scope)) return TRUE;
  const left = plan.left;
  if (left.type === "field" && plan.right.every((operand) => operand.type !== "field")) {
    const kind = plan.kind!;
    const values = plan.right.map((operand) => valueOf(operand, scope)).flatMap((value) => value ?? [null]);
    return fieldSql(plan.operator, kind, scope.column(left.name)!, values, scope);
  }
  if (left.type !== "field" && plan.right.every((operand) => operand.type !== "field")) {
    const value = valueOf(left, scope);
    const right = plan.right.map((operand) => valueOf(operand, scope)).flatMap((one) => one ?? [null]);
    const kind = plan.kind ?? kindOfValues(plan.operator, value, right);
    return comparison(plan.operator, kind, right, scope.timeZone, scope.now)(value) ? TRUE : FALSE;
  }
  return betweenOperandsSql(plan, plan.kind!, scope);
}

function valueOf(operand: PlanOperand, scope: SqlScope): Value | undefined {
  switch (operand.type) {
    case "value":
      return operand.value;
    case "token":
      return scope.token!(operand.token);
    case "variable":
      return scope.variable!(operand.apiName);
    case "field":
      throw new Error("a field has no fixed value");
  }
}

/** Text is folded with ICU's language-neutral rules, the same that JavaScript uses. */
export const foldedSql = (text: SqlFragment): SqlFragment => sql`lower(${text} COLLATE "und-x-icu")`;

const isTextColumn = (column: FieldShape): boolean => {
  const kind = kindOf(column);
  return kind === "text" || kind === "id";
};

function blankSql(column: SqlColumn): SqlFragment {
  const kind = kindOf(column);
  if (kind === "list" || kind === "object")
    return sql`(${column.sql} IS NULL OR ${column.sql} IN ('[]'::jsonb, 'null'::jsonb, '""'::jsonb))`;
  return isTextColumn(column) ? sql`(${column.sql} IS NULL OR ${column.sql} = '')` : sql`${column.sql} IS NULL`;
}

/** The items of a multi-value column as folded texts; a single value counts as a list of one. */
const itemsSql = (column: SqlColumn): SqlFragment =>
  sql`ARRAY(SELECT ${foldedSql(fixedSql("item"))} FROM jsonb_array_elements_text(CASE jsonb_typeof(${column.sql}) WHEN 'array' THEN ${column.sql} WHEN 'null' THEN '[]' ELSE jsonb_build_array(${column.sql}) END) AS item WHERE item <> '')`;

/** The column in the form in which this kind is compared. */
function comparableSql(column: SqlColumn, kind: Kind, timeZone: string): SqlFragment {
  const own = kindOf(column);
  switch (kind) {
    case "text":
      return foldedSql(column.sql);
    case "decimal":
      return own === "decimal" ? column.sql : sql`${column.sql}::numeric`;
    case "double":
      return own === "double" ? column.sql : sql`${column.sql}::double precision`;
    case "date":
      return own === "date" ? column.sql : sql`(${column.sql} AT TIME ZONE ${timeZone}::text)::date`;
    case "list":
      return itemsSql(column);
    default:
      return column.sql;
  }
}

/** A datum as a bind parameter of the column's type. */
function datumSql(datum: Datum, kind: Kind): SqlFragment {
  switch (kind) {
    case "text":
    case "id":
      return sql`${datum}::text`;
    case "integer":
      return typeof datum === "number" || isBigint(String(datum))
        ? sql`${String(datum)}::bigint`
        : sql`${String(datum)}::numeric`;
    case "decimal":
      return sql`${String(datum)}::numeric`;
    case "double":
      return sql`${String(datum)}::double precision`;
    case "boolean":
      return sql`${datum}::boolean`;
    case "date":
      return sql`${dayText(datum as number)}::date`;
    case "list":
      return sql`${[...(datum as ReadonlySet<string>)]}::text[]`;
    default:
      throw new Error(`a ${kind} is not one value`);
  }
}

const isBigint = (text: string): boolean => /^-?\d{1,18}$/.test(text);

/** A moment outside the calendar's years 1 to 9999 lies before or after everything stored. */
const momentSql = (ms: number): SqlFragment =>
  sql`${momentText(ms) ?? (ms < 0 ? "-infinity" : "infinity")}::timestamptz`;

function fieldSql(
  operator: PredicateOperator,
  kind: Kind,
  column: SqlColumn,
  right: readonly Value[],
  scope: SqlScope,
): SqlFragment {
  switch (operator) {
    case "isBlank":
      return blankSql(column);
    case "equals":
      return kind === "list" ? listSql("equals", column, right, scope) : equalsAnySql(kind, column, right, scope);
    case "inList":
      return equalsAnySql(kind, column, right, scope);
    case "isTrue":
      return sql`${column.sql} = TRUE`;
    case "isFalse":
      return sql`${column.sql} = FALSE`;
    case "includesAny":
    case "includesAll":
      return listSql(operator, column, right, scope);
    case "less":
    case "lessOrEqual":
    case "greater":
    case "greaterOrEqual":
    case "between":
      return orderingSql(operator, kind, column, right, scope);
    default: {
      const days = relativeDays(operator, wholeAmount(right[0]) ?? -1, scope.now, scope.timeZone);
      return days ? daysSql(kind, column, days, scope) : textSql(operator, column, right);
    }
  }
}

function equalsAnySql(kind: Kind, column: SqlColumn, right: readonly Value[], scope: SqlScope): SqlFragment {
  const parts: SqlFragment[] = [];
  if (right.some(isBlank)) parts.push(blankSql(column));
  const data = right.map((value) => datumOf(value, kind, scope.timeZone)).filter((datum) => datum !== null);
  const comparable = comparableSql(column, kind, scope.timeZone);
  if (kind === "moment") parts.push(...data.map((datum) => orderSql(kind, comparable, "equals", datum)));
  else if ((kind === "text" || kind === "id") && data.length > 1) parts.push(sql`${comparable} = ANY(${data}::text[])`);
  else if (data.length > 1)
    parts.push(
      sql`${comparable} IN (${joinSql(
        data.map((datum) => datumSql(datum, kind)),
        ", ",
      )})`,
    );
  else if (data.length === 1) parts.push(sql`${comparable} = ${datumSql(data[0]!, kind)}`);
  if (parts.length === 0) return FALSE;
  return parts.length === 1 ? parts[0]! : sql`(${joinSql(parts, " OR ")})`;
}

function listSql(
  operator: "equals" | "includesAny" | "includesAll",
  column: SqlColumn,
  right: readonly Value[],
  scope: SqlScope,
): SqlFragment {
  const datum = datumOf([...right], "list", scope.timeZone) as ReadonlySet<string> | null;
  if (datum === null) return FALSE;
  const wanted = [...datum];
  const items = itemsSql(column);
  if (operator === "equals") return sql`(${items} @> ${wanted}::text[] AND ${items} <@ ${wanted}::text[])`;
  if (wanted.length === 0) return FALSE;
  return operator === "includesAny" ? sql`${items} && ${wanted}::text[]` : sql`${items} @> ${wanted}::text[]`;
}

type Ordering = "equals" | "less" | "lessOrEqual" | "greater" | "greaterOrEqual";
const SIGN: Record<Ordering, string> = {
  equals: "=",
  less: "<",
  lessOrEqual: "<=",
  greater: ">",
  greaterOrEqual: ">=",
};

function orderSql(kind: Kind, left: SqlFragment, operator: Ordering, datum: Datum): SqlFragment {
  if (kind !== "moment") return sql`${left} ${fixedSql(SIGN[operator])} ${datumSql(datum, kind)}`;
  const span = datum as { from: number; to: number };
  switch (operator) {
    case "equals":
      return sql`(${left} >= ${momentSql(span.from)} AND ${left} < ${momentSql(span.to)})`;
    case "less":
      return sql`${left} < ${momentSql(span.from)}`;
    case "lessOrEqual":
      return sql`${left} < ${momentSql(span.to)}`;
    case "greater":
      return sql`${left} >= ${momentSql(span.to)}`;
    case "greaterOrEqual":
      return sql`${left} >= ${momentSql(span.from)}`;
  }
}

function orderingSql(
  operator: Ordering | "between",
  kind: Kind,
  column: SqlColumn,
  right: readonly Value[],
  scope: SqlScope,
): SqlFragment {
  const data = right.map((value) => datumOf(value, kind, scope.timeZone));
  const [first = null, second = null] = data;
  const left = comparableSql(column, kind, scope.timeZone);
  if (first === null) return FALSE;
  if (operator !== "between") return orderSql(kind, left, operator, first);
  if (second === null) return FALSE;
  return sql`(${orderSql(kind, left, "greaterOrEqual", first)} AND ${orderSql(kind, left, "lessOrEqual", second)})`;
}

function daysSql(kind: Kind, column: SqlColumn, days: { first: number; last: number }, scope: SqlScope): SqlFragment {
  if (days.first > days.last) return FALSE;
  if (kind === "date")
    return sql`(${column.sql} >= ${dayText(days.first)}::date AND ${column.sql} <= ${dayText(days.last)}::date)`;
  return orderSql(kind, column.sql, "equals", spanOfDays(days.first, days.last, scope.timeZone));
}

const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, "\\$&");

function textSql(operator: PredicateOperator, column: SqlColumn, right: readonly Value[]): SqlFragment {
  const wanted = datumOf(right[0], "text", "UTC");
  const length = wholeAmount(right[0]);
  const folded = foldedSql(column.sql);
  switch (operator) {
    case "contains":
      return wanted === null ? FALSE : sql`${folded} LIKE ${`%${escapeLike(String(wanted))}%`}::text`;
    case "startsWith":
      return wanted === null ? FALSE : sql`${folded} LIKE ${`${escapeLike(String(wanted))}%`}::text`;
    case "endsWith":
      return wanted === null ? FALSE : sql`${folded} LIKE ${`%${escapeLike(String(wanted))}`}::text`;
    case "lengthEquals":
      return lengthSql(column, "=", length);
    case "lengthLess":
      return lengthSql(column, "<", length);
    case "lengthGreater":
      return lengthSql(column, ">", length);
    case "matchesRegex":
      return regexSql(column, textOf(right[0]));
    case "isEmail":
    case "isUrl":
    case "isPhoneNumber":
      return regexSql(column, SHAPE_PATTERNS[operator]);
    default:
      throw new Error(`operator ${operator} has no SQL form`);
  }
}

const lengthSql = (column: SqlColumn, sign: string, length: number | null): SqlFragment =>
  length === null ? FALSE : sql`char_length(coalesce(${column.sql}, '')) ${fixedSql(sign)} ${length}::integer`;

function regexSql(column: SqlColumn, pattern: string): SqlFragment {
  try {
    // "C": letters and digits of the pattern's classes are spelled out, so no language may have a say.
    return sql`(${column.sql} <> '' AND ${column.sql} COLLATE "C" ~ ${toPostgresRegex(pattern)}::text)`;
  } catch (problem) {
    if (!(problem instanceof RegexError)) throw problem;
    throw new PredicateError([
      { path: [], code: "regex_invalid", facts: { operator: "matchesRegex", reason: problem.message } },
    ]);
  }
}

/** Comparisons with a field on the right: both sides in the common kind, blanks equal to blanks alone. */
function betweenOperandsSql(plan: PlanCondition, kind: Kind, scope: SqlScope): SqlFragment {
  const [first, second] = plan.right;
  const single = (operator: PredicateOperator, operand: PlanOperand): SqlFragment =>
    conditionSql({ ...plan, operator, right: [operand] }, scope);
  if (plan.operator === "inList")
    return sql`(${joinSql(
      plan.right.map((operand) => single("equals", operand)),
      " OR ",
    )})`;
  if (plan.operator === "between")
    return sql`(${single("greaterOrEqual", first!)} AND ${single("lessOrEqual", second!)})`;
  const left = operandSql(plan.left, kind, scope);
  const right = operandSql(first!, kind, scope);
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
    const column = scope.column(operand.name)!;
    return { value: comparableSql(column, kind, scope.timeZone), blank: blankSql(column) };
  }
  const value = valueOf(operand, scope);
  if (isBlank(value)) return { value: fixedSql(kind === "list" ? "'{}'::text[]" : "NULL"), blank: TRUE };
  // A fixed day on the left of a column stands for its first moment.
  const datum = datumOf(value, kind, scope.timeZone);
  if (datum === null) return { value: fixedSql("NULL"), blank: FALSE };
  if (kind === "moment") return { value: momentSql((datum as { from: number }).from), blank: FALSE };
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
