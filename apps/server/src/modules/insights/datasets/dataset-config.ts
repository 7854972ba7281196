/** What a dataset's configuration says by itself: the parts that follow from others, and what it reads. */
import { type Catalogue, joinIdOf, wordsOfSql } from "@accord/analytics-engine";
import { type DatasetConfig, DATASET_LIMITS, SOURCE_SEPARATOR } from "@accord/contracts/insights/dataset-config";

/** The time zone that datasets cut days, weeks and months in. */
export const TIME_ZONE = "UTC";

/** The parts of a configuration that follow from its other parts. */
export function normalised(config: DatasetConfig): DatasetConfig {
  const first = config.sources[0];
  const { sqlColumns, ...rest } = config;
  return {
    ...rest,
    ...(config.configMode === "SQL" && sqlColumns ? { sqlColumns } : {}),
    fromDataset: first ? `${first.datasetId}${SOURCE_SEPARATOR}${first.datasourceAlias}` : "",
    joins: config.joins.map((join) => ({ ...join, joinId: joinIdOf(join) })),
    limit: typeof config.limit === "number" ? Math.min(config.limit, DATASET_LIMITS.maxRows) : config.limit,
  };
}

/** Whether it reads an entity, or one field of it. */
export function usesEntity(config: DatasetConfig, entityId: string, field?: string): boolean {
  const aliases = config.sources
    .filter((source) => source.datasetType === "ENTITY" && source.datasetId === entityId)
    .map(({ datasourceAlias }) => datasourceAlias);
  if (aliases.length === 0 || field === undefined) return aliases.length > 0;
  if (config.configMode === "SQL") return wordsOfSql(config).some((word) => word.toLowerCase() === field.toLowerCase());
  const text = JSON.stringify([config.filter ?? null, config.calculatedFields]);
  return (
    config.selectedFields.some((one) => aliases.includes(one.datasourceAlias) && one.apiName === field) ||
    config.joins.some((join) =>
      [join.field1, join.field2].some((side) => aliases.includes(side.datasourceAlias) && side.apiName === field),
    ) ||
    aliases.some((alias) => text.includes(`${alias}.${field}`)) ||
    text.includes(`"${field}"`)
  );
}

/** Api names of the entities a dataset reads, through the datasets below it too. */
export function entitiesOf(config: DatasetConfig, catalogue: Catalogue): string[] {
  const names = new Set<string>();
  const visited = new Set<string>();
  const visit = ({ sources }: DatasetConfig): void => {
    for (const { datasetId, datasetType } of sources) {
      const entity = datasetType === "ENTITY" ? catalogue.entity(datasetId) : undefined;
      if (entity) names.add(entity.apiName);
      const below = datasetType === "DATASET" ? catalogue.dataset(datasetId) : undefined;
      if (!below || visited.has(datasetId)) continue;
      visited.add(datasetId);
      visit(below.config);
    }
  };
  visit(config);
  return [...names];
}
