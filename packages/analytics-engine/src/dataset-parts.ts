/** Columns and variables of datasets: which ones a change removes, and which ones cards and other datasets use. Pure. */
import { fieldsOf } from "@accord/expressions";
import type { CardConfiguration } from "@accord/contracts/insights/cards";
import type { DatasetConfig } from "@accord/contracts/insights/dataset-config";
import { tokensIn } from "./variables.ts";

export interface DatasetPart {
  kind: "column" | "variable";
  name: string;
  displayName: string;
}

/** Names in lower case: a formula finds a column whatever its case. */
export interface PartNames {
  columns: ReadonlySet<string>;
  variables: ReadonlySet<string>;
}

const partsOf = ({
  configMode,
  sqlColumns,
  selectedFields,
  calculatedFields,
  variables,
}: DatasetConfig): DatasetPart[] => [
  ...(configMode === "SQL" ? (sqlColumns ?? []) : []).map(({ name, displayName }) => ({
    kind: "column" as const,
    name,
    displayName,
  })),
  ...selectedFields.map(({ alias, displayName }) => ({ kind: "column" as const, name: alias, displayName })),
  ...calculatedFields.map(({ aliasName, displayName }) => ({ kind: "column" as const, name: aliasName, displayName })),
  ...variables.map(({ apiName, displayName }) => ({ kind: "variable" as const, name: apiName, displayName })),
];

const keyOf = ({ kind, name }: Pick<DatasetPart, "kind" | "name">): string => `${kind} ${name}`;

export function removedParts(before: DatasetConfig, after: DatasetConfig): DatasetPart[] {
  const kept = new Set(partsOf(after).map(keyOf));
  return partsOf(before).filter((part) => !kept.has(keyOf(part)));
}

export const usesPart = ({ columns, variables }: PartNames, { kind, name }: DatasetPart): boolean =>
  (kind === "column" ? columns : variables).has(name.toLowerCase());

const names = (list: readonly string[]): Set<string> => new Set(list.map((one) => one.toLowerCase()));

export function partsOfCard(configuration: CardConfiguration): PartNames {
  const { xaxis, yaxis, series, category, subCategory, value, columns, measure, dataField } = configuration;
  const entries = [xaxis, ...yaxis, ...series, category, subCategory, value, ...columns, measure, dataField];
  return {
    columns: names([
      ...entries.flatMap((entry) => (entry?.column ? [entry.column] : [])),
      ...(configuration.filter ? fieldsOf(configuration.filter) : []),
    ]),
    variables: names([...tokensIn(configuration.vizLabel), ...Object.keys(configuration.variablesMap)]),
  };
}

/** What a dataset uses of another one that it is built on. */
export function partsOfSource(config: DatasetConfig, datasetId: string): PartNames {
  const aliases = new Set(
    config.sources
      .filter((source) => source.datasetType === "DATASET" && source.datasetId === datasetId)
      .map(({ datasourceAlias }) => datasourceAlias),
  );
  const selected = config.selectedFields.filter(({ datasourceAlias }) => aliases.has(datasourceAlias));
  const joined = config.joins
    .flatMap(({ field1, field2 }) => [field1, field2])
    .filter(({ datasourceAlias }) => aliases.has(datasourceAlias));
  const text = JSON.stringify([config.filter ?? null, config.calculatedFields]);
  return {
    columns: names([
      ...(config.configMode === "SQL" && aliases.size > 0 ? wordsOfSql(config) : []),
      ...selected.map(({ apiName }) => apiName),
      ...joined.map(({ apiName }) => apiName),
      ...mentioned(text),
    ]),
    variables: names([...variablesMentioned(JSON.stringify(config)), ...Object.keys(config.variablesMap)]),
  };
}

/** All that a statement could name; a star names everything its dataset gives. */
export function wordsOfSql({ sql = "", sqlColumns = [] }: DatasetConfig): string[] {
  const handedOn = sqlColumns.flatMap(({ field }) => (field ? [field.apiName] : []));
  return [...[...sql.matchAll(/[A-Za-z_][A-Za-z0-9_]*/g)].map(([word]) => word), ...handedOn];
}

/** Tokens, and the variables that conditions compare with. */
const variablesMentioned = (text: string): string[] => [
  ...tokensIn(text),
  ...[...text.matchAll(/"kind":"variable","apiName":"([^"]+)"/g)].map((match) => match[1] ?? ""),
];

/** Names in filters and formulas: `alias.column`, `[column]` or a quoted field. */
const mentioned = (text: string): string[] =>
  [...text.matchAll(/(?:\[|"|\.)([A-Za-z][A-Za-z0-9_]*)(?=\]|\\?")/g)].map((match) => match[1] ?? "");
