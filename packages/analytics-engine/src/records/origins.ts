/** Where the columns of a query come from: fields of the records it starts from, or something that is none of theirs. */
import type { DataType } from "@accord/contracts/data/values";
import type { Aggregate, DateGrain } from "@accord/contracts/insights/dataset-config";
import type { MarkGroup } from "@accord/contracts/insights/cross-filter";
import type { NoRecordsReason } from "@accord/contracts/insights/mark-records";
import type { Relation } from "../catalogue.ts";
import { planQuery } from "../plan.ts";
import {
  type Condition,
  type Expr,
  isAggregate,
  type OutputColumn,
  type Query,
  type QueryJoin,
  type Table,
  tablesOf,
} from "../query.ts";

/** A field of the records. */
export interface FieldOrigin {
  kind: "field";
  name: string;
  dataType: DataType;
  isMultiValueField: boolean;
}

export type Origin =
  | FieldOrigin
  | { kind: "bucket"; grain: DateGrain; of: FieldOrigin }
  | { kind: "aggregate"; fn: Aggregate; of: Origin | null }
  | { kind: "joined" }
  | { kind: "computed" };

/** A column of the answer: what it is called and where it comes from. */
export interface ColumnOrigin {
  displayName: string;
  origin: Origin;
}

/** A condition on rows, with where each of its field names comes from. */
export interface OriginCondition extends Pick<Condition, "predicate" | "variables"> {
  origins: ReadonlyMap<string, Origin>;
}

/** Values of a column, and where that comes from. */
export interface OriginGroup {
  group: MarkGroup;
  column: ColumnOrigin;
}

/** A query in which each row, or each row below its groups, is one record. */
export interface RecordsQuery {
  relation: Relation;
  columns: ReadonlyMap<string, ColumnOrigin>;
  conditions: readonly OriginCondition[];
  /** Filters by marks: of each one mark holds, of a mark all groups. */
  filters: readonly (readonly (readonly OriginGroup[])[])[];
  /** Whether its own rows are groups. */
  grouped: boolean;
  /** Columns whose values say which group of records a row stands for; null when it stands for one record. */
  rowKeys: readonly string[] | null;
}

/** Ends a translation: no filter of records can say it. */
export class NoRecordsError extends Error {
  override readonly name = "NoRecordsError";
  readonly reason: NoRecordsReason;
  /** Of the field it is about. */
  readonly field: string;
  constructor(reason: NoRecordsReason, field = "") {
    super(`${reason}: ${field}`);
    this.reason = reason;
    this.field = field;
  }
}

/** Follows a query down to the records it starts from. Throws `NoRecordsError` when its rows are not those records. */
export function recordsQuery(query: Query): RecordsQuery {
  const { from, joins, where, among = [], columns, having, limit, grouped } = planQuery(query);
  if (limit !== null) throw new NoRecordsError("dataset_limit");
  if (having.length > 0) throw new NoRecordsError("grouped_filter");
  if (!joins.every(isOneToOne)) throw new NoRecordsError("joined_rows");
  if ("statement" in from) throw new NoRecordsError("written_in_sql");
  const below = "relation" in from ? null : recordsQuery(from.query);
  const read = (expr: Expr & { kind: "column" }): Origin => {
    if (expr.table !== from.alias) return { kind: "joined" };
    const { name, dataType, multi } = expr;
    if (!below) return { kind: "field", name, dataType, isMultiValueField: multi ?? false };
    return below.columns.get(name)?.origin ?? { kind: "computed" };
  };
  const conditions = where.map(({ predicate, variables, fields }) => ({
    predicate,
    variables,
    origins: new Map([...fields].map(([name, expr]) => [name, originOf(expr, read, from.alias)])),
  }));
  const filters = among.map(({ marks }) =>
    marks.map((mark) =>
      mark.map(({ expr, displayName, values, isOthers }): OriginGroup => ({
        group: { column: displayName, values: [...values], isOthers },
        column: { displayName, origin: originOf(expr, read, from.alias) },
      })),
    ),
  );
  return {
    relation: relationOf(from),
    columns: new Map(
      columns.map(({ name, displayName, expr }) => [name, { displayName, origin: originOf(expr, read, from.alias) }]),
    ),
    conditions: [...(below?.conditions ?? []), ...conditions],
    filters: [...(below?.filters ?? []), ...filters],
    grouped,
    rowKeys: grouped
      ? columns.filter(({ expr }) => !isAggregate(expr)).map(({ name }) => name)
      : keysAmong(columns, from.alias, below?.rowKeys ?? null),
  };
}

function relationOf(from: Table): Relation {
  if ("statement" in from) throw new NoRecordsError("written_in_sql");
  return "relation" in from ? from.relation : relationOf(from.query.from);
}

/** The columns that hold the keys of the rows below; null when one of those is missing. */
function keysAmong(columns: readonly OutputColumn[], from: string, below: readonly string[] | null): string[] | null {
  if (below === null) return null;
  const keys = below.map((key) =>
    columns.find(({ expr }) => expr.kind === "column" && expr.table === from && expr.name === key),
  );
  return keys.every((key) => key !== undefined) ? keys.map(({ name }) => name) : null;
}

/** Joined this way, each row stays one row. */
const isOneToOne = ({ type, on }: QueryJoin): boolean =>
  type === "LEFT" && on.some(([, right]) => right.kind === "column" && right.unique === true);

type ReadColumn = (expr: Expr & { kind: "column" }) => Origin;

function originOf(expr: Expr, read: ReadColumn, own: string): Origin {
  switch (expr.kind) {
    case "column":
      return read(expr);
    case "bucket": {
      const of = originOf(expr.of, read, own);
      if (of.kind === "field") return { kind: "bucket", grain: expr.grain, of };
      return of.kind === "joined" ? of : { kind: "computed" };
    }
    case "aggregate":
      return { kind: "aggregate", fn: expr.fn, of: expr.of && originOf(expr.of, read, own) };
    case "formula":
      return tablesOf(expr).every((table) => table === own) ? { kind: "computed" } : { kind: "joined" };
  }
}
