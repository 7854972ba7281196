/**
 * How large the expressions of a statement may become when the database merges its nested queries: a column that is
 * computed from a column twice, over and over, doubles with each step, and planning it would take all memory.
 */

import { foldName } from "./text-places.ts";
import { bodyOf, isNode, nodesOf } from "./tree.ts";

/** `select`: the body of a SelectStmt; `tables`: how heavy the tables are that it reads, by their names in lower case. */
export const weightOf = (select: unknown, tables: ReadonlyMap<string, number>): number => weigh(select, tables);

function weigh(select: unknown, known: ReadonlyMap<string, number>): number {
  if (!isNode(select)) return 1;
  const names = new Map(known);
  const clause = isNode(select["withClause"]) ? select["withClause"] : {};
  for (const one of nodesOf(clause["ctes"])) {
    const query = bodyOf(one, "CommonTableExpr");
    if (query) names.set(foldName(String(query["ctename"])), weigh(selectOf(query["ctequery"]), names));
  }
  if (select["larg"]) return Math.max(weigh(select["larg"], names), weigh(select["rarg"], names));
  const found = { references: 0, below: 1 };
  for (const [field, value] of Object.entries(select)) {
    if (field === "withClause") continue;
    for (const one of Array.isArray(value) ? value : [value]) {
      const part = { references: 0, below: 1 };
      look(one, names, part);
      found.references = Math.max(found.references, part.references);
      found.below = Math.max(found.below, part.below);
    }
  }
  return Math.max(1, found.references) * found.below;
}

const selectOf = (node: unknown): unknown => bodyOf(node, "SelectStmt");

/** Counts columns that are read, and finds the heaviest query below. */
function look(value: unknown, names: ReadonlyMap<string, number>, found: { references: number; below: number }): void {
  if (Array.isArray(value)) for (const one of value) look(one, names, found);
  if (!isNode(value)) return;
  for (const [type, body] of Object.entries(value)) {
    if (type === "ColumnRef") found.references += 1;
    // It may read the columns around it as often as it reads columns at all.
    else if (type === "SubLink" && isNode(body)) {
      found.references += weigh(selectOf(body["subselect"]), names);
      look(body["testexpr"], names, found);
    } else if (type === "SelectStmt") found.below = Math.max(found.below, weigh(body, names));
    else if (type === "RangeVar" && isNode(body))
      found.below = Math.max(found.below, names.get(foldName(String(body["relname"]))) ?? 1);
    else look(body, names, found);
  }
}
