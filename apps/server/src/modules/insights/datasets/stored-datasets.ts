/** The datasets of an instance as they are stored, and all that queries can be made of. */
import type { Catalogue, CatalogueDataset } from "@accord/analytics-engine";
import type { Id } from "@accord/contracts";
import type { DatasetSource } from "@accord/contracts/insights/dataset-config";
import type { Dataset } from "@accord/contracts/insights/datasets";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { SchemaService } from "../../data/schema/index.ts";
import { instanceCatalogue } from "../engine/index.ts";
import { readDataset, readDatasets } from "./datasets.store.ts";
import { sqlSourcesOf } from "./sql/sql-sources.ts";

type At = Id<"instance">;
export type StoredDatasets = ReturnType<typeof storedDatasets>;

export function storedDatasets({ appDb }: Pick<Deps, "appDb">, schema: SchemaService) {
  return {
    /** The entities and datasets of an instance, as queries find them. */
    async catalogue(at: At): Promise<Catalogue> {
      const [entities, datasets] = await Promise.all([schema.listEntities(at, "published"), readDatasets(appDb, at)]);
      return instanceCatalogue(
        at,
        entities,
        datasets.map(({ datasetConfig: config, ...dataset }) => ({ ...dataset, config })),
      );
    },

    /** The catalogue, and what a statement may name: everything but the dataset it belongs to. */
    async sqlSources(at: At, except?: Id<"dataset">): Promise<{ catalogue: Catalogue; sources: DatasetSource[] }> {
      const [entities, datasets] = await Promise.all([schema.listEntities(at, "published"), readDatasets(appDb, at)]);
      const known = datasets.map(({ datasetConfig: config, ...dataset }) => ({ ...dataset, config }));
      const others = datasets.filter(({ id }) => id !== except);
      return { catalogue: instanceCatalogue(at, entities, known), sources: sqlSourcesOf(entities, others) };
    },

    /** The entities of an instance with datasets of another time: those of a publication. */
    async catalogueWith(instanceId: At, datasets: readonly CatalogueDataset[]): Promise<Catalogue> {
      return instanceCatalogue(instanceId, await schema.listEntities(instanceId, "published"), datasets);
    },

    /** Datasets and all that they are built on. */
    async readWithSources(instanceId: At, ids: readonly string[]): Promise<Dataset[]> {
      const all = new Map<string, Dataset>((await readDatasets(appDb, instanceId)).map((one) => [one.id, one]));
      const found = new Set<Dataset>();
      const visit = (id: string): void => {
        const dataset = all.get(id);
        if (!dataset || found.has(dataset)) return;
        found.add(dataset);
        for (const { datasetId, datasetType } of dataset.datasetConfig.sources)
          if (datasetType === "DATASET") visit(datasetId);
      };
      for (const id of ids) visit(id);
      return [...found];
    },

    readAll: (at: At): Promise<Dataset[]> => readDatasets(appDb, at),

    async read(at: At, id: Id<"dataset">): Promise<Dataset> {
      const dataset = await readDataset(appDb, at, id);
      if (!dataset) throw new AppError("not_found", { what: "Dataset" });
      return dataset;
    },
  };
}
