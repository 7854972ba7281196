/** Datasets: the module, and what cards need of it. */
import type { Id } from "@accord/contracts";
import * as api from "@accord/contracts/insights/datasets";
import { listDatasetUses } from "@accord/contracts/insights/dataset-uses";
import type { Deps } from "../../../platform/deps.ts";
import { type Module, route } from "../../../platform/module.ts";
import type { SchemaService } from "../../data/schema/index.ts";
import type { AuditLog } from "../../operations/audit/index.ts";
import type { NotificationsService } from "../../operations/notifications/index.ts";
import type { AnalyticsEngine } from "../engine/index.ts";
import { dataSourcesService } from "./data-sources.service.ts";
import { datasetUsesService } from "./dataset-uses.service.ts";
import { datasetsService, type DatasetsService } from "./datasets.service.ts";
import { exportsModule } from "./exports/index.ts";
import { basicMode } from "./sql/basic-mode.ts";
import { sqlRoutes } from "./sql/sql.routes.ts";
import { writtenDatasets } from "./sql/written-datasets.ts";
import { storedDatasets } from "./stored-datasets.ts";

export { entitiesOf, TIME_ZONE, usesEntity } from "./dataset-config.ts";
export type { DatasetsService, FindPublishedUses } from "./datasets.service.ts";

/** How many cards stand on each dataset; filled in by the cards module. */
export interface CardCounts {
  count: (at: Id<"instance">) => Promise<ReadonlyMap<string, number>>;
}

/** Names of the dashboards that use each dataset; filled in by the dashboards module. */
export interface DashboardsOfDatasets {
  names: (at: Id<"instance">) => Promise<ReadonlyMap<string, readonly string[]>>;
}

export function datasetsModule(
  deps: Deps,
  needs: {
    schema: SchemaService;
    engine: AnalyticsEngine;
    audit: AuditLog;
    notify: NotificationsService["notify"];
  },
): Module & { exports: Module; service: DatasetsService; cardCounts: CardCounts; dashboards: DashboardsOfDatasets } {
  const stored = storedDatasets(deps, needs.schema);
  const written = writtenDatasets(deps, { stored, engine: needs.engine });
  const service = datasetsService(deps, { schema: needs.schema, stored, written });
  const sources = dataSourcesService(deps, { engine: needs.engine, stored, complete: service.complete });
  const uses = datasetUsesService({ stored, engine: needs.engine });
  const dashboards: DashboardsOfDatasets = { names: async () => new Map() };
  const cardCounts: CardCounts = { count: async () => new Map() };
  return {
    name: "insights/datasets",
    service,
    exports: exportsModule(deps, { ...needs, stored }),
    cardCounts,
    dashboards,
    routes: [
      route(api.listDatasets, (ctx) => service.list(ctx, (at) => cardCounts.count(at))),
      route(listDatasetUses, async (ctx) => uses.list(ctx, await dashboards.names(ctx.instanceId))),
      route(api.getDataset, (ctx, { params }) => service.get(ctx, params.id)),
      route(api.createDataset, (ctx, { body }) => service.create(ctx, body)),
      route(api.updateDataset, (ctx, { params, query, body }) => service.update(ctx, params.id, body, query)),
      route(api.deleteDataset, async (ctx, { params, query }) => {
        await service.remove(ctx, params.id, query);
        return {};
      }),
      route(api.datasetDependencies, async (ctx, { params }) => {
        await service.read(ctx.instanceId, params.id);
        const [dependencies, publishedOn] = await Promise.all([
          service.dependencies(ctx.instanceId, params.id),
          service.publishedOn(ctx.instanceId, params.id),
        ]);
        return { dependencies, publishedOn };
      }),
      route(api.datasetVariables, async (ctx, { params }) => ({ variables: await service.variables(ctx, params.id) })),
      ...sqlRoutes(deps.config, stored, written, basicMode(deps, stored)),
      route(api.lookupDatasetFields, (ctx, { query }) => sources.fields(ctx, query)),
      route(api.previewDataset, (ctx, { body }) => sources.preview(ctx, body)),
      route(api.suggestJoins, async (ctx, { body }) => ({
        suggestions: await sources.suggestJoins(ctx, body.sources),
      })),
      route(api.sampleDataSource, (ctx, { query }) => sources.sample(ctx, query)),
      route(api.listDatasetFunctions, async () => ({ functions: sources.functions() })),
    ],
  };
}
