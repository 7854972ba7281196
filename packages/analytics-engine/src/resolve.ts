/** From a dataset's configuration to a query: every name looked up, every rule checked, all problems at once. */
import { type DatasetConfig, DATASET_LIMITS } from "@accord/contracts/insights/dataset-config";
import type { Variable, VariableValues } from "@accord/contracts/insights/variables";
import type { Catalogue } from "./catalogue.ts";
import { fold, outputColumns } from "./output-columns.ts";
import { resolveJoins } from "./joins.ts";
import { LOAD_LIMITS } from "./limits.ts";
import { DatasetError, type DatasetProblem } from "./problems.ts";
import type { OutputColumn, Query, SqlStatement } from "./query.ts";
import { type Lookup, Scope } from "./scope.ts";
import { type ResolveContext, type ResolvedSource, resolveSources } from "./sources.ts";
import { loadOf, loadOfQuery, readsWritten } from "./sql-mode/load.ts";
import { resolveSql, resolveStatement } from "./sql-mode/resolve-sql.ts";
import { layerValues, readVariables, tokenName } from "./variables.ts";

export interface ResolveOptions {
  /** Chosen values of variables, the strongest layer already on top. */
  values?: VariableValues;
  timeZone?: string;
  /** The dataset's own id when it is saved, so that it cannot be built on itself. */
  datasetId?: string;
}

/** The query of a dataset. Throws `DatasetError` with every problem found. */
export const resolveDataset = (config: DatasetConfig, catalogue: Catalogue, options: ResolveOptions = {}): Query =>
  resolve(config, outermost(catalogue, options)).query;

/** The statement of a dataset written in SQL, whose columns need not be known yet. Throws `DatasetError`. */
export function resolveWritten(
  config: DatasetConfig,
  catalogue: Catalogue,
  options: ResolveOptions = {},
): SqlStatement {
  const context = outermost(catalogue, options);
  const layered = layerValues(context.values, config.variablesMap);
  const { values, problems } = readVariables(config.variables, layered, context.timeZone);
  if (problems.length > 0) throw new DatasetError(problems);
  return resolveStatement(config, { context: { ...context, values: layered }, values, nested: resolve });
}

const outermost = (catalogue: Catalogue, options: ResolveOptions): ResolveContext => ({
  catalogue,
  values: options.values ?? {},
  timeZone: options.timeZone ?? "UTC",
  trail: options.datasetId === undefined ? [] : [options.datasetId],
  tables: { count: 0, written: 0, words: 0 },
});

/** Every problem of a configuration; empty when it can run. */
export function checkDataset(
  config: DatasetConfig,
  catalogue: Catalogue,
  options: ResolveOptions = {},
): DatasetProblem[] {
  try {
    resolveDataset(config, catalogue, options);
    return [];
  } catch (error) {
    if (error instanceof DatasetError) return [...error.problems];
    throw error;
  }
}

/** The dataset's own variables and those of the datasets below it; the outer one wins a shared name. */
export const variablesOf = (config: DatasetConfig, catalogue: Catalogue): Variable[] =>
  collectVariables(config, catalogue, 0, new Map());

/** `collected` keeps what was found below a dataset: datasets that share their sources have very many ways down. */
function collectVariables(
  config: DatasetConfig,
  catalogue: Catalogue,
  depth: number,
  collected: Map<string, Variable[]>,
): Variable[] {
  const all = new Map<string, Variable>();
  for (const source of depth < DATASET_LIMITS.depth ? config.sources : []) {
    const below = source.datasetType === "DATASET" ? catalogue.dataset(source.datasetId) : undefined;
    if (!below) continue;
    const key = `${depth} ${below.id}`;
    const variables = collected.get(key) ?? collectVariables(below.config, catalogue, depth + 1, collected);
    collected.set(key, variables);
    for (const variable of variables) all.set(variable.apiName, variable);
  }
  for (const variable of config.variables) all.set(variable.apiName, variable);
  return [...all.values()];
}

function resolve(config: DatasetConfig, outer: ResolveContext): { query: Query } {
  const problems: DatasetProblem[] = [];
  const isSql = config.configMode === "SQL";
  if (!isSql && config.sources.length === 0)
    throw new DatasetError([{ path: "sources", code: "sources_missing", facts: {} }]);
  const context = { ...outer, values: layerValues(outer.values, config.variablesMap) };
  const variables = readVariables(config.variables, context.values, context.timeZone);
  problems.push(...variables.problems);
  const set = Object.fromEntries([...variables.values].filter(([, value]) => value !== null));
  const below = { ...context, values: layerValues(context.values, set) };
  if (isSql) {
    if (problems.length > 0) throw new DatasetError(problems);
    return { query: resolveSql(config, { context: below, values: variables.values, nested: resolve }) };
  }
  const sources = resolveSources(config, below, resolve, problems);
  const joins = resolveJoins(config, sources, problems);
  if (problems.length > 0) throw new DatasetError(problems);

  const scope = new Scope(sources, variables.values, context.timeZone, problems);
  const columns = outputColumns(config, scope);
  if (columns.length === 0 && problems.length === 0)
    problems.push({ path: "selectedFields", code: "fields_missing", facts: {} });
  const folded = config.group ? fold(config, columns, scope) : columns;
  const first = sources.get(config.sources[0]!.datasourceAlias)!;
  const query: Query = {
    from: first.inlined?.from ?? first.table,
    joins: [...(first.inlined?.joins ?? []), ...joins],
    where: [...(first.inlined?.where ?? []), ...scope.conditions("filter", config.filter, scope.field)],
    columns: folded,
    grouped: config.group,
    having: scope.conditions("having", config.having, outputFields(folded)),
    orderBy: config.sort.flatMap((sort, index) => {
      const column = folded.findIndex((one) => one.name === sort.field);
      if (column >= 0) return [{ column, ascending: sort.ascending }];
      problems.push({ path: `sort.${index}`, code: "sort_field_unknown", facts: { name: sort.field } });
      return [];
    }),
    limit: limitOf(config, scope),
  };
  problems.push(...loadProblems(query, sources));
  if (problems.length > 0) throw new DatasetError(problems);
  return { query };
}

/** Of a dataset that is built on one in SQL, at whatever distance. */
function loadProblems(query: Query, sources: ReadonlyMap<string, ResolvedSource>): DatasetProblem[] {
  if (!readsWritten(query)) return [];
  const { columns, places } = loadOfQuery(query);
  const over = columns > LOAD_LIMITS.columns ? "columns" : places > LOAD_LIMITS.places ? "places" : null;
  if (!over) return [];
  const heaviest = [...sources.values()].toSorted(
    (one, other) => loadOf(other.table)[over] - loadOf(one.table)[over],
  )[0];
  const facts = { name: heaviest?.alias ?? "", limit: String(LOAD_LIMITS[over]) };
  return [{ path: "sources", code: over === "columns" ? "written_too_heavy" : "written_too_wide", facts }];
}

function outputFields(columns: readonly OutputColumn[]): Lookup {
  return (name) => {
    const column = columns.find((one) => one.name === name);
    return (
      column && { name, displayName: column.displayName, dataType: column.dataType, multi: false, expr: column.expr }
    );
  };
}

function limitOf(config: DatasetConfig, scope: Scope): number | null {
  if (config.limit === undefined || typeof config.limit === "number") return config.limit ?? null;
  const name = tokenName(config.limit)!;
  const value = scope.variables.get(name);
  if (!scope.variables.has(name)) scope.problems.push({ path: "limit", code: "variable_unknown", facts: { name } });
  else if (value === null) return null;
  else if (typeof value === "number" && Number.isInteger(value) && value >= 1)
    return Math.min(value, DATASET_LIMITS.maxRows);
  else scope.problems.push({ path: "limit", code: "limit_invalid", facts: { name } });
  return null;
}
