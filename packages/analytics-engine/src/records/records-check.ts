/** Asks the records themselves whether a filter selects what is behind a mark: groups and filters compare differently. */
import { fixedSql, joinSql, predicateSql, sql, type SqlFragment } from "@accord/expressions";
import type { Predicate } from "@accord/contracts/data/predicate";
import { type PrintOptions, printStatement, type Statement } from "../print.ts";
import { anySql, groupSql } from "../filters/group-sql.ts";
import { type GroupFilter, groupPredicates, type MarkFilter } from "./mark-filter.ts";
import type { FieldOrigin } from "./origins.ts";

const ALIAS = "records";

/** One row: `count` records behind the mark, and how many of the dataset's `wrong` and `wrongExact` filters differ on. */
export function recordsCheck(filter: MarkFilter, options: PrintOptions): Statement {
  const { groups, filters, counted, rows, relation } = filter;
  const fields = fieldsOf(filter);
  const filterSql = (predicates: readonly Predicate[]): SqlFragment =>
    allSql(predicates.map((predicate) => conditionSql(predicate, fields, options)));
  const behind = allSql([
    ...groups.map((group) => groupOf(group, options)),
    ...filters.map((marks) => filterOf(marks, options)),
    ...(counted ? [sql`${columnSql(counted.field, options)} IS NOT NULL`] : []),
  ]);
  const rest = counted ? [counted.predicate] : [];
  const plain = filterSql([...groupPredicates(filter, "predicate"), ...rest]);
  const exact = filterSql([...groupPredicates(filter, "exact"), ...rest]);
  return printStatement(
    () => sql`SELECT
  count(*) FILTER (WHERE ${behind}) AS "count",
  count(*) FILTER (WHERE ${behind} <> ${plain}) AS "wrong",
  count(*) FILTER (WHERE ${behind} <> ${exact}) AS "wrongExact"
FROM ${options.dialect.relation(relation)} AS ${options.dialect.name(ALIAS)}
WHERE ${allSql(rows.map((row) => conditionSql(row, fields, options)))}`,
    ["count", "wrong", "wrongExact"].map((name) => ({ name, type: "plain" })),
  );
}

/** True or false, never null. */
const allSql = (parts: readonly SqlFragment[]): SqlFragment =>
  parts.length === 0
    ? fixedSql("TRUE")
    : sql`(${joinSql(
        parts.map((part) => sql`(${part})`),
        " AND ",
      )} IS TRUE)`;

type Fields = ReadonlyMap<string, FieldOrigin>;

function fieldsOf({ groups, filters, counted, fields }: MarkFilter): Fields {
  const grouped = [...groups, ...filters.flat(2)].map(({ origin }) => (origin.kind === "bucket" ? origin.of : origin));
  return new Map([...fields, ...grouped, ...(counted ? [counted.field] : [])].map((field) => [field.name, field]));
}

const columnSql = (field: FieldOrigin, { dialect }: PrintOptions): SqlFragment => dialect.column(ALIAS, field.name);

const conditionSql = (predicate: Predicate, fields: Fields, options: PrintOptions): SqlFragment =>
  predicateSql(predicate, {
    column: (name) => {
      const field = fields.get(name);
      if (!field) return undefined;
      return {
        sql: columnSql(field, options),
        dataType: field.dataType,
        isMultiValueField: field.isMultiValueField,
      };
    },
    timeZone: options.timeZone,
    now: options.now,
  });

/** Whether a record is of the group, as the statement of the card groups: letter by letter, blank with blank alone. */
function groupOf({ origin, group }: GroupFilter, options: PrintOptions): SqlFragment {
  const isBucket = origin.kind === "bucket";
  const field = isBucket ? origin.of : origin;
  const column = columnSql(field, options);
  const value = isBucket
    ? options.dialect.bucket(origin.grain, column, { dataType: field.dataType, timeZone: options.timeZone })
    : column;
  return groupSql(value, isBucket ? "date" : field.dataType, group);
}

/** Whether a record is of one of the marks that the dashboard is filtered by. */
const filterOf = (marks: readonly (readonly GroupFilter[])[], options: PrintOptions): SqlFragment =>
  anySql(marks.map((groups) => allSql(groups.map((group) => groupOf(group, options)))));
