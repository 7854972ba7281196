/** A card's own filter: conditions on the columns that its dataset gives. */
import type { Predicate } from "@accord/contracts/data/predicate";
import { DatasetError, type DatasetProblem } from "../problems.ts";
import type { Query } from "../query.ts";
import { Scope } from "../scope.ts";
import { openedUp } from "./cross-filter.ts";

/** The dataset with only the rows that the card is about. Throws `DatasetError` with every problem of the filter. */
export function withCardFilter(dataset: Query, filter: Predicate | undefined, timeZone: string): Query {
  if (!filter || (filter.type === "group" && filter.children.length === 0)) return dataset;
  const open = openedUp(dataset);
  const problems: DatasetProblem[] = [];
  const scope = new Scope(new Map(), new Map(), timeZone, problems);
  const conditions = scope.conditions("filter", filter, (name) => {
    const column = open.columns.find((one) => one.name === name);
    if (!column) return undefined;
    const { displayName, dataType, expr } = column;
    return { name, displayName, dataType, multi: expr.kind === "column" && (expr.multi ?? false), expr };
  });
  if (problems.length > 0) throw new DatasetError(problems);
  return { ...open, where: [...open.where, ...conditions] };
}
