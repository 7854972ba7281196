/** What statements may name: entities by their API names, datasets by their names. */
import { Alias, type DatasetSource } from "@accord/contracts/insights/dataset-config";
import { foldName } from "../../sql-gate/index.ts";

/** The entities of an instance and its datasets, as statements name them: an entity wins a name that both have. */
export function sqlSourcesOf(
  entities: readonly { id: string; apiName: string }[],
  datasets: readonly { id: string; name: string }[],
): DatasetSource[] {
  const taken = new Set<string>();
  const all = [
    ...entities.map(({ id, apiName }) => ({
      ...{ datasetId: id, datasetType: "ENTITY" as const, datasourceAlias: apiName },
    })),
    ...datasets.map(({ id, name }) => ({
      ...{ datasetId: id, datasetType: "DATASET" as const, datasourceAlias: name },
    })),
  ];
  return all.filter(({ datasourceAlias }) => {
    const name = foldName(datasourceAlias);
    if (taken.has(name) || !Alias.safeParse(datasourceAlias).success) return false;
    taken.add(name);
    return true;
  });
}
