/** From a dataset's configuration to a query: every name looked up, every rule checked, all problems at once. */
import {
  checkFormula,
  checkPredicate,
  fieldsOf,
  type FormulaProblem,
  parseFormula,
  typeOfValue,
} from "@accord/expressions";
import { formulas } from "@accord/contracts/messages/en/formulas";
import type { Predicate } from "@accord/contracts/data/predicate";
import type { Value } from "@accord/contracts/data/values";
import {
  type Aggregate,
  type CalculatedField,
  type DatasetConfig,
  DATASET_LIMITS,
  DateGrain,
} from "@accord/contracts/insights/datasets";
import type { Variable, VariableValues } from "@accord/contracts/insights/variables";
import type { Catalogue } from "./catalogue.ts";
import { resolveJoins } from "./joins.ts";
import { DatasetError, type DatasetProblem } from "./problems.ts";
import {
  aggregateType,
  type Condition,
  type Expr,
  isAggregate,
  isDate,
  type OutputColumn,
  type Query,
} from "./query.ts";
import { type ResolveContext, type ResolvedSource, resolveSources, type SourceField } from "./sources.ts";
import { layerValues, readVariables, tokenName } from "./variables.ts";

export interface ResolveOptions {
  /** Chosen values of variables, the strongest layer already on top. */
  values?: VariableValues;
  timeZone?: string;
  /** The dataset's own id when it is saved, so that it cannot be built on itself. */
  datasetId?: string;
}

/** The query of a dataset. Throws `DatasetError` with every problem found. */
export function resolveDataset(config: DatasetConfig, catalogue: Catalogue, options: ResolveOptions = {}): Query {
  return resolve(config, {
    catalogue,
    values: options.values ?? {},
    timeZone: options.timeZone ?? "UTC",
    trail: options.datasetId === undefined ? [] : [options.datasetId],
  }).query;
}

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
export function variablesOf(config: DatasetConfig, catalogue: Catalogue, depth = 0): Variable[] {
  const all = new Map<string, Variable>();
  if (depth < DATASET_LIMITS.depth)
    for (const source of config.sources) {
      const below = source.datasetType === "DATASET" ? catalogue.dataset(source.datasetId) : undefined;
      if (below)
        for (const variable of variablesOf(below.config, catalogue, depth + 1)) all.set(variable.apiName, variable);
    }
  for (const variable of config.variables) all.set(variable.apiName, variable);
  return [...all.values()];
}

function resolve(config: DatasetConfig, outer: ResolveContext): { query: Query } {
  const problems: DatasetProblem[] = [];
  if (config.configMode === "SQL")
    throw new DatasetError([{ path: "configMode", code: "sql_mode_unavailable", facts: {} }]);
  if (config.sources.length === 0) throw new DatasetError([{ path: "sources", code: "sources_missing", facts: {} }]);
  const context = { ...outer, values: layerValues(outer.values, config.variablesMap) };
  const variables = readVariables(config.variables, context.values, context.timeZone);
  problems.push(...variables.problems);
  const set = Object.fromEntries([...variables.values].filter(([, value]) => value !== null));
  const below = { ...context, values: layerValues(context.values, set) };
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
  if (problems.length > 0) throw new DatasetError(problems);
  return { query };
}

type Lookup = (name: string) => SourceField | "ambiguous" | undefined;

/** The names a filter or formula may use, and where problems go. */
class Scope {
  readonly #sources: ReadonlyMap<string, ResolvedSource>;
  readonly variables: ReadonlyMap<string, Value>;
  readonly problems: DatasetProblem[];
  readonly #timeZone: string;

  constructor(
    sources: ReadonlyMap<string, ResolvedSource>,
    variables: ReadonlyMap<string, Value>,
    timeZone: string,
    problems: DatasetProblem[],
  ) {
    this.#sources = sources;
    this.variables = variables;
    this.#timeZone = timeZone;
    this.problems = problems;
  }

  /** `alias.field`, or `field` when only one source has it. */
  readonly field: Lookup = (name) => {
    const dot = name.indexOf(".");
    const qualified = dot > 0 ? this.#sources.get(name.slice(0, dot))?.fields.get(name.slice(dot + 1)) : undefined;
    if (qualified) return qualified;
    const found = [...this.#sources.values()].flatMap((source) => source.fields.get(name) ?? []);
    return found.length > 1 ? "ambiguous" : found[0];
  };

  conditions(path: "filter" | "having", given: Predicate | undefined, lookup: Lookup): Condition[] {
    if (!given || (given.type === "group" && given.children.length === 0)) return [];
    const predicate = listsAsLists(given, this.variables);
    const fields = new Map<string, Expr>();
    for (const name of fieldsOf(predicate)) {
      const field = lookup(name);
      if (field === "ambiguous") this.problems.push({ path, code: "field_ambiguous", facts: { name } });
      else if (!field) this.problems.push({ path, code: "field_unknown", facts: { name } });
      else if (path === "filter" && isAggregate(field.expr))
        this.problems.push({ path, code: "aggregate_in_filter", facts: { name } });
      else fields.set(name, field.expr);
    }
    const code = path === "filter" ? "filter_invalid" : "having_invalid";
    const known = (name: string): SourceField | undefined => {
      const field = lookup(name);
      return field === "ambiguous" ? undefined : field;
    };
    const found = checkPredicate(predicate, {
      field: (name) => {
        const field = known(name);
        return field && { dataType: field.dataType, isMultiValueField: field.multi };
      },
      hasVariable: (apiName) => this.variables.has(apiName),
      timeZone: this.#timeZone,
    });
    for (const problem of found) {
      if (problem.code === "unknown_field") continue;
      const at = [path, ...problem.path.map((step) => `children.${step}`)].join(".");
      if (problem.code === "unknown_variable")
        this.problems.push({ path: at, code: "variable_unknown", facts: { name: problem.facts["variable"] ?? "" } });
      else this.problems.push({ path: at, code, facts: { ...problem.facts, reason: problem.code } });
    }
    // One AND at the top is several conditions: each can then be pushed to where its fields are.
    const parts = predicate.type === "group" && predicate.combinator === "and" ? predicate.children : [predicate];
    return parts.map((part) => ({
      predicate: part,
      fields: new Map(fieldsOf(part).flatMap((name) => (fields.has(name) ? [[name, fields.get(name)!] as const] : []))),
      variables: this.variables,
    }));
  }
}

/** A multi-value variable on the right of an equals means any of its values. */
function listsAsLists(predicate: Predicate, variables: ReadonlyMap<string, Value>): Predicate {
  if (predicate.type === "group")
    return { ...predicate, children: predicate.children.map((child) => listsAsLists(child, variables)) };
  const [only] = predicate.right;
  if (only?.kind !== "variable" || !Array.isArray(variables.get(only.apiName))) return predicate;
  if (predicate.operator === "equals") return { ...predicate, operator: "inList" };
  return predicate.operator === "notEquals" ? { ...predicate, operator: "notInList" } : predicate;
}

/** A column as the sources give it, before grouping, with the aggregate it asks for. */
type Wanted = OutputColumn & { path: string; aggregate?: Aggregate | undefined };

function outputColumns(config: DatasetConfig, scope: Scope): Wanted[] {
  const taken = new Set<string>();
  const columns: Wanted[] = [];
  const add = (column: Wanted): void => {
    if (taken.has(column.name.toLowerCase()))
      scope.problems.push({ path: column.path, code: "alias_taken", facts: { name: column.name } });
    else columns.push(column);
    taken.add(column.name.toLowerCase());
  };
  config.selectedFields.forEach((selected, index) => {
    const path = `selectedFields.${index}`;
    const name = `${selected.datasourceAlias}.${selected.apiName}`;
    const field = scope.field(name);
    if (!field || field === "ambiguous") scope.problems.push({ path, code: "field_unknown", facts: { name } });
    else
      add({
        path,
        name: selected.alias,
        displayName: selected.displayName,
        dataType: field.dataType,
        labels: field.labels,
        expr: field.expr,
        aggregate: selected.aggregate,
      });
  });
  config.calculatedFields.forEach((calculated, index) => {
    const path = `calculatedFields.${index}`;
    const expr = formulaExpr(calculated, config.group, path, scope);
    const { aliasName: name, displayName, aggregate } = calculated;
    if (expr) add({ path, name, displayName, dataType: expr.dataType, expr, aggregate });
  });
  if (!config.group)
    for (const column of columns)
      if (column.aggregate)
        scope.problems.push({
          path: column.path,
          code: "aggregate_without_group",
          facts: { name: column.displayName },
        });
  return columns;
}

/** A calculated field's formula over the sources' fields; null when it has problems. */
function formulaExpr(calculated: CalculatedField, aggregates: boolean, path: string, scope: Scope): Expr | null {
  const refuse = (problems: readonly FormulaProblem[]): null => {
    for (const { code, facts } of problems) {
      const reason = formulas[code].replace(/\{\{(\w+)\}\}/g, (token, name: string) => facts[name] ?? token);
      scope.problems.push({ path, code: "formula_invalid", facts: { name: calculated.displayName, reason } });
    }
    return null;
  };
  const parsed = parseFormula(calculated.formula);
  if (!parsed.ok) return refuse(parsed.problems);
  const fields = new Map<string, Expr>();
  const checked = checkFormula(parsed.formula, {
    field: (name) => {
      const field = scope.field(name);
      if (!field || field === "ambiguous") return undefined;
      fields.set(name, field.expr);
      return { dataType: field.dataType, isMultiValueField: field.multi };
    },
    tokenType: (name) => (scope.variables.has(name) ? typeOfValue(scope.variables.get(name)) : undefined),
    aggregates,
  });
  if (!checked.ok) return refuse(checked.problems);
  return { kind: "formula", formula: checked, fields, variables: scope.variables, dataType: checked.dataType };
}

/** Cuts the grouped columns to their grain and folds all others. */
function fold(config: DatasetConfig, columns: readonly Wanted[], scope: Scope): OutputColumn[] {
  const grains = new Map<string, DateGrain | null>();
  config.groupBy.forEach((group, index) => {
    const path = `groupBy.${index}`;
    const name = fixedOrVariable(group.datasetField, scope);
    const column = columns.find((one) => one.name === name);
    if (!column || isAggregate(column.expr)) {
      scope.problems.push({ path, code: "group_field_unknown", facts: { name: name ?? group.datasetField } });
      return;
    }
    const grain = group.grain === undefined ? null : DateGrain.safeParse(fixedOrVariable(group.grain, scope)).data;
    if (grain === undefined || (grain !== null && !isDate(column.dataType)))
      scope.problems.push({ path, code: "grain_not_date", facts: { name: column.displayName } });
    else grains.set(column.name, grain);
  });
  const variableGroup = config.groupBy.some((group) => tokenName(group.datasetField) !== null);
  return columns.flatMap((column): OutputColumn[] => {
    const { name, displayName, dataType, expr, labels } = column;
    const grain = grains.get(name);
    if (grain)
      return [{ name, displayName, dataType: "date", expr: { kind: "bucket", grain, of: expr, dataType: "date" } }];
    if (grain === null || isAggregate(expr)) return [{ name, displayName, dataType, expr, labels }];
    // A variable chooses one of several columns to group by: those not chosen step aside.
    if (!column.aggregate && variableGroup) return [];
    if (!column.aggregate) {
      if (!config.groupBy.some((group) => group.datasetField === name))
        scope.problems.push({ path: column.path, code: "aggregate_missing", facts: { name: displayName } });
      return [];
    }
    const type = aggregateType(column.aggregate, dataType);
    if (type)
      return [
        {
          name,
          displayName,
          dataType: type,
          expr: { kind: "aggregate", fn: column.aggregate, of: expr, dataType: type },
        },
      ];
    scope.problems.push({
      path: column.path,
      code: "aggregate_not_for_type",
      facts: { name: displayName, aggregate: column.aggregate },
    });
    return [];
  });
}

function fixedOrVariable(text: string, scope: Scope): string | null {
  const name = tokenName(text);
  if (name === null) return text;
  if (!scope.variables.has(name)) scope.problems.push({ path: "variables", code: "variable_unknown", facts: { name } });
  const value = scope.variables.get(name);
  return typeof value === "string" ? value : null;
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
