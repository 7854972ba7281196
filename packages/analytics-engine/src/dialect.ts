/** What differs between database engines when a query is printed. */
import { column, cutTextSql, fixedSql, identifier, sql, type SqlFragment } from "@accord/expressions";
import type { DataType } from "@accord/contracts/data/values";
import type { Aggregate, DateGrain } from "@accord/contracts/insights/dataset-config";
import type { Relation } from "./catalogue.ts";
import { MAX_TEXT_LENGTH } from "./limits.ts";

export interface Dialect {
  /** The current records; those that are gone are left out before anything is joined. */
  relation(relation: Relation): SqlFragment;
  column(table: string, name: string): SqlFragment;
  name(name: string): SqlFragment;
  /** The first day of the bucket, as a date. Moments belong to the day that they have in the time zone. */
  bucket(grain: DateGrain, of: SqlFragment, at: { dataType: DataType; timeZone: string }): SqlFragment;
  /** `of` null counts rows. */
  aggregate(fn: Aggregate, of: SqlFragment | null): SqlFragment;
}

const MAX = fixedSql(String(MAX_TEXT_LENGTH));
const textSql = (of: SqlFragment): SqlFragment => cutTextSql(sql`${of}::text`, { maxTextLength: MAX_TEXT_LENGTH });

/** Bound but for UTC, of which indexes on expressions may be. */
const zoneSql = (timeZone: string): SqlFragment => (timeZone === "UTC" ? fixedSql("'UTC'") : sql`${timeZone}::text`);

export const postgres: Dialect = {
  relation({ schema, name, deletedColumn }) {
    const table = column(schema, name);
    return deletedColumn ? sql`(SELECT * FROM ${table} WHERE NOT ${identifier(deletedColumn)})` : table;
  },
  column,
  name: identifier,
  bucket: (grain, of, { dataType, timeZone }) =>
    dataType === "date"
      ? sql`date_trunc(${fixedSql(`'${grain}'`)}, ${of})::date`
      : sql`date_trunc(${fixedSql(`'${grain}'`)}, ${of} AT TIME ZONE ${zoneSql(timeZone)})::date`,
  aggregate(fn, of) {
    if (of === null) return fixedSql("count(*)");
    switch (fn) {
      case "sum":
        return sql`sum(${of})`;
      case "avg":
        return sql`avg(${of})::double precision`;
      case "min":
        return sql`min(${of})`;
      case "max":
        return sql`max(${of})`;
      case "count":
        return sql`count(${of})`;
      case "countDistinct":
        return sql`count(DISTINCT ${of})`;
      case "median":
        return sql`percentile_cont(0.5) WITHIN GROUP (ORDER BY ${of})`;
      case "percentile90":
        return sql`percentile_cont(0.9) WITHIN GROUP (ORDER BY ${of})`;
      case "stddev":
        return sql`stddev_samp(${of})::double precision`;
      case "textList":
        // DISTINCT sorts by the text. An ORDER BY would have to repeat it letter by letter, and its parameters differ.
        return sql`accord_analytics.text_list(DISTINCT ${textSql(of)}, ', ', ${MAX})`;
    }
  },
};
