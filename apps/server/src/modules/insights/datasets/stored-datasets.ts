/** The datasets of an instance as they are stored, and all that queries can be made of. */
import type { Catalogue } from "@accord/analytics-engine";
import type { Id } from "@accord/contracts";
import type { Dataset } from "@accord/contracts/insights/datasets";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { SchemaService } from "../../data/schema/index.ts";
import { instanceCatalogue } from "../engine/index.ts";
import { readDataset, readDatasets } from "./datasets.store.ts";

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

    async read(at: At, id: Id<"dataset">): Promise<Dataset> {
      const dataset = await readDataset(appDb, at, id);
      if (!dataset) throw new AppError("not_found", { what: "Dataset" });
      return dataset;
    },
  };
}
