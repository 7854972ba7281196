/** The query of a dataset that is written in SQL: its tables looked up, its variables given values, its columns as stored. */
import type { Value } from "@accord/contracts/data/values";
import type { DatasetConfig } from "@accord/contracts/insights/dataset-config";
import type { Variable } from "@accord/contracts/insights/variables";
import { DatasetError, type DatasetProblem } from "../problems.ts";
import type { Expr, OutputColumn, Query, SqlStatement } from "../query.ts";
import { type ResolveContext, type ResolvedSource, type ResolveNested, resolveSources } from "../sources.ts";
import { POSTGRES_TYPES } from "../postgres-types.ts";
import { loadOf } from "./load.ts";

/** What the rows of a written statement are called in the query around it. */
const ALIAS = "statement";

/** `values`: those of the variables. Throws `DatasetError` with every problem found. */
export function resolveSql(config: DatasetConfig, written: WrittenContext): Query {
  const sources = sourcesOf(config, written);
  const statement = sqlStatement(config, written, sources);
  if (statement.columns.length === 0) throw new DatasetError([{ path: "sql", code: "sql_columns_missing", facts: {} }]);
  return {
    from: { alias: ALIAS, statement },
    joins: [],
    where: [],
    columns: outputColumns(config, sources),
    grouped: false,
    having: [],
    orderBy: [],
    limit: null,
  };
}

/** The statement alone, whose columns need not be known yet. Throws `DatasetError`. */
export const resolveStatement = (config: DatasetConfig, written: WrittenContext): SqlStatement =>
  sqlStatement(config, written, sourcesOf(config, written));

/** What a written statement is resolved with. */
export interface WrittenContext {
  context: ResolveContext;
  values: ReadonlyMap<string, Value>;
  nested: ResolveNested;
}

function sourcesOf(config: DatasetConfig, { context, nested }: WrittenContext): Map<string, ResolvedSource> {
  const problems: DatasetProblem[] = [];
  const sources = resolveSources(config, context, nested, problems);
  if (problems.length > 0) throw new DatasetError(problems);
  return sources;
}

function sqlStatement(
  { sql, sqlColumns = [], variables }: DatasetConfig,
  { context: { catalogue }, values }: WrittenContext,
  sources: ReadonlyMap<string, ResolvedSource>,
): SqlStatement {
  const fail = (code: "sql_unavailable" | "sql_missing", path: string): never => {
    throw new DatasetError([{ path, code, facts: {} }]);
  };
  if (!catalogue.checkSql) return fail("sql_unavailable", "configMode");
  if (sql === undefined || sql.trim() === "") return fail("sql_missing", "sql");
  const byName = new Map([...sources].map(([alias, source]) => [alias.toLowerCase(), source]));
  const checked = catalogue.checkSql(sql, {
    tables: [...sources.keys()],
    loads: new Map([...byName].map(([name, { table }]) => [name, loadOf(table)])),
    variables: variables.map(({ apiName, multiValueField }) => ({ apiName, isList: multiValueField })),
  });
  return {
    parts: checked.parts.map((part) => (typeof part === "string" ? part : { ...part, ...bound(part.variable) })),
    tables: checked.tables.flatMap((name) => {
      const source = byName.get(name);
      return source ? [{ name, table: source.table, columns: [...source.fields.keys()] }] : [];
    }),
    columns: sqlColumns.map(({ name, dataType, isMultiValueField }) => ({
      name,
      dataType,
      multi: isMultiValueField ?? false,
    })),
    load: checked.load,
  };

  function bound(name: string): { value: Value; type: string } {
    const variable = variables.find(({ apiName }) => apiName === name);
    const value = values.get(name) ?? null;
    return { value: Array.isArray(value) && value.length === 0 ? null : value, type: typeOfVariable(variable) };
  }
}

/** The PostgreSQL type of a variable's values. */
export const typeOfVariable = (variable: Pick<Variable, "datatype" | "multiValueField"> | undefined): string =>
  variable ? `${POSTGRES_TYPES[variable.datatype]}${variable.multiValueField ? "[]" : ""}` : "text";

function outputColumns({ sqlColumns = [] }: DatasetConfig, sources: ReadonlyMap<string, ResolvedSource>) {
  return sqlColumns.map(({ name, displayName, dataType, isMultiValueField, field }): OutputColumn => {
    const expr: Expr = { kind: "column", table: ALIAS, name, dataType, ...(isMultiValueField ? { multi: true } : {}) };
    const labels = field && sources.get(field.datasourceAlias)?.fields.get(field.apiName)?.labels;
    return { name, displayName, dataType, expr, ...(labels ? { labels } : {}) };
  });
}
