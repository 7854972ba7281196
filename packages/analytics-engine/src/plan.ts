/** Rewrites a query into an equal one that reads and joins less: joins nobody needs go, facts fold before they join. */
import {
  type Condition,
  type Expr,
  hasFormula,
  isAggregate,
  type OutputColumn,
  type Query,
  tablesOf,
} from "./query.ts";

/** The query to run. Its rows equal those of the query given. */
export function planQuery(query: Query): Query {
  const needed = dropUnusedJoins(query);
  return foldBeforeJoin(needed) ?? needed;
}

/** A left join on a key that is unique over there, of which nothing is read, changes nothing. */
function dropUnusedJoins(query: Query): Query {
  const kept = [...query.joins];
  for (let at = kept.length - 1; at >= 0; at--) {
    const join = kept[at]!;
    const alias = join.table.alias;
    const rest = kept.filter((_, other) => other !== at);
    const isRead = [
      ...query.columns.flatMap((column) => tablesOf(column.expr)),
      ...[...query.where, ...query.having].flatMap(conditionTables),
      ...rest.flatMap((other) => other.on.flat().flatMap(tablesOf)),
    ].includes(alias);
    if (join.type === "LEFT" && !isRead && join.on.some(([, right]) => isUniqueColumn(right))) kept.splice(at, 1);
  }
  return kept.length === query.joins.length ? query : { ...query, joins: kept };
}

const conditionTables = (condition: Condition): string[] => [...condition.fields.values()].flatMap(tablesOf);
const isUniqueColumn = (expr: Expr): boolean => expr.kind === "column" && expr.unique === true;

const PARTS: Partial<Record<string, true>> = { sum: true, count: true, min: true, max: true, avg: true };

/**
 * Facts joined to things they point at, grouped by what is written on those things: fold the facts by the key first,
 * then join the few rows that remain, then fold again. Done only where each step keeps the result the same: equality on
 * one unique key, aggregates that can be put together from parts, filters that speak of the facts alone.
 */
function foldBeforeJoin(query: Query): Query | null {
  const facts = query.from.alias;
  const own = (expr: Expr): boolean => tablesOf(expr).every((table) => table === facts);
  const foreign = (expr: Expr): boolean => !tablesOf(expr).includes(facts);
  const groups = query.columns.filter((column) => !isAggregate(column.expr));
  const joinsFit = query.joins.every(
    (join) =>
      (join.type === "INNER" || join.type === "LEFT") &&
      join.on.length === 1 &&
      join.on.every(([left, right]) => own(left) && isUniqueColumn(right)),
  );
  const columnsFit = query.columns.every(({ expr }) => {
    if (hasFormula(expr)) return false;
    if (!isAggregate(expr)) return own(expr) || foreign(expr);
    return expr.kind === "aggregate" && PARTS[expr.fn] === true && (expr.of === null || own(expr.of));
  });
  const filtersFit = query.where.every((condition) => [...condition.fields.values()].every(own));
  if (!query.grouped || query.joins.length === 0 || !joinsFit || !columnsFit || !filtersFit) return null;
  if (query.having.length > 0 || !groups.some((column) => foreign(column.expr))) return null;

  const inner: OutputColumn[] = [];
  /** Adds a column to the folded facts and answers how to read it outside. */
  const keep = (expr: Expr): Expr => {
    const same = inner.find((column) => JSON.stringify(column.expr) === JSON.stringify(expr));
    const name = same?.name ?? `f${inner.length + 1}`;
    if (!same) inner.push({ name, displayName: name, dataType: expr.dataType, expr });
    return { kind: "column", table: facts, name, dataType: expr.dataType };
  };
  const joins = query.joins.map((join) => ({
    ...join,
    on: join.on.map(([left, right]): [Expr, Expr] => [keep(left), right]),
  }));
  const columns = query.columns.map((column) => ({
    ...column,
    expr: isAggregate(column.expr) ? fromParts(column.expr, keep) : own(column.expr) ? keep(column.expr) : column.expr,
  }));
  const folded: Query = { ...query, joins: [], columns: inner, having: [], orderBy: [], limit: null };
  return { ...query, from: { alias: facts, query: folded }, joins, where: [], columns };
}

function fromParts(expr: Expr, keep: (expr: Expr) => Expr): Expr {
  if (expr.kind !== "aggregate") throw new Error("only plain aggregates are put together from parts");
  const again = (fn: "sum" | "min" | "max", part: Expr): Expr => ({
    kind: "aggregate",
    fn,
    of: keep(part),
    dataType: part.dataType,
  });
  switch (expr.fn) {
    case "avg":
      return {
        kind: "mean",
        sum: again("sum", { ...expr, fn: "sum", dataType: expr.of!.dataType }),
        count: again("sum", { ...expr, fn: "count", dataType: "integer" }),
        dataType: "double",
      };
    case "min":
    case "max":
      return again(expr.fn, expr);
    default:
      return again("sum", expr);
  }
}
