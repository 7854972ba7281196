/** Sharing dashboards with people outside: the module. */
import * as api from "@accord/contracts/insights/sharing";
import type { Deps } from "../../../platform/deps.ts";
import { type Module, route } from "../../../platform/module.ts";
import type { CardsService } from "../cards/index.ts";
import type { DashboardsService, ShareCounts } from "../dashboards/index.ts";
import type { DatasetsService } from "../datasets/index.ts";
import { sharingService, type SharingService } from "./sharing.service.ts";
import { countedTries } from "./tries.ts";
import { viewingService } from "./viewing.service.ts";

export interface SharingNeeds {
  dashboards: DashboardsService;
  cards: CardsService;
  datasets: DatasetsService;
  shareCounts: ShareCounts;
}

export function sharingModule(deps: Deps, needs: SharingNeeds): Module & { service: SharingService } {
  const tries = countedTries(deps.appDb, deps.clock);
  const service = sharingService(deps, { ...needs, tries });
  const viewing = viewingService(deps, { ...needs, tries });
  needs.shareCounts.count = (at) => service.countByDashboard(at);
  return {
    name: "insights/sharing",
    service,
    shareSessions: { find: (token) => viewing.findSession(token) },
    routes: [
      route(api.shareDashboard, async (ctx, { params, body }) => ({
        shares: await service.share(ctx, params.id, body),
      })),
      route(api.listShares, (ctx, { params, query }) => service.list(ctx, params.id, query)),
      route(api.updateShareExpiry, (ctx, { params, body }) =>
        service.setExpiry(ctx, params.id, params.sharedItemId, body.expiryDate),
      ),
      route(api.deleteShare, async (ctx, { params }) => {
        await service.remove(ctx, params.id, params.sharedItemId);
        return {};
      }),
      route(api.reshareDashboard, (ctx, { params, body }) =>
        service.reshare(ctx, params.id, params.sharedItemId, body),
      ),
      route(api.openSharedDashboard, (ctx, { body }) => viewing.open(ctx, body)),
      route(api.requestShareCode, async (_, { body }) => {
        await viewing.requestCode(body);
        return {};
      }),
      route(api.getSharedDashboard, (ctx, { params }) => viewing.dashboard(ctx, params.dashboardId)),
      route(api.getSharedCardData, (ctx, { params, body }) => viewing.cardData(ctx, params, body.variablesMap)),
      route(api.closeSharedDashboard, async (ctx) => {
        await viewing.close(ctx);
        return {};
      }),
    ],
  };
}
