/** A resolved query: every name looked up, every type known. Planning rewrites it, printing turns it into SQL. */
import type { Predicate } from "@accord/contracts/data/predicate";
import type { DataType, Value } from "@accord/contracts/data/values";
import type { Aggregate, DatasetColumn, DateGrain } from "@accord/contracts/insights/dataset-config";
import type { CheckedFormula, SqlFragment } from "@accord/expressions";
import type { Load, Relation } from "./catalogue.ts";

export type Table =
  | { alias: string; relation: Relation }
  | { alias: string; query: Query }
  | { alias: string; statement: SqlStatement };

/** A statement that a person wrote, checked, with the values of its variables and the tables it names. */
export interface SqlStatement {
  /** Its text in order, cut where values stand. */
  parts: readonly (string | SqlValue)[];
  tables: readonly {
    /** As the text names it, in lower case, as are the names of its columns there. */
    name: string;
    table: Table;
    columns: readonly string[];
  }[];
  columns: readonly { name: string; dataType: DataType; multi: boolean }[];
  /** With all that its tables read. */
  load: Load;
}

export interface SqlValue {
  variable: string;
  value: Value;
  /** Of PostgreSQL, with brackets for lists. */
  type: string;
  /** A list that stands alone in `IN (…)` is handed on as rows. */
  asRows: boolean;
}

export type Expr =
  | { kind: "column"; table: string; name: string; dataType: DataType; multi?: boolean; unique?: boolean }
  | { kind: "bucket"; grain: DateGrain; of: Expr; dataType: "date" }
  /** `of` null counts rows. */
  | { kind: "aggregate"; fn: Aggregate; of: Expr | null; dataType: DataType }
  | FormulaExpr;

/** A checked formula, with what its field names stand for and the values of its variables. */
export interface FormulaExpr {
  kind: "formula";
  formula: CheckedFormula;
  fields: ReadonlyMap<string, Expr>;
  variables: ReadonlyMap<string, Value>;
  dataType: DataType;
}

/** A predicate with what each of its field names stands for, and the values of its variables. */
export interface Condition {
  predicate: Predicate;
  fields: ReadonlyMap<string, Expr>;
  variables: ReadonlyMap<string, Value>;
}

/** Rows of any of these marks; a mark holds where each of its columns has one of the values. */
export interface ValueFilter {
  marks: readonly (readonly ValueGroup[])[];
}

/** Compared as groups are: letter by letter, blank with blank alone; with `isOthers`, any value but these. */
export interface ValueGroup {
  expr: Expr;
  displayName: string;
  values: readonly Value[];
  isOthers: boolean;
}

export interface OutputColumn {
  name: string;
  displayName: string;
  dataType: DataType;
  expr: Expr;
  /** What people call its values, where those are ids and reach the outside as they are. */
  labels?: Readonly<Record<string, string>> | undefined;
}

/** What a caller is told about the columns of an answer. */
export const describeColumns = (query: Query): DatasetColumn[] =>
  query.columns.map(({ name, displayName, dataType, labels }) => ({
    name,
    displayName,
    dataType,
    ...(labels ? { labels } : {}),
  }));

export interface QueryJoin {
  type: "INNER" | "LEFT" | "RIGHT" | "FULL";
  table: Table;
  /** Pairs that must be equal: an already joined side, then this table's. */
  on: [Expr, Expr][];
}

/** Groups in place of the tables of a query: one fragment for each of its columns, and where they come from. */
export interface Given {
  columns: SqlFragment[];
  from: SqlFragment;
  /** Conditions on groups, with what their fields stand for. */
  having: { condition: Condition; fields: ReadonlyMap<string, SqlFragment> }[];
}

export interface Query {
  from: Table;
  joins: QueryJoin[];
  where: Condition[];
  /** More conditions on rows, all of which hold. */
  among?: readonly ValueFilter[];
  columns: OutputColumn[];
  /** Folds rows by the columns that are no aggregates. */
  grouped: boolean;
  having: Condition[];
  /** Positions in `columns`. */
  orderBy: { column: number; ascending: boolean }[];
  limit: number | null;
  /** Its groups, where another engine has made them: what comes before the conditions on groups is done. */
  given?: Given;
}

export const isAggregate = (expr: Expr): boolean =>
  expr.kind === "aggregate" || (expr.kind === "formula" && expr.formula.isAggregate);

/** Aliases of the tables an expression reads. */
export function tablesOf(expr: Expr): string[] {
  switch (expr.kind) {
    case "column":
      return [expr.table];
    case "bucket":
      return tablesOf(expr.of);
    case "aggregate":
      return expr.of ? tablesOf(expr.of) : [];
    case "formula":
      return [...expr.fields.values()].flatMap(tablesOf);
  }
}

const NUMERIC: ReadonlySet<DataType> = new Set(["integer", "double", "decimal"]);
const DATES: ReadonlySet<DataType> = new Set(["date", "datetime", "timestamp"]);
const UNORDERED: ReadonlySet<DataType> = new Set(["object", "child", "complex", "password"]);

export const isNumeric = (dataType: DataType): boolean => NUMERIC.has(dataType);
export const isDate = (dataType: DataType): boolean => DATES.has(dataType);

/** The type an aggregate gives, or null when it cannot be taken of such values. */
export function aggregateType(fn: Aggregate, of: DataType): DataType | null {
  switch (fn) {
    case "count":
      return "integer";
    case "countDistinct":
      return UNORDERED.has(of) ? null : "integer";
    case "sum":
      return isNumeric(of) ? of : null;
    case "avg":
    case "median":
    case "stddev":
    case "percentile90":
      return isNumeric(of) ? "double" : null;
    case "min":
    case "max":
      return UNORDERED.has(of) || of === "boolean" ? null : of;
    case "textList":
      return UNORDERED.has(of) ? null : "string";
  }
}
