/** Prints a query as formatted SQL with bind parameters. Names come from the catalogue only and are always quoted. */
import { fixedSql, formulaSql, joinSql, predicateSql, printSql, sql, type SqlFragment } from "@accord/expressions";
import type { Dialect } from "./dialect.ts";
import type { Condition, Expr, Query, QueryJoin, Table } from "./query.ts";
import { isAggregate } from "./query.ts";

export interface PrintOptions {
  dialect: Dialect;
  timeZone: string;
  /** UTC milliseconds that `today` and its like count from. */
  now: number;
}

/** A statement for a driver. */
export interface Statement {
  text: string;
  params: unknown[];
}

/** The statement of a query; `limit` cuts it further than the query itself does. */
export function printQuery(query: Query, options: PrintOptions, limit?: number): Statement {
  const cut = limit === undefined ? query.limit : Math.min(limit, query.limit ?? limit);
  return printSql(querySql({ ...query, limit: cut }, options));
}

/** The query as a fragment, for use inside a longer statement. */
export function querySql(query: Query, options: PrintOptions): SqlFragment {
  const columns = query.columns.map(
    ({ name, expr }) => sql`${exprSql(expr, options)} AS ${options.dialect.name(name)}`,
  );
  const groups = query.grouped
    ? query.columns.flatMap(({ expr }, at) => (isAggregate(expr) ? [] : [String(at + 1)]))
    : [];
  const order = query.orderBy.map(
    ({ column, ascending }) => `${column + 1} ${ascending ? "ASC NULLS FIRST" : "DESC NULLS LAST"}`,
  );
  const clauses: SqlFragment[] = [
    sql`SELECT\n  ${joinSql(columns, ",\n  ")}`,
    sql`FROM ${tableSql(query.from, options)}`,
    ...query.joins.map((join) => joinClause(join, options)),
    ...conditionsSql("WHERE", query.where, options),
    ...(groups.length > 0 ? [fixedSql(`GROUP BY ${groups.join(", ")}`)] : []),
    ...conditionsSql("HAVING", query.having, options),
    ...(order.length > 0 ? [fixedSql(`ORDER BY ${order.join(", ")}`)] : []),
    ...(query.limit === null ? [] : [sql`LIMIT ${query.limit}`]),
  ];
  return joinSql(clauses, "\n");
}

function tableSql(table: Table, options: PrintOptions): SqlFragment {
  const alias = options.dialect.name(table.alias);
  if ("relation" in table) return sql`${options.dialect.relation(table.relation)} AS ${alias}`;
  return sql`(\n  ${indent(querySql(table.query, options))}\n) AS ${alias}`;
}

/** Names come from the catalogue and hold no line breaks, so only layout moves. */
const indent = (fragment: SqlFragment): SqlFragment => ({
  strings: fragment.strings.map((text) => text.replaceAll("\n", "\n  ")),
  params: fragment.params,
});

function joinClause(join: QueryJoin, options: PrintOptions): SqlFragment {
  const pairs = join.on.map(([left, right]) => sql`${exprSql(left, options)} = ${exprSql(right, options)}`);
  return sql`${fixedSql(join.type)} JOIN ${tableSql(join.table, options)}\n  ON ${joinSql(pairs, " AND ")}`;
}

function conditionsSql(
  word: "WHERE" | "HAVING",
  conditions: readonly Condition[],
  options: PrintOptions,
): SqlFragment[] {
  if (conditions.length === 0) return [];
  const parts = conditions.map((condition) => conditionSql(condition, options));
  return [sql`${fixedSql(word)} ${joinSql(parts, "\n  AND ")}`];
}

const conditionSql = (condition: Condition, options: PrintOptions): SqlFragment =>
  predicateSql(condition.predicate, {
    column: (name) => {
      const expr = condition.fields.get(name);
      if (!expr) return undefined;
      const isMultiValueField = expr.kind === "column" && (expr.multi ?? false);
      return { sql: exprSql(expr, options), dataType: expr.dataType, isMultiValueField };
    },
    variable: (name) => condition.variables.get(name),
    hasVariable: (name) => condition.variables.has(name),
    timeZone: options.timeZone,
    now: options.now,
  });

function exprSql(expr: Expr, options: PrintOptions): SqlFragment {
  const { dialect } = options;
  switch (expr.kind) {
    case "column":
      return dialect.column(expr.table, expr.name);
    case "bucket":
      return dialect.bucket(expr.grain, exprSql(expr.of, options), expr.of.dataType);
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
      });
  }
}
