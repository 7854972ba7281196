/** Which field of which entity a column of a query hands on: what makes columns of two datasets the same. */
import type { DateGrain } from "@accord/contracts/insights/dataset-config";
import type { Relation } from "../catalogue.ts";
import type { Expr, Query } from "../query.ts";

export interface Lineage {
  relation: Relation;
  field: string;
  /** How dates are cut on the way, the last cut first. */
  grains: readonly DateGrain[];
  /** Whether the field belongs to the records that the query starts from, and to none that are joined to them. */
  isOfRoot: boolean;
}

/** Null for what is worked out, folded or written in SQL. */
export function lineageOf(expr: Expr, query: Query): Lineage | null {
  if (expr.kind === "bucket") {
    const of = lineageOf(expr.of, query);
    return of && { ...of, grains: [expr.grain, ...of.grains] };
  }
  if (expr.kind !== "column") return null;
  const table = [query.from, ...query.joins.map((join) => join.table)].find(({ alias }) => alias === expr.table);
  if (!table || "statement" in table) return null;
  const isFirst = table === query.from;
  if ("relation" in table) return { relation: table.relation, field: expr.name, grains: [], isOfRoot: isFirst };
  const column = table.query.columns.find(({ name }) => name === expr.name);
  const below = column ? lineageOf(column.expr, table.query) : null;
  return below && { ...below, isOfRoot: below.isOfRoot && isFirst };
}

export const isSameField = (one: Lineage, other: Lineage): boolean =>
  one.field === other.field &&
  one.relation.name === other.relation.name &&
  one.relation.schema === other.relation.schema;

/** Whether each period of the finer cut lies within one of the coarser. */
export const nestsIn = (finer: DateGrain, coarser: DateGrain): boolean =>
  finer === coarser || COARSER[finer].includes(coarser);

/** Weeks lie across months. */
const COARSER: Record<DateGrain, readonly DateGrain[]> = {
  day: ["week", "month", "quarter", "year"],
  week: [],
  month: ["quarter", "year"],
  quarter: ["year"],
  year: [],
};
