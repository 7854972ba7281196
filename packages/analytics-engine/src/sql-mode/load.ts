/**
 * How much work a query makes for the database's planner, with all the datasets below it: a dataset that is light alone
 * multiplies what it reads. Bounded where a statement takes part that a person wrote; what the basic mode makes is bounded
 * by its length.
 */
import type { SqlFragment } from "@accord/expressions";
import type { Load } from "../catalogue.ts";
import { postgres } from "../dialect.ts";
import { conditionSql, exprSql } from "../print.ts";
import type { Query, Table } from "../query.ts";

export function loadOf(table: Table): Load {
  if ("relation" in table) return { columns: 1, places: 1 };
  return "statement" in table ? table.statement.load : loadOfQuery(table.query);
}

export function loadOfQuery(query: Query): Load {
  const below = tablesIn(query).map(loadOf);
  const parts = [
    ...query.columns.map(({ expr }) => exprSql(expr, PRINTING)),
    ...[...query.where, ...query.having].map((condition) => conditionSql(condition, PRINTING)),
  ];
  const most = Math.max(1, ...parts.map(columnsIn)) * Math.max(1, ...below.map(({ columns }) => columns));
  return { columns: most, places: below.reduce((sum, { places }) => sum + places, 0) };
}

export const readsWritten = (query: Query): boolean =>
  tablesIn(query).some((table) => "statement" in table || ("query" in table && readsWritten(table.query)));

const tablesIn = ({ from, joins }: Query): Table[] => [from, ...joins.map(({ table }) => table)];

/** Only how often columns are named matters, not when. */
const PRINTING = { dialect: postgres, timeZone: "UTC", now: 0 };

/** Columns are named with their table, both in quotes; texts are parameters. */
const columnsIn = ({ strings }: SqlFragment): number => strings.join("").split('"."').length - 1;
