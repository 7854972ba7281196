/** Which field of which entity a column of a query hands on: what makes columns of two datasets the same. */
import type { DateGrain } from "@accord/contracts/insights/dataset-config";
import type { Relation } from "../catalogue.ts";
import type { Expr, Query, Table } from "../query.ts";

export interface Lineage {
  relation: Relation;
  field: string;
  /** Whether the field belongs to the records that the query starts from, and to none that are joined to them. */
  isOfRoot: boolean;
}

/** Null for what is worked out, folded or written in SQL. */
export function lineageOf(expr: Expr, query: Query): Lineage | null {
  if (expr.kind === "bucket") return lineageOf(expr.of, query);
  if (expr.kind !== "column") return null;
  const table = tableOf(expr, query);
  if (!table || "statement" in table) return null;
  const isFirst = table === query.from;
  if ("relation" in table) return { relation: table.relation, field: expr.name, isOfRoot: isFirst };
  const column = table.query.columns.find(({ name }) => name === expr.name);
  const below = column ? lineageOf(column.expr, table.query) : null;
  return below && { ...below, isOfRoot: below.isOfRoot && isFirst };
}

/** How dates are cut on the way to a column, the last cut first; also of what is worked out. */
export function cutsOf(expr: Expr, query: Query): readonly DateGrain[] {
  if (expr.kind === "bucket") return [expr.grain, ...cutsOf(expr.of, query)];
  if (expr.kind !== "column") return [];
  const table = tableOf(expr, query);
  if (!table || !("query" in table)) return [];
  const column = table.query.columns.find(({ name }) => name === expr.name);
  return column ? cutsOf(column.expr, table.query) : [];
}

const tableOf = (column: Expr & { kind: "column" }, { from, joins }: Query): Table | undefined =>
  [from, ...joins.map((join) => join.table)].find(({ alias }) => alias === column.table);

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
