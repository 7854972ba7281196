/** Sharing dashboards with people outside: the module. */
import * as domainsApi from "@accord/contracts/insights/allowed-domains";
import * as api from "@accord/contracts/insights/sharing";
import type { Deps } from "../../../platform/deps.ts";
import { type Module, route } from "../../../platform/module.ts";
import type { RequireInsights } from "../availability.ts";
import type { AuditLog } from "../../operations/audit/index.ts";
import type { DashboardsService, DashboardView, ShareCounts } from "../dashboards/index.ts";
import { allowedDomainsService } from "./allowed-domains.service.ts";
import { sharingService, type SharingService } from "./sharing.service.ts";
import { viewingService } from "./viewing.service.ts";

export interface SharingNeeds {
  dashboards: DashboardsService;
  view: DashboardView;
  shareCounts: ShareCounts;
  requireInsights: RequireInsights;
  audit: AuditLog;
}

export function sharingModule(
  deps: Deps,
  needs: SharingNeeds,
): Module & { service: SharingService; settle(): Promise<void> } {
  const domains = allowedDomainsService(deps, needs);
  const service = sharingService(deps, { ...needs, domains });
  const viewing = viewingService(deps, needs);
  needs.shareCounts.count = (at) => service.countByDashboard(at);
  return {
    name: "insights/sharing",
    service,
    settle: () => viewing.settle(),
    shareSessions: { find: (token) => viewing.findSession(token) },
    start: async () => () => viewing.settle(),
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
      route(domainsApi.listAllowedDomains, (ctx) => domains.list(ctx)),
      route(domainsApi.createAllowedDomains, (ctx, { body }) => domains.add(ctx, body.domains)),
      route(domainsApi.deleteAllowedDomain, (ctx, { params }) => domains.remove(ctx, params.domain)),
      route(domainsApi.listDomainsInUse, (ctx) => domains.inUse(ctx)),
      route(domainsApi.listSharedItems, (ctx, { query }) => domains.items(ctx, query)),
      route(api.openSharedDashboard, (ctx, { body }) => viewing.open(ctx, body)),
      route(api.requestShareCode, async (ctx, { body }) => {
        await viewing.requestCode(ctx, body);
        return {};
      }),
      route(api.getSharedDashboard, (ctx, { params }) => viewing.dashboard(ctx, params.dashboardId)),
      route(api.getSharedCardData, (ctx, { params, body }) => viewing.cardData(ctx, params, body)),
      route(api.closeSharedDashboard, async (ctx) => {
        await viewing.close(ctx);
        return {};
      }),
    ],
  };
}
