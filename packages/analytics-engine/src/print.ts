/** Prints a query as formatted SQL with bind parameters. Names come from the catalogue only and are always quoted. */
import {
  assertSqlSize,
  type FieldShape,
  fixedSql,
  formulaSql,
  joinSql,
  kindOf,
  predicateSql,
  PredicateError,
  printSql,
  SharedParameter,
  sql,
  type SqlFragment,
  SqlTooLongError,
} from "@accord/expressions";
import type { Cell, Statement } from "./columnar/statement.ts";
import type { Dialect } from "./dialect.ts";
import { MAX_TEXT_LENGTH } from "./limits.ts";
import { DatasetError } from "./problems.ts";
import { anySql, groupSql } from "./filters/group-sql.ts";
import type { Condition, Expr, Given, Query, QueryJoin, SqlStatement, Table, ValueFilter } from "./query.ts";
import { isAggregate } from "./query.ts";
import { describedSql, restoreLines, sqlStatementSql } from "./sql-mode/print-sql.ts";

export type { Cell, Statement } from "./columnar/statement.ts";

export interface PrintOptions {
  dialect: Dialect;
  timeZone: string;
  /** UTC milliseconds that `today` and its like count from. */
  now: number;
}

/** The statement of a query; `limit` cuts it further than the query itself does. */
export function printQuery(query: Query, options: PrintOptions, limit?: number): Statement {
  const cut = limit === undefined ? query.limit : Math.min(limit, query.limit ?? limit);
  return printStatement(() => querySql({ ...query, limit: cut }, options), cellsOf(query));
}

export const cellsOf = ({ columns }: Query): Cell[] =>
  columns.map(({ name, dataType, expr }) => ({ name, type: cellType({ dataType, isMultiValueField: isMulti(expr) }) }));

const isMulti = (expr: Expr): boolean => expr.kind === "column" && (expr.multi ?? false);

function cellType(shape: FieldShape): Cell["type"] {
  switch (kindOf(shape)) {
    case "text":
    case "id":
      return "text";
    case "list":
    case "object":
      return "json";
    default:
      return "plain";
  }
}

/** Throws `DatasetError` for a statement that is too long. */
export function printStatement(make: () => SqlFragment, cells: Cell[]): Statement {
  try {
    const { text, params } = printSql(assertSqlSize(make()));
    return { text: restoreLines(text), params, cells };
  } catch (error) {
    if (error instanceof SqlTooLongError || error instanceof PredicateError)
      throw new DatasetError([{ path: "", code: "statement_too_long", facts: {} }]);
    throw error;
  }
}

/** The query as a fragment, for use inside a longer statement. */
export function querySql(query: Query, options: PrintOptions): SqlFragment {
  if (query.given) return givenSql(query, query.given, options);
  const printed = new Map(query.columns.map(({ expr }) => [expr, shareParameters(exprSql(expr, options))]));
  const columnSql = (expr: Expr): SqlFragment => printed.get(expr) ?? exprSql(expr, options);
  const columns = query.columns.map(({ name, expr }) => sql`${columnSql(expr)} AS ${options.dialect.name(name)}`);
  const groups = query.grouped
    ? query.columns.flatMap(({ expr }, at) => (isAggregate(expr) ? [] : [String(at + 1)]))
    : [];
  const clauses: SqlFragment[] = [
    sql`SELECT\n  ${joinSql(columns, ",\n  ")}`,
    sql`FROM ${tableSql(query.from, options)}`,
    ...query.joins.map((join) => joinClause(join, options)),
    ...whereSql(query, options),
    ...(groups.length > 0 ? [fixedSql(`GROUP BY ${groups.join(", ")}`)] : []),
    ...havingSql(query, columnSql, options),
    ...endSql(query),
  ];
  return assertSqlSize(joinSql(clauses, "\n"));
}

/** A key that a condition repeats is the same to the database only if its values have the same numbers there. */
const shareParameters = ({ strings, params }: SqlFragment): SqlFragment => ({
  strings,
  params: params.map((param) => (param instanceof SharedParameter ? param : new SharedParameter(param))),
});

function havingSql({ having }: Query, columnSql: (expr: Expr) => SqlFragment, options: PrintOptions): SqlFragment[] {
  if (having.length === 0) return [];
  const parts = having.map((condition) =>
    printCondition(
      condition,
      (name) => {
        const expr = condition.fields.get(name);
        return expr && columnSql(expr);
      },
      options,
    ),
  );
  return [sql`HAVING ${joinSql(parts, "\n  AND ")}`];
}

function endSql({ orderBy, limit }: Query): SqlFragment[] {
  const order = orderBy.map(
    ({ column, ascending }) => `${column + 1} ${ascending ? "ASC NULLS FIRST" : "DESC NULLS LAST"}`,
  );
  return [
    ...(order.length > 0 ? [fixedSql(`ORDER BY ${order.join(", ")}`)] : []),
    ...(limit === null ? [] : [sql`LIMIT ${limit}`]),
  ];
}

/** What is left to do once the groups are there. */
function givenSql(query: Query, { columns, from, having }: Given, options: PrintOptions): SqlFragment {
  const selected = columns.map((of, at) => sql`${of} AS ${options.dialect.name(query.columns[at]?.name ?? "")}`);
  const conditions = having.map(({ condition, fields }) =>
    printCondition(condition, (name) => fields.get(name), options),
  );
  return joinSql(
    [
      sql`SELECT\n  ${joinSql(selected, ",\n  ")}`,
      sql`FROM ${from}`,
      ...(conditions.length > 0 ? [sql`WHERE ${joinSql(conditions, "\n  AND ")}`] : []),
      ...endSql(query),
    ],
    "\n",
  );
}

function tableSql(table: Table, options: PrintOptions): SqlFragment {
  const alias = options.dialect.name(table.alias);
  if ("relation" in table) return sql`${options.dialect.relation(table.relation)} AS ${alias}`;
  const printTable = (one: Table): SqlFragment => tableSql(one, options);
  if ("statement" in table) return sql`(\n  ${indent(sqlStatementSql(table.statement, printTable))}\n) AS ${alias}`;
  return sql`(\n  ${indent(querySql(table.query, options))}\n) AS ${alias}`;
}

/** The statement that asks which columns a written one gives; it gives no rows. */
export const printDescribed = (statement: SqlStatement, options: PrintOptions): Statement =>
  printStatement(() => describedSql(statement, (table) => tableSql(table, options)), []);

/** Names come from the catalogue and hold no line breaks, and written texts have none yet, so only layout moves. */
const indent = (fragment: SqlFragment): SqlFragment => ({
  strings: fragment.strings.map((text) => text.replaceAll("\n", "\n  ")),
  params: fragment.params,
});

function joinClause(join: QueryJoin, options: PrintOptions): SqlFragment {
  const pairs = join.on.map(([left, right]) => sql`${exprSql(left, options)} = ${exprSql(right, options)}`);
  return sql`${fixedSql(join.type)} JOIN ${tableSql(join.table, options)}\n  ON ${joinSql(pairs, " AND ")}`;
}

function whereSql({ where, among = [] }: Query, options: PrintOptions): SqlFragment[] {
  const parts = [
    ...where.map((condition) => conditionSql(condition, options)),
    ...among.map((filter) => valueFilterSql(filter, options)),
  ];
  if (parts.length === 0) return [];
  return [sql`WHERE ${joinSql(parts, "\n  AND ")}`];
}

/** A condition as a fragment. */
export const conditionSql = (condition: Condition, options: PrintOptions): SqlFragment =>
  printCondition(
    condition,
    (name) => {
      const expr = condition.fields.get(name);
      return expr && exprSql(expr, options);
    },
    options,
  );

const printCondition = (
  condition: Condition,
  columnOf: (name: string) => SqlFragment | undefined,
  options: PrintOptions,
): SqlFragment =>
  predicateSql(condition.predicate, {
    column: (name) => {
      const expr = condition.fields.get(name);
      const of = columnOf(name);
      return expr && of && { sql: of, dataType: expr.dataType, isMultiValueField: isMulti(expr) };
    },
    variable: (name) => condition.variables.get(name),
    hasVariable: (name) => condition.variables.has(name),
    timeZone: options.timeZone,
    now: options.now,
  });

const valueFilterSql = ({ marks }: ValueFilter, options: PrintOptions): SqlFragment =>
  anySql(
    marks.map((groups) =>
      joinSql(
        groups.map(({ expr, ...group }) => groupSql(exprSql(expr, options), expr.dataType, group)),
        " AND ",
      ),
    ),
  );

/** The expression of a column as a fragment. */
export function exprSql(expr: Expr, options: PrintOptions): SqlFragment {
  const { dialect } = options;
  switch (expr.kind) {
    case "column":
      return dialect.column(expr.table, expr.name);
    case "bucket":
      return dialect.bucket(expr.grain, exprSql(expr.of, options), {
        dataType: expr.of.dataType,
        timeZone: options.timeZone,
      });
    case "aggregate":
      return dialect.aggregate(expr.fn, expr.of && exprSql(expr.of, options));
    case "formula":
      return formulaSql(expr.formula, {
        column: (name) => {
          const field = expr.fields.get(name);
          return field && { sql: exprSql(field, options), dataType: field.dataType };
        },
        token: (name) => expr.variables.get(name),
        timeZone: options.timeZone,
        now: options.now,
        maxTextLength: MAX_TEXT_LENGTH,
      });
  }
}
