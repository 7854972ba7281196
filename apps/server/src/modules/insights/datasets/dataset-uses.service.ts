/** Where datasets are used and how fresh their data is, for the list of datasets. */
import type { ReplyOf } from "@accord/contracts";
import type { listDatasetUses } from "@accord/contracts/insights/dataset-uses";
import type { Ctx } from "../../../platform/ctx.ts";
import { type AnalyticsEngine, queryCaller } from "../engine/index.ts";
import { entitiesOf } from "./dataset-config.ts";
import type { StoredDatasets } from "./stored-datasets.ts";

interface DatasetUsesNeeds {
  stored: StoredDatasets;
  engine: AnalyticsEngine;
}

export function datasetUsesService({ stored, engine }: DatasetUsesNeeds) {
  return {
    async list(ctx: Ctx, dashboards: ReadonlyMap<string, readonly string[]>): Promise<ReplyOf<typeof listDatasetUses>> {
      const { instanceId } = ctx;
      const [all, catalogue] = await Promise.all([stored.readAll(instanceId), stored.catalogue(instanceId)]);
      const reads = all.map(({ id, datasetConfig }) => ({ id, entities: entitiesOf(datasetConfig, catalogue) }));
      const names = [...new Set(reads.flatMap(({ entities }) => entities))];
      const caller = queryCaller(ctx);
      const freshness = new Map(
        await Promise.all(
          names.map(async (name) => [name, await engine.dataAsOf(instanceId, [name], caller)] as const),
        ),
      );
      return {
        datasets: reads.map(({ id, entities }) => ({
          id,
          dashboards: [...(dashboards.get(id) ?? [])],
          dataAsOf: entities.map((name) => freshness.get(name) ?? null).reduce(later, null),
        })),
      };
    },
  };
}

const later = (one: string | null, other: string | null): string | null =>
  one === null || (other !== null && other > one) ? other : one;
