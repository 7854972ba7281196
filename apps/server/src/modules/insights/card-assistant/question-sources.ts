/** What a person may ask about: the datasets of the instance, and the entities that they may build a new one on. */
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type Catalogue,
  type CatalogueEntity,
  DatasetError,
  describeColumns,
  resolveDataset,
} from "@accord/analytics-engine";
import type { QuestionSource } from "@accord/cards/questions";
import { Alias, DatasetConfig, DATASET_LIMITS, type DatasetColumn } from "@accord/contracts/insights/dataset-config";
import type { Ctx } from "../../../platform/ctx.ts";
import type { DatasetsService } from "../datasets/index.ts";

/** Sources that one question is read for. */
const MAX_SOURCES = 200;
const SYSTEM_COLUMNS = new Set(["accord_created_at", "accord_updated_at"]);

export interface AskableSources {
  catalogue: Catalogue;
  sources: QuestionSource[];
}

/** @param only a single dataset, or the source of what a question changes */
export async function askableSources(
  ctx: Ctx,
  datasets: DatasetsService,
  only: QuestionSource["source"] | undefined,
): Promise<AskableSources> {
  const [catalogue, listed] = await Promise.all([
    datasets.catalogue(ctx.instanceId),
    datasets.list(ctx, async () => new Map()),
  ]);
  const isAsked = (type: "DATASET" | "ENTITY", id: string): boolean => !only || (only.type === type && only.id === id);
  const sources: QuestionSource[] = [];
  for (const { id } of listed.datasets) {
    if (!isAsked("DATASET", id) || sources.length >= MAX_SOURCES) continue;
    const source = datasetSource(id, catalogue);
    if (source) sources.push(source);
    // Each may read statements in SQL: everybody else is answered in between.
    await nextTurn();
  }
  const entities = ctx.can("CREATE_DATASET") ? listed.entities : [];
  for (const { id } of entities) {
    const entity = isAsked("ENTITY", id) && sources.length < MAX_SOURCES ? catalogue.entity(id) : undefined;
    if (entity) sources.push(entitySource(entity));
  }
  return { catalogue, sources };
}

function datasetSource(id: string, catalogue: Catalogue): QuestionSource | null {
  const dataset = catalogue.dataset(id);
  const columns = dataset && columnsOf(dataset.config, catalogue, id);
  if (!dataset || !columns) return null;
  const entities = dataset.config.group
    ? []
    : dataset.config.sources.flatMap(({ datasetId, datasetType }) => {
        const entity = datasetType === "ENTITY" ? catalogue.entity(datasetId) : undefined;
        return entity ? [entity.displayName, entity.apiName] : [];
      });
  return { source: { type: "DATASET", id }, displayName: dataset.displayName, otherNames: entities, columns };
}

/** Null for one that can't run now, or not without a value that whoever looks chooses. */
export function columnsOf(config: DatasetConfig, catalogue: Catalogue, datasetId?: string): DatasetColumn[] | null {
  try {
    return describeColumns(resolveDataset(config, catalogue, datasetId ? { datasetId } : {}));
  } catch (error) {
    if (error instanceof DatasetError) return null;
    throw error;
  }
}

function entitySource(entity: CatalogueEntity): QuestionSource {
  const columns = fieldsOf(entity).map(({ apiName, displayName, dataType, labels }) => ({
    ...{ name: apiName, displayName, dataType },
    ...(labels ? { labels: { ...labels } } : {}),
  }));
  const { id, displayName, apiName } = entity;
  return { source: { type: "ENTITY", id }, displayName, otherNames: [apiName], columns };
}

const fieldsOf = ({ fields }: CatalogueEntity) =>
  fields
    .filter(
      ({ apiName, isMultiValueField }) =>
        !isMultiValueField &&
        Alias.safeParse(apiName).success &&
        (!apiName.startsWith("accord_") || SYSTEM_COLUMNS.has(apiName)),
    )
    .slice(0, DATASET_LIMITS.fields);

/** The dataset that is made for a question about an entity: its fields as they are. */
export function datasetOfEntity(entity: CatalogueEntity): DatasetConfig {
  const datasourceAlias = Alias.safeParse(entity.apiName).data ?? "source";
  return DatasetConfig.parse({
    sources: [{ datasetId: entity.id, datasetType: "ENTITY", datasourceAlias }],
    selectedFields: fieldsOf(entity).map(({ apiName, displayName, dataType }) => ({
      ...{
        alias: apiName,
        displayName: displayName.trim().slice(0, 120) || apiName,
        apiName,
        dataType,
        datasourceAlias,
      },
    })),
  });
}
