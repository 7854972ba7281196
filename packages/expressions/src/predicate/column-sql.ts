/** Columns and values in the form in which PostgreSQL compares them. */
import type { Value } from "@accord/contracts/data/values";
import { fixedSql, sql, type SqlFragment } from "../sql/fragment.ts";
import { type FieldShape, type Kind, kindOf } from "../values/kind.ts";
import { DAY_MS, dayText, instantText } from "../values/time.ts";
import type { ComparableValue } from "./datum.ts";

/** A column that a predicate may name, and the SQL that stands for it: made by the caller, never from user text. */
export interface SqlColumn extends FieldShape {
  sql: SqlFragment;
}

export interface SqlScope {
  column: (name: string) => SqlColumn | undefined;
  /** undefined: unknown; blank: the condition is left out. */
  variable?: (apiName: string) => Value | undefined;
  hasVariable?: (apiName: string) => boolean;
  /** A query of one column: the texts of reference data in small letters. Absent: no reference data here. */
  referenceData?: (dataset: string, column: string) => SqlFragment | undefined;
  /** Value of a token; tokens are refused when absent. */
  token?: (token: string) => Value | undefined;
  timeZone: string;
  /** UTC milliseconds. */
  now: number;
}

export const TRUE = fixedSql("TRUE");
export const FALSE = fixedSql("FALSE");

/** Text is folded with ICU's language-neutral rules, the same that JavaScript uses. */
export const foldedSql = (text: SqlFragment): SqlFragment => sql`lower(${text} COLLATE "und-x-icu")`;

const isTextColumn = (column: FieldShape): boolean => {
  const kind = kindOf(column);
  return kind === "text" || kind === "id";
};

export function blankSql(column: SqlColumn): SqlFragment {
  const kind = kindOf(column);
  if (kind === "list" || kind === "object")
    return sql`(${column.sql} IS NULL OR ${column.sql} IN ('[]'::jsonb, 'null'::jsonb, '""'::jsonb))`;
  return isTextColumn(column) ? sql`(${column.sql} IS NULL OR ${column.sql} = '')` : sql`${column.sql} IS NULL`;
}

/** The items of a multi-value column as folded texts; a single value counts as a list of one. */
export const itemsSql = (column: SqlColumn): SqlFragment =>
  sql`ARRAY(SELECT ${foldedSql(fixedSql("item"))} FROM jsonb_array_elements_text(CASE jsonb_typeof(${column.sql}) WHEN 'array' THEN ${column.sql} WHEN 'null' THEN '[]' ELSE jsonb_build_array(${column.sql}) END) AS item WHERE item <> '')`;

/** The column in the form in which this kind is compared. */
export function comparableSql(column: SqlColumn, kind: Kind, timeZone: string): SqlFragment {
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
export function datumSql(datum: ComparableValue, kind: Kind): SqlFragment {
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
      return daySql(datum as number);
    case "list":
      return sql`${[...(datum as ReadonlySet<string>)]}::text[]`;
    default:
      throw new Error(`a ${kind} is not one value`);
  }
}

const isBigint = (text: string): boolean => /^-?\d{1,18}$/.test(text);

/** The first and the last year that PostgreSQL has days of, with room to spare. */
const [FIRST_YEAR, LAST_YEAR] = [-4_700, 200_000];

/**
 * A day as PostgreSQL writes it, also beyond the calendar's years 1 to 9999: moments near its ends lie there in some
 * zones. Days it doesn't have lie before or after everything stored.
 */
export function daySql(day: number): SqlFragment {
  const at = new Date(day * DAY_MS);
  const year = at.getUTCFullYear();
  if (year < FIRST_YEAR) return sql`${"-infinity"}::date`;
  if (!(year <= LAST_YEAR)) return sql`${"infinity"}::date`;
  if (year >= 1 && year <= 9999) return sql`${dayText(day)}::date`;
  const written = [year > 0 ? year : 1 - year, at.getUTCMonth() + 1, at.getUTCDate()].map((part, index) =>
    String(part).padStart(index === 0 ? 4 : 2, "0"),
  );
  return sql`${written.join("-") + (year > 0 ? "" : " BC")}::date`;
}

/** A moment outside the calendar's years 1 to 9999 lies before or after everything stored. */
export const instantSql = (ms: number): SqlFragment =>
  sql`${instantText(ms) ?? (ms < 0 ? "-infinity" : "infinity")}::timestamptz`;
