/** Conditions on one column against fixed values, in a form that an index can serve. */
import type { PredicateOperator } from "@accord/contracts/data/predicate";
import type { Value } from "@accord/contracts/data/values";
import { RegexError, SHAPE_PATTERNS, toPostgresRegex } from "../regex/portable.ts";
import { fixedSql, joinSql, sql, type SqlFragment } from "../sql/fragment.ts";
import { isBlank, textOf } from "../values/compare.ts";
import type { Kind } from "../values/kind.ts";
import {
  blankSql,
  comparableSql,
  datumSql,
  daySql,
  FALSE,
  foldedSql,
  itemsSql,
  instantSql,
  type SqlColumn,
  type SqlScope,
} from "./column-sql.ts";
import { type ComparableValue, comparableValueOf, spanOfDays } from "./datum.ts";
import { PredicateError, wholeAmount } from "./plan.ts";
import { relativeDays } from "./relative-dates.ts";

/** One operator on one column against fixed values. */
export function fieldSql(
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
  const data = right.map((value) => comparableValueOf(value, kind, scope.timeZone)).filter((datum) => datum !== null);
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
  else if (data.length === 1)
    parts.push(
      sql`${comparable} = ${joinSql(
        data.map((datum) => datumSql(datum, kind)),
        "",
      )}`,
    );
  const [only, ...more] = parts;
  if (!only) return FALSE;
  return more.length === 0 ? only : sql`(${joinSql(parts, " OR ")})`;
}

function listSql(
  operator: "equals" | "includesAny" | "includesAll",
  column: SqlColumn,
  right: readonly Value[],
  scope: SqlScope,
): SqlFragment {
  const datum = comparableValueOf([...right], "list", scope.timeZone) as ReadonlySet<string> | null;
  if (datum === null) return FALSE;
  const wanted = [...datum];
  const items = itemsSql(column);
  if (operator === "equals") return sql`(${items} @> ${wanted}::text[] AND ${items} <@ ${wanted}::text[])`;
  if (wanted.length === 0) return FALSE;
  return operator === "includesAny" ? sql`${items} && ${wanted}::text[]` : sql`${items} @> ${wanted}::text[]`;
}

export type Ordering = "equals" | "less" | "lessOrEqual" | "greater" | "greaterOrEqual";
export const SIGN: Record<Ordering, string> = {
  equals: "=",
  less: "<",
  lessOrEqual: "<=",
  greater: ">",
  greaterOrEqual: ">=",
};

function orderSql(kind: Kind, left: SqlFragment, operator: Ordering, datum: ComparableValue): SqlFragment {
  if (kind !== "moment") return sql`${left} ${fixedSql(SIGN[operator])} ${datumSql(datum, kind)}`;
  const span = datum as { from: number; to: number };
  switch (operator) {
    case "equals":
      return sql`(${left} >= ${instantSql(span.from)} AND ${left} < ${instantSql(span.to)})`;
    case "less":
      return sql`${left} < ${instantSql(span.from)}`;
    case "lessOrEqual":
      return sql`${left} < ${instantSql(span.to)}`;
    case "greater":
      return sql`${left} >= ${instantSql(span.to)}`;
    case "greaterOrEqual":
      return sql`${left} >= ${instantSql(span.from)}`;
  }
}

function orderingSql(
  operator: Ordering | "between",
  kind: Kind,
  column: SqlColumn,
  right: readonly Value[],
  scope: SqlScope,
): SqlFragment {
  const data = right.map((value) => comparableValueOf(value, kind, scope.timeZone));
  const [first = null, second = null] = data;
  const left = comparableSql(column, kind, scope.timeZone);
  if (first === null) return FALSE;
  if (operator !== "between") return orderSql(kind, left, operator, first);
  if (second === null) return FALSE;
  return sql`(${orderSql(kind, left, "greaterOrEqual", first)} AND ${orderSql(kind, left, "lessOrEqual", second)})`;
}

function daysSql(kind: Kind, column: SqlColumn, days: { first: number; last: number }, scope: SqlScope): SqlFragment {
  if (days.first > days.last) return FALSE;
  if (kind === "date") return sql`(${column.sql} >= ${daySql(days.first)} AND ${column.sql} <= ${daySql(days.last)})`;
  return orderSql(kind, column.sql, "equals", spanOfDays(days.first, days.last, scope.timeZone));
}

const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, "\\$&");

function textSql(operator: PredicateOperator, column: SqlColumn, right: readonly Value[]): SqlFragment {
  const wanted = comparableValueOf(right[0], "text", "UTC");
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
