/** Finds what uses the columns and variables that a change of a dataset removes. */
import { type DatasetPart, partsOfSource, type PartNames, removedParts, usesPart } from "@accord/analytics-engine";
import type { Id } from "@accord/contracts";
import type { DatasetConfig } from "@accord/contracts/insights/dataset-config";
import type { PartUse } from "@accord/contracts/insights/dataset-uses";
import type { Dataset, Dependency } from "@accord/contracts/insights/datasets";

/** Something built on datasets, with what it uses of them. */
export interface UserOfParts extends PartNames {
  datasetId: string;
  use: Dependency;
}
/** Cards and dashboards answer what they use of these datasets. */
export type FindUsersOfParts = (at: Id<"instance">, datasetIds: ReadonlySet<string>) => Promise<UserOfParts[]>;

export async function removedPartUses(
  { at, datasets, finders }: { at: Id<"instance">; datasets: readonly Dataset[]; finders: readonly FindUsersOfParts[] },
  { id, datasetConfig: before }: Pick<Dataset, "id" | "datasetConfig">,
  after: DatasetConfig,
): Promise<PartUse[]> {
  const removed = removedParts(before, after);
  if (removed.length === 0) return [];
  const above = datasetsAbove(datasets, id);
  const users: UserOfParts[] = datasets
    .filter((one) => above.has(one.id))
    .map((one) => ({ datasetId: id, use: useOf(one), ...partsOfSource(one.datasetConfig, id) }));
  for (const find of finders) users.push(...(await find(at, new Set([id, ...above]))));
  return removed.flatMap((part): PartUse[] => {
    const usedBy = users.filter((one) => reaches(one, id, part) && usesPart(one, part)).map(({ use }) => use);
    return usedBy.length === 0 ? [] : [{ ...part, usedBy: distinct(usedBy) }];
  });
}

/** A column is used where the dataset is; a variable in everything built on it. */
const reaches = ({ datasetId }: UserOfParts, id: string, { kind }: DatasetPart): boolean =>
  kind === "variable" || datasetId === id;

function datasetsAbove(datasets: readonly Dataset[], id: string): Set<string> {
  const above = new Set<string>();
  const visit = (below: string): void => {
    for (const { id: one, datasetConfig } of datasets) {
      if (above.has(one) || !datasetConfig.sources.some((source) => isDataset(source, below))) continue;
      above.add(one);
      visit(one);
    }
  };
  visit(id);
  return above;
}

const isDataset = ({ datasetType, datasetId }: DatasetConfig["sources"][number], id: string): boolean =>
  datasetType === "DATASET" && datasetId === id;

const useOf = ({ id, displayName }: Dataset): Dependency => ({ kind: "dataset", id, displayName });

const distinct = (uses: readonly Dependency[]): Dependency[] => [
  ...new Map(uses.map((use) => [`${use.kind} ${use.id}`, use])).values(),
];
