/** The fields that the names of a statement stand for. */
import type { Catalogue } from "@accord/analytics-engine";
import { DatasetError, resolveDataset } from "@accord/analytics-engine";
import type { DataType } from "@accord/contracts/data/values";
import type { DatasetJoin, DatasetSource } from "@accord/contracts/insights/dataset-config";
import { bodyOf, foldName, namesIn, nodesOf } from "../../sql-gate/index.ts";

export interface FieldOfSql {
  apiName: string;
  displayName: string;
  dataType: DataType;
}

export interface SourceOfSql {
  /** Under the name that the statement gives it. */
  source: DatasetSource;
  fields: readonly FieldOfSql[];
}

export interface FromSql {
  sources: SourceOfSql[];
  joins: DatasetJoin[];
}

/** None for a dataset that can't run. */
export function fieldsOfSource({ datasetId, datasetType }: DatasetSource, catalogue: Catalogue): FieldOfSql[] {
  if (datasetType === "ENTITY") return [...(catalogue.entity(datasetId)?.fields ?? [])];
  const dataset = catalogue.dataset(datasetId);
  try {
    const columns = dataset ? resolveDataset(dataset.config, catalogue, { datasetId }).columns : [];
    return columns.map(({ name: apiName, displayName, dataType }) => ({ apiName, displayName, dataType }));
  } catch (error) {
    if (error instanceof DatasetError) return [];
    throw error;
  }
}

/** `table.column`, or `column` when one table alone has it; undefined for anything else. */
export function columnOf(
  node: unknown,
  { sources }: FromSql,
): { source: DatasetSource; field: FieldOfSql } | undefined {
  const path = bodyOf(node, "ColumnRef")?.["fields"];
  if (nodesOf(path).some((one) => bodyOf(one, "A_Star"))) return undefined;
  const names = namesIn(path);
  const [name, table] = [names.at(-1), names.length === 2 ? names[0] : undefined];
  const found = sources.flatMap(({ source, fields }) => {
    if (table !== undefined && foldName(source.datasourceAlias) !== table) return [];
    const field = fields.find(({ apiName }) => foldName(apiName) === name);
    return field ? [{ source, field }] : [];
  });
  return found.length === 1 ? found[0] : undefined;
}
