/**
 * Rewrites a query into an equal one that joins less. The order of joining and grouping is left to the database, which
 * knows the sizes and can share the work among processes.
 */
import { type Condition, type Expr, type Query, tablesOf } from "./query.ts";

/**
 * The query to run. Its rows equal those of the query given: a left join on a key that is unique over there, of which
 * nothing is read, changes nothing.
 */
export function planQuery(query: Query): Query {
  const kept = [...query.joins];
  for (let at = kept.length - 1; at >= 0; at--) {
    const join = kept[at]!;
    const alias = join.table.alias;
    const rest = kept.filter((_, other) => other !== at);
    const isRead = [
      ...query.columns.flatMap((column) => tablesOf(column.expr)),
      ...[...query.where, ...query.having].flatMap(conditionTables),
      ...(query.among ?? []).flatMap(({ marks }) => marks.flat().flatMap(({ expr }) => tablesOf(expr))),
      ...rest.flatMap((other) => other.on.flat().flatMap(tablesOf)),
    ].includes(alias);
    if (join.type === "LEFT" && !isRead && join.on.some(([, right]) => isUniqueColumn(right))) kept.splice(at, 1);
  }
  return kept.length === query.joins.length ? query : { ...query, joins: kept };
}

const conditionTables = (condition: Condition): string[] => [...condition.fields.values()].flatMap(tablesOf);
const isUniqueColumn = (expr: Expr): boolean => expr.kind === "column" && expr.unique === true;
