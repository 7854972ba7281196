/** Groups of rows as conditions: values compared as `GROUP BY` keeps them apart, always bound as parameters. */
import { fixedSql, joinSql, sql, type SqlFragment } from "@accord/expressions";
import type { DataType, Value } from "@accord/contracts/data/values";
import { POSTGRES_TYPES } from "../postgres-types.ts";

/** Types in which columns are compared with a value of an answer; whole numbers have no bound. */
const COMPARED_TYPES = { ...POSTGRES_TYPES, integer: "numeric" };

/** A moment with more digits than answers have. */
const FINER_THAN_ANSWERS = /\.\d{4,}/;

/** Whether a value is one of the group's, letter by letter, blank with blank alone; null counts as false. */
export function groupSql(
  of: SqlFragment,
  dataType: DataType,
  { values, isOthers }: { values: readonly Value[]; isOthers: boolean },
): SqlFragment {
  const type = fixedSql(COMPARED_TYPES[dataType]);
  const any = anySql(
    values.map((value) =>
      value === null ? sql`${of} IS NULL` : sql`${asAnswered(of, dataType, value)} = ${String(value)}::${type}`,
    ),
  );
  return isOthers ? sql`${any} IS NOT TRUE` : any;
}

/** Moments are stored in microseconds and answered in milliseconds, the finer digits cut. */
const asAnswered = (of: SqlFragment, dataType: DataType, value: Value): SqlFragment =>
  (dataType === "datetime" || dataType === "timestamp") && !FINER_THAN_ANSWERS.test(String(value))
    ? sql`date_trunc('milliseconds', ${of})`
    : of;

export const anySql = (parts: readonly SqlFragment[]): SqlFragment =>
  parts.length === 0 ? fixedSql("FALSE") : sql`(${joinSql(parts, " OR ")})`;
