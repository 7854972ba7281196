/** The external view: its endpoints, and the page that holds its frame. */
import type { Feature } from "@accord/contracts/identity/instances";
import * as api from "@accord/contracts/insights/external-view";
import type { Ctx } from "../../../platform/ctx.ts";
import type { Deps } from "../../../platform/deps.ts";
import { type Module, route } from "../../../platform/module.ts";
import type { AuditLog } from "../../operations/audit/index.ts";
import { type Features, requireInsights } from "../availability.ts";
import { externalViewService } from "./external-view.service.ts";
import { serveExternalFrame } from "./serve-frame.ts";
import { externalViewSettings } from "./settings.service.ts";

export interface SwitchableFeatures extends Features {
  setFeature(ctx: Ctx, feature: Feature, enabled: boolean): Promise<{ name: Feature; enabled: boolean }>;
}

export interface ExternalViewModuleNeeds {
  features: SwitchableFeatures;
  audit: AuditLog;
}

/** Asks for its features itself: its state is also answered, and Insights also enabled, while they are off. */
export function externalViewModule(deps: Deps, needs: ExternalViewModuleNeeds): Module {
  const service = externalViewService(deps, needs);
  const settings = externalViewSettings(deps, needs);
  const requireFeature = requireInsights(needs.features);
  return {
    name: "insights/external-view",
    servePages: (http, sessions) => serveExternalFrame(http, { baseUrl: deps.config.baseUrl, sessions, service }),
    routes: [
      route(api.getInsightsProvider, (ctx) => service.status(ctx)),
      route(api.enableInsights, async (ctx) => {
        await needs.audit.record(ctx, "enableInsights", { kind: "feature", name: "Insights" });
        return needs.features.setFeature(ctx, "Insights", true);
      }),
      route(api.getExternalViewToken, (ctx, { query }) => service.token(ctx, query)),
      route(api.listExternalDashboards, (ctx) => service.list(ctx, "dashboards")),
      route(api.listExternalDatasets, (ctx) => service.list(ctx, "datasets")),
      route(api.listExternalDataCards, (ctx) => service.list(ctx, "datacards")),
      route(api.getExternalDataset, (ctx, { params }) => service.dataset(ctx, params.key)),
      route(api.previewExternalDataset, (ctx, { params }) => service.preview(ctx, params.key)),
      route(api.getExternalViewSettings, async (ctx) => {
        await requireFeature(ctx.instanceId);
        return settings.get(ctx);
      }),
      route(api.saveExternalViewSettings, async (ctx, { body }) => {
        await requireFeature(ctx.instanceId);
        return settings.save(ctx, body);
      }),
      route(api.removeExternalViewSettings, async (ctx) => {
        await requireFeature(ctx.instanceId);
        await settings.remove(ctx);
        return {};
      }),
    ],
  };
}
