/** The sources of a dataset, looked up in the catalogue: what each is called, what it offers and how it is read. */
import type { DataType, Value } from "@accord/contracts/data/values";
import { type DatasetConfig, type DatasetSource, DATASET_LIMITS } from "@accord/contracts/insights/dataset-config";
import type { Catalogue, CatalogueEntity } from "./catalogue.ts";
import { LOAD_LIMITS, MAX_TABLES, wordsIn } from "./limits.ts";
import { DatasetError, type DatasetProblem } from "./problems.ts";
import type { Expr, Query, Table } from "./query.ts";

/** A field of a source and the expression that reads it. */
export interface SourceField {
  name: string;
  displayName: string;
  dataType: DataType;
  multi: boolean;
  expr: Expr;
  labels?: Readonly<Record<string, string>> | undefined;
}

export interface ResolvedSource {
  alias: string;
  datasetId: string;
  /** What the query starts from when this source stands alone and may be opened up. */
  inlined: Pick<Query, "from" | "joins" | "where"> | null;
  table: Table;
  fields: Map<string, SourceField>;
}

export interface ResolveContext {
  catalogue: Catalogue;
  /** Values chosen for variables, by api name; they reach the datasets below too. */
  values: Readonly<Record<string, Value>>;
  timeZone: string;
  /** Datasets being resolved, outermost first: guards against a dataset built on itself. */
  trail: readonly string[];
  /** Tables read so far by the whole statement, and datasets in SQL with their words. */
  tables: { count: number; written: number; words: number };
}

/** Resolves a dataset below this one; handed in to keep the two files from importing each other. */
export type ResolveNested = (config: DatasetConfig, context: ResolveContext) => { query: Query };

export function resolveSources(
  config: DatasetConfig,
  context: ResolveContext,
  nested: ResolveNested,
  problems: DatasetProblem[],
): Map<string, ResolvedSource> {
  const sources = new Map<string, ResolvedSource>();
  config.sources.forEach((source, index) => {
    const path = `sources.${index}`;
    const key = source.datasourceAlias.toLowerCase();
    if ([...sources.keys()].some((alias) => alias.toLowerCase() === key)) {
      problems.push({ path, code: "alias_taken", facts: { name: source.datasourceAlias } });
      return;
    }
    const resolved = resolveSource(source, path, config.sources.length === 1, context, nested, problems);
    if (resolved) sources.set(source.datasourceAlias, resolved);
  });
  return sources;
}

function resolveSource(
  source: DatasetSource,
  path: string,
  alone: boolean,
  context: ResolveContext,
  nested: ResolveNested,
  problems: DatasetProblem[],
): ResolvedSource | null {
  if (source.datasetType === "ENTITY") {
    const entity = context.catalogue.entity(source.datasetId);
    if (entity && ++context.tables.count > MAX_TABLES)
      throw new DatasetError([{ path, code: "sources_too_many", facts: { limit: String(MAX_TABLES) } }]);
    if (entity) return entitySource(source, entity);
    problems.push({ path, code: "source_unknown", facts: { name: source.datasourceAlias } });
    return null;
  }
  const dataset = context.catalogue.dataset(source.datasetId);
  const facts = { name: dataset?.displayName ?? source.datasourceAlias };
  if (!dataset) problems.push({ path, code: "source_unknown", facts });
  else if (context.trail.includes(dataset.id)) problems.push({ path, code: "source_cycle", facts });
  else if (context.trail.length >= DATASET_LIMITS.depth) problems.push({ path, code: "source_too_deep", facts });
  else {
    if (dataset.config.configMode === "SQL") countWritten(dataset.config.sql ?? "", context.tables, { path, facts });
    const { query } = nested(dataset.config, { ...context, trail: [...context.trail, dataset.id] });
    return datasetSource(source, query, alone);
  }
  return null;
}

function entitySource(source: DatasetSource, entity: CatalogueEntity): ResolvedSource {
  const alias = source.datasourceAlias;
  const fields = entity.fields.map((field): [string, SourceField] => [
    field.apiName,
    {
      name: field.apiName,
      displayName: field.displayName,
      dataType: field.dataType,
      multi: field.isMultiValueField ?? false,
      labels: field.labels,
      expr: {
        kind: "column",
        table: alias,
        name: field.apiName,
        dataType: field.dataType,
        ...(field.isMultiValueField ? { multi: true } : {}),
        ...(field.unique ? { unique: true } : {}),
      },
    },
  ]);
  const table = { alias, relation: entity.relation };
  return { alias, datasetId: entity.id, inlined: null, table, fields: new Map(fields) };
}

/** A dataset that only picks and filters is opened up when it stands alone, so that outer steps see its tables. */
function datasetSource(source: DatasetSource, query: Query, alone: boolean): ResolvedSource {
  const alias = source.datasourceAlias;
  const open = alone && !query.grouped && query.limit === null;
  const fields = query.columns.map((column): [string, SourceField] => {
    const multi = column.expr.kind === "column" && (column.expr.multi ?? false);
    const outer: Expr = {
      kind: "column",
      table: alias,
      name: column.name,
      dataType: column.dataType,
      ...(multi ? { multi } : {}),
    };
    return [
      column.name,
      {
        name: column.name,
        displayName: column.displayName,
        dataType: column.dataType,
        multi,
        labels: column.labels,
        expr: open ? column.expr : outer,
      },
    ];
  });
  return {
    alias,
    datasetId: source.datasetId,
    inlined: open ? { from: query.from, joins: query.joins, where: query.where } : null,
    table: { alias, query: query.limit === null ? { ...query, orderBy: [] } : query },
    fields: new Map(fields),
  };
}

/** Throws `DatasetError` before a statement too many is read. */
function countWritten(
  sql: string,
  tables: ResolveContext["tables"],
  at: { path: string; facts: Readonly<Record<string, string>> },
): void {
  tables.written += 1;
  tables.words += wordsIn(sql);
  const refuse = (code: "written_too_many" | "written_too_long", limit: number): never => {
    throw new DatasetError([{ path: at.path, code, facts: { ...at.facts, limit: limit.toLocaleString("en") } }]);
  };
  if (tables.written > LOAD_LIMITS.written) refuse("written_too_many", LOAD_LIMITS.written);
  if (tables.words > LOAD_LIMITS.words) refuse("written_too_long", LOAD_LIMITS.words);
}
