/** Dashboards: the module, and what sharing needs of it. */
import * as api from "@accord/contracts/insights/dashboards";
import { dashboardMarkRecords } from "@accord/contracts/insights/mark-records";
import type { Deps } from "../../../platform/deps.ts";
import { type Module, route } from "../../../platform/module.ts";
import type { SchemaService } from "../../data/schema/index.ts";
import type { CardsService, DashboardsOfCards } from "../cards/index.ts";
import type { DatasetsService } from "../datasets/index.ts";
import { dashboardBase, type ShareCounts } from "./dashboard-base.ts";
import { type DashboardView, dashboardView } from "./dashboard-view.ts";
import { dashboardsService } from "./dashboards.service.ts";
import { draftChangesService } from "./draft-changes.service.ts";
import { draftsService } from "./drafts.service.ts";
import { publicationsService } from "./publications.service.ts";
import { viewingService } from "./viewing.service.ts";

export type { ShareCounts } from "./dashboard-base.ts";
export type { DashboardView, ShownCard } from "./dashboard-view.ts";
export type DashboardsService = ReturnType<typeof dashboardsService> & ReturnType<typeof draftsService>;

interface DashboardsNeeds {
  schema: SchemaService;
  cards: CardsService;
  datasets: DatasetsService;
  dashboardsOfCards: DashboardsOfCards;
}

export function dashboardsModule(
  deps: Deps,
  needs: DashboardsNeeds,
): Module & { service: DashboardsService; view: DashboardView; shareCounts: ShareCounts } {
  const shareCounts: ShareCounts = { count: async () => new Map() };
  const base = dashboardBase(deps);
  const publications = publicationsService(deps, { ...needs, shareCounts });
  const draftChanges = draftChangesService(deps, { ...needs, base, publications });
  const service = {
    ...dashboardsService(deps, { ...needs, base }),
    ...draftsService(deps, { ...needs, base, publications, draftChanges }),
  };
  const view = dashboardView({ ...needs, publications });
  const viewing = viewingService(deps, { ...needs, base, draftChanges, publications, view, shareCounts });
  needs.dashboardsOfCards.names = draftChanges.dashboardNames;

  return {
    name: "insights/dashboards",
    service,
    view,
    shareCounts,
    routes: [
      route(api.listDashboards, (ctx, { query }) => viewing.list(ctx, query.category)),
      route(api.getDashboard, (ctx, { params }) => viewing.open(ctx, params.id)),
      route(api.visitDashboard, async (ctx, { params }) => {
        await viewing.visit(ctx, params.id);
        return {};
      }),
      route(api.dashboardCardData, (ctx, { params, body }) => viewing.cardData(ctx, params.id, params.cardId, body)),
      route(dashboardMarkRecords, (ctx, { params, body }) => viewing.markRecords(ctx, params.id, params.cardId, body)),
      route(api.createDashboard, (ctx, { body }) => service.create(ctx, body)),
      route(api.updateDashboard, (ctx, { params, body }) => service.update(ctx, params.id, body)),
      route(api.createDashboardDraft, (ctx, { params }) => service.createDraft(ctx, params.id)),
      route(api.publishDashboard, (ctx, { params }) => service.publish(ctx, params.id)),
      route(api.deleteDashboard, (ctx, { params }) => service.remove(ctx, params.id)),
      route(api.deleteDashboardDraft, (ctx, { params, query }) => service.removeDraft(ctx, params.id, query)),
      route(api.applyDataCardSettings, (ctx, { body }) => service.applySettings(ctx, body)),
    ],
  };
}
