/**
 * What the columnar mirror answers in place of PostgreSQL: the one list of it. An expression is in it only where the answer
 * is the same to the last digit and letter, whatever the data; everything else is asked of PostgreSQL.
 *
 * Not in it, with the reason:
 * - `double` columns: the sum of floating numbers depends on the order in which they are added; NaN and -0 have no one form.
 * - `min` and `max` of decimals and texts: 1.5 and 1.50 are equal but not the same text; texts are ordered by a collation.
 *   Decimals as groups: likewise.
 * - `median`, `percentile90`, `stddev`: computed with other formulas; their last digits differ.
 * - `textList`: texts are cut and ordered by PostgreSQL's rules.
 * - Formulas: functions of numbers, texts and times differ in many details.
 * - Lists and objects (`jsonb`), passwords.
 * - Conditions that compare two fields, a field with a value of another kind (with a number beyond 18 digits, a day beyond
 *   the calendar), by patterns, by lengths, with reference data (`columnar-sql.ts`).
 * - Moments cut to days of another zone than UTC: the copy knows no zones.
 * - Rows that are not grouped: without an order PostgreSQL may give any of them; and groups cut without a complete order.
 * - Statements that people wrote, and whatever is built on them.
 *
 * Order, ranks, limits, conditions on groups, means, and the form of each value are PostgreSQL's own: it gets the groups.
 */
import type { DataType } from "@accord/contracts/data/values";
import type { Aggregate } from "@accord/contracts/insights/dataset-config";

/** How values are kept; the server checks each value when it copies it, and a column with one that does not fit is not used. */
export type MirrorType = "text" | "bigint" | "decimal" | "boolean" | "date" | "timestamp";

const MIRROR_TYPES: Readonly<Record<DataType, MirrorType | null>> = {
  string: "text",
  picklist: "text",
  reference: "text",
  integer: "bigint",
  decimal: "decimal",
  boolean: "boolean",
  date: "date",
  datetime: "timestamp",
  timestamp: "timestamp",
  double: null,
  password: null,
  object: null,
  child: null,
  complex: null,
};

export const mirrorType = (dataType: DataType, isMulti: boolean): MirrorType | null =>
  isMulti ? null : MIRROR_TYPES[dataType];

/** Types whose equal values are the same text. */
const GROUPED: ReadonlySet<MirrorType> = new Set(["text", "bigint", "boolean", "date", "timestamp"]);
export const canGroup = (type: MirrorType): boolean => GROUPED.has(type);

const ALL: readonly MirrorType[] = ["text", "bigint", "decimal", "boolean", "date", "timestamp"];

const AGGREGATED: Readonly<Record<Aggregate, readonly MirrorType[]>> = {
  count: ALL,
  countDistinct: ALL,
  sum: ["bigint", "decimal"],
  avg: ["bigint", "decimal"],
  min: ["bigint", "date", "timestamp"],
  max: ["bigint", "date", "timestamp"],
  median: [],
  percentile90: [],
  stddev: [],
  textList: [],
};

export const canAggregate = (fn: Aggregate, of: MirrorType): boolean => AGGREGATED[fn].includes(of);
