/** Changes to a dataset's configuration as the editor makes them. Pure. */
import type {
  DatasetConfig,
  DatasetSource,
  DataSourceField,
  GroupBy,
  SelectedField,
} from "@accord/contracts/insights/dataset-config";
import type { JoinSuggestion } from "@accord/contracts/insights/datasets";
import { DatasetConfig as Config, SOURCE_SEPARATOR } from "@accord/contracts/insights/dataset-config";
import type { Value } from "@accord/contracts/data/values";

export const emptyConfig = (): DatasetConfig => Config.parse({});

const cleaned = (text: string): string => text.replaceAll(/[^A-Za-z0-9_]/g, "").replace(/^[^A-Za-z]+/, "") || "data";

function unique(wanted: string, taken: readonly string[]): string {
  const lower = new Set(taken.map((name) => name.toLowerCase()));
  if (!lower.has(wanted.toLowerCase())) return wanted;
  for (let number = 2; ; number++) if (!lower.has(`${wanted}${number}`.toLowerCase())) return `${wanted}${number}`;
}

export function withSource(
  config: DatasetConfig,
  source: Omit<DatasetSource, "datasourceAlias">,
  name: string,
): DatasetConfig {
  const alias = unique(
    cleaned(name).slice(0, 40),
    config.sources.map(({ datasourceAlias }) => datasourceAlias),
  );
  const sources = [...config.sources, { ...source, datasourceAlias: alias }];
  return { ...config, sources, fromDataset: config.fromDataset || `${source.datasetId}${SOURCE_SEPARATOR}${alias}` };
}

/** Without a source goes everything that named it. */
export function withoutSource(config: DatasetConfig, alias: string): DatasetConfig {
  const sources = config.sources.filter(({ datasourceAlias }) => datasourceAlias !== alias);
  const gone = new Set(
    config.selectedFields.filter((field) => field.datasourceAlias === alias).map((field) => field.alias),
  );
  const first = sources[0];
  return {
    ...config,
    sources,
    fromDataset: first ? `${first.datasetId}${SOURCE_SEPARATOR}${first.datasourceAlias}` : "",
    selectedFields: config.selectedFields.filter((field) => field.datasourceAlias !== alias),
    joins: config.joins.filter(
      ({ field1, field2 }) => field1.datasourceAlias !== alias && field2.datasourceAlias !== alias,
    ),
    groupBy: config.groupBy.filter(({ datasetField }) => !gone.has(datasetField)),
    sort: config.sort.filter(({ field }) => !gone.has(field)),
    ...(sources.length === 0 ? { filter: undefined, having: undefined } : {}),
  };
}

export const withJoin = (config: DatasetConfig, suggestion: JoinSuggestion): DatasetConfig => {
  const { joinType, field1, field2 } = suggestion;
  return { ...config, joins: [...config.joins, { joinId: "", joinType, field1, field2 }] };
};

export function isSelected(config: DatasetConfig, field: DataSourceField): boolean {
  return config.selectedFields.some(
    (one) => one.datasourceAlias === field.datasourceAlias && one.apiName === field.apiName,
  );
}

/** Adds or takes away a field; grouped datasets group by what is added. */
export function toggled(config: DatasetConfig, field: DataSourceField): DatasetConfig {
  if (isSelected(config, field)) {
    const removed = config.selectedFields.filter(
      (one) => one.datasourceAlias === field.datasourceAlias && one.apiName === field.apiName,
    );
    return removed.reduce((next, one) => withoutColumn(next, one.alias), config);
  }
  const taken = [
    ...config.selectedFields.map(({ alias }) => alias),
    ...config.calculatedFields.map(({ aliasName }) => aliasName),
  ];
  const alias = unique(cleaned(field.apiName).slice(0, 50), taken);
  const selected: SelectedField = {
    alias,
    displayName: field.displayName || field.apiName,
    apiName: field.apiName,
    dataType: field.dataType,
    datasourceAlias: field.datasourceAlias,
  };
  const groupBy: GroupBy[] = config.group ? [...config.groupBy, { datasetField: alias }] : config.groupBy;
  return { ...config, selectedFields: [...config.selectedFields, selected], groupBy };
}

export const withoutColumn = (config: DatasetConfig, alias: string): DatasetConfig => ({
  ...config,
  selectedFields: config.selectedFields.filter((one) => one.alias !== alias),
  calculatedFields: config.calculatedFields.filter((one) => one.aliasName !== alias),
  groupBy: config.groupBy.filter(({ datasetField }) => datasetField !== alias),
  sort: config.sort.filter(({ field }) => field !== alias),
});

export const withColumn = (config: DatasetConfig, alias: string, change: Partial<SelectedField>): DatasetConfig => ({
  ...config,
  selectedFields: config.selectedFields.map((one) => (one.alias === alias ? { ...one, ...change } : one)),
});

const NUMBERS: ReadonlySet<string> = new Set(["integer", "double", "decimal"]);

/** Grouping on: numbers are summed and all else grouped by; off: nothing is folded. */
export function grouped(config: DatasetConfig, on: boolean): DatasetConfig {
  if (!on)
    return {
      ...config,
      group: false,
      groupBy: [],
      having: undefined,
      selectedFields: config.selectedFields.map(({ aggregate: _, ...field }) => field),
    };
  return {
    ...config,
    group: true,
    groupBy: config.selectedFields
      .filter(({ dataType }) => !NUMBERS.has(dataType))
      .map(({ alias }) => ({ datasetField: alias })),
    selectedFields: config.selectedFields.map((field) =>
      NUMBERS.has(field.dataType) ? { ...field, aggregate: "sum" as const } : field,
    ),
  };
}

/** `group` groups by the column, anything else folds it that way. */
export function folded(
  config: DatasetConfig,
  alias: string,
  how: "group" | NonNullable<SelectedField["aggregate"]>,
): DatasetConfig {
  const groupBy = config.groupBy.filter(({ datasetField }) => datasetField !== alias);
  if (how === "group") {
    const next = withColumn(config, alias, { aggregate: undefined });
    return { ...next, groupBy: [...groupBy, { datasetField: alias }] };
  }
  return { ...withColumn(config, alias, { aggregate: how }), groupBy };
}

export const withGrain = (config: DatasetConfig, alias: string, grain: GroupBy["grain"]): DatasetConfig => ({
  ...config,
  groupBy: config.groupBy.map((one) =>
    one.datasetField === alias ? { datasetField: alias, ...(grain ? { grain } : {}) } : one,
  ),
});

/** What a typed default means: numbers and flags as such. */
export const typedValue = (text: Value, datatype: string): Value => {
  if (typeof text !== "string" || text === "") return text;
  if (datatype === "integer" || datatype === "double") return Number.isNaN(Number(text)) ? text : Number(text);
  return datatype === "boolean" ? text === "true" : text;
};
