/** Data cards: the module, and what dashboards and sharing need of it. */
import type { Id } from "@accord/contracts";
import * as api from "@accord/contracts/insights/cards";
import { previewMarkRecords } from "@accord/contracts/insights/mark-records";
import type { Deps } from "../../../platform/deps.ts";
import { type Module, route } from "../../../platform/module.ts";
import type { DatasetsService } from "../datasets/index.ts";
import type { AnalyticsEngine } from "../engine/index.ts";
import { cardsService, type CardsService } from "./cards.service.ts";

export type { CardsService } from "./cards.service.ts";
export { type CardViewer, cardViewer, viewerWith } from "./card-viewer.ts";

/** What cards ask of the dashboards they stand on; filled in by the dashboards module. */
export interface DashboardsOfCards {
  /** Names of the dashboards that use each card or dataset, in their draft or published. */
  names: (at: Id<"instance">) => Promise<ReadonlyMap<string, readonly string[]>>;
}

/** What cards ask of their alerts; filled in by the alerts module. */
export interface AlertsOfCards {
  /** How many go with a card when it is deleted. */
  count: (at: Id<"instance">, id: Id<"dataCard">) => Promise<number>;
}

export function cardsModule(
  deps: Deps,
  needs: { datasets: DatasetsService; engine: AnalyticsEngine },
): Module & { service: CardsService; dashboards: DashboardsOfCards; alerts: AlertsOfCards } {
  const service = cardsService(deps, needs);
  const dashboards: DashboardsOfCards = { names: async () => new Map() };
  const alerts: AlertsOfCards = { count: async () => 0 };
  return {
    name: "insights/cards",
    service,
    dashboards,
    alerts,
    routes: [
      route(api.listDataCards, async (ctx) => ({
        dataCards: await service.list(ctx, await dashboards.names(ctx.instanceId)),
      })),
      route(api.getDataCard, (ctx, { params }) => service.get(ctx, params.id)),
      route(api.createDataCard, (ctx, { body }) => service.create(ctx, body)),
      route(api.updateDataCard, (ctx, { params, body }) => service.update(ctx, params.id, body)),
      route(api.deleteDataCard, async (ctx, { params, query }) => {
        await service.remove(ctx, params.id, query);
        return {};
      }),
      route(api.dataCardDependencies, async (ctx, { params }) => {
        await service.read(ctx.instanceId, params.id);
        const [dependencies, publishedOn, alertCount] = await Promise.all([
          service.dependencies(ctx.instanceId, params.id),
          service.publishedOn(ctx.instanceId, params.id),
          ctx.can("DELETE_DATACARD") ? alerts.count(ctx.instanceId, params.id) : 0,
        ]);
        return { dependencies, publishedOn, alerts: alertCount };
      }),
      route(api.previewDataCard, async (ctx, { body }) => {
        const { data } = await service.preview(ctx, body);
        return { contents: { data } };
      }),
      route(previewMarkRecords, (ctx, { body }) => service.previewMarkRecords(ctx, body)),
      route(api.dataCardData, (ctx, { params, body }) =>
        service.data(ctx, params.id, { values: body.variablesMap, refresh: body.refresh }),
      ),
    ],
  };
}
