/** Groups of rows as conditions: values compared as `GROUP BY` keeps them apart, always bound as parameters. */
import { fixedSql, joinSql, sql, type SqlFragment } from "@accord/expressions";
import type { DataType, Value } from "@accord/contracts/data/values";
import { POSTGRES_TYPES } from "../postgres-types.ts";

/** Types in which columns are compared with a value of an answer; whole numbers have no bound. */
const COMPARED_TYPES = { ...POSTGRES_TYPES, integer: "numeric" };

/** Whether a value is one of the group's, letter by letter, blank with blank alone; null counts as false. */
export function groupSql(
  of: SqlFragment,
  dataType: DataType,
  { values, isOthers }: { values: readonly Value[]; isOthers: boolean },
): SqlFragment {
  const type = fixedSql(COMPARED_TYPES[dataType]);
  const any = anySql(
    values.map((value) => (value === null ? sql`${of} IS NULL` : sql`${of} = ${String(value)}::${type}`)),
  );
  return isOthers ? sql`${any} IS NOT TRUE` : any;
}

export const anySql = (parts: readonly SqlFragment[]): SqlFragment =>
  parts.length === 0 ? fixedSql("FALSE") : sql`(${joinSql(parts, " OR ")})`;
