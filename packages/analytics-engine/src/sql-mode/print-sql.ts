/** Prints a statement that a person wrote inside the query around it: its tables before it, its columns in their types. */
import { column, fixedSql, identifier, joinSql, SharedParameter, sql, type SqlFragment } from "@accord/expressions";
import type { SqlStatement, SqlValue, Table } from "../query.ts";
import { POSTGRES_TYPES } from "../postgres-types.ts";

/** Stands before each written text, so that a place that PostgreSQL names can be found in it again. */
export const WRITTEN = "/* written */";

/** Lines of a written text end so until the statement is complete: laying it out must not reach into its literals. */
const LINE_END = "\0";
export const restoreLines = (text: string): string => text.replaceAll(LINE_END, "\n");
const protectLines = (text: string): string => text.replaceAll("\n", LINE_END);

/**
 * `WITH "deal" AS (…) SELECT … FROM (the text)`: each table that the text names stands before it with the columns it may
 * read, in lower case, in which PostgreSQL reads names without quotes.
 */
export function sqlStatementSql(
  { parts, tables, columns }: SqlStatement,
  printTable: (table: Table) => SqlFragment,
): SqlFragment {
  const outputs = columns.map(
    ({ name, dataType, multi }) =>
      sql`${column("w", name.toLowerCase())}::${fixedSql(multi ? "jsonb" : POSTGRES_TYPES[dataType])} AS ${identifier(name)}`,
  );
  return sql`${withTables(tables, printTable)}SELECT\n  ${joinSql(outputs, ",\n  ")}\nFROM (${writtenSql(parts)}) AS "w"`;
}

/** The tables and the text alone, for asking PostgreSQL which columns it gives. */
export function describedSql(statement: SqlStatement, printTable: (table: Table) => SqlFragment): SqlFragment {
  return sql`${withTables(statement.tables, printTable)}SELECT * FROM (${writtenSql(statement.parts)}) AS "w" LIMIT 0`;
}

function withTables(tables: SqlStatement["tables"], printTable: (table: Table) => SqlFragment): SqlFragment {
  if (tables.length === 0) return fixedSql("");
  const parts = tables.map(({ name, table, columns }) => {
    const read = columns.map((one) => sql`${identifier(one)} AS ${identifier(one.toLowerCase())}`);
    // A dataset that is read twice is worked out once; a table of records is read as its conditions allow.
    const how = fixedSql("relation" in table ? "AS NOT MATERIALIZED" : "AS");
    return sql`${identifier(name)} ${how} (SELECT ${joinSql(read, ", ")} FROM ${printTable(table)})`;
  });
  return sql`WITH ${joinSql(parts, ",\n  ")}\n`;
}

/** A comment at its end must not reach what follows. */
function writtenSql(parts: SqlStatement["parts"]): SqlFragment {
  const values = new Map<string, SharedParameter>();
  const pieces = parts.map((part) =>
    typeof part === "string" ? fixedSql(protectLines(part)) : valueSql(part, values),
  );
  return sql`${fixedSql(`${WRITTEN}${LINE_END}`)}${joinSql(pieces, "")}${fixedSql(LINE_END)}`;
}

function valueSql(part: SqlValue, values: Map<string, SharedParameter>): SqlFragment {
  const shared = values.get(part.variable) ?? new SharedParameter(part.value);
  values.set(part.variable, shared);
  const value = sql`${shared}::${fixedSql(part.type)}`;
  return part.asRows ? sql`SELECT unnest(${value})` : sql`(${value})`;
}
