/** The feature flag of Insights: while it is off, the list shows one sample and every other call is refused, those of guests too. */
import type { Id, ReplyOf } from "@accord/contracts";
import type { Feature } from "@accord/contracts/identity/instances";
import { type listDashboards, SAMPLE_DASHBOARD_ID } from "@accord/contracts/insights/dashboards";
import { AppError } from "../../platform/http/app-error.ts";
import type { Module, Route } from "../../platform/module.ts";

export interface Features {
  isEnabled(instanceId: Id<"instance">, feature: Feature): Promise<boolean>;
}
export type RequireInsights = (instanceId: Id<"instance">) => Promise<void>;

export const requireInsights =
  (features: Features): RequireInsights =>
  async (instanceId) => {
    if (!(await features.isEnabled(instanceId, "Insights")))
      throw new AppError("feature_disabled", { feature: "Insights" });
  };

/** Calls that name their instance only by what is in them look for themselves; leaving is always possible. */
const LOOKS_ITSELF = new Set(["openSharedDashboard", "requestShareCode", "closeSharedDashboard"]);

/** The module's routes, each refused while the feature is off. */
export function whileEnabled<One extends Module>(module: One, features: Features): One {
  const demand = requireInsights(features);
  const guarded = (route: Route): Route => {
    const { endpoint, handle } = route;
    if (LOOKS_ITSELF.has(endpoint.name)) return route;
    return {
      endpoint,
      handle: async (ctx, input) => {
        if (endpoint.name !== "listDashboards") await demand(ctx.instanceId);
        else if (!(await features.isEnabled(ctx.instanceId, "Insights"))) return SAMPLE_LIST;
        return handle(ctx, input);
      },
    };
  };
  return { ...module, ...(module.routes ? { routes: module.routes.map(guarded) } : {}) };
}

const SAMPLE_LIST: ReplyOf<typeof listDashboards> = {
  dashboards: [
    {
      id: SAMPLE_DASHBOARD_ID,
      displayName: "Sample dashboard",
      name: "sample",
      description: "What a dashboard looks like.",
      tags: [],
      cards: 4,
      layout: [
        { vizType: "METRIC", x: 0, y: 0, w: 4, h: 2 },
        { vizType: "COLUMN", x: 4, y: 0, w: 8, h: 2 },
        { vizType: "LINE", x: 0, y: 2, w: 8, h: 2 },
        { vizType: "PIE", x: 8, y: 2, w: 4, h: 2 },
      ],
      draftStatus: "APPROVED",
      draft: null,
      seeded: true,
      isExample: true,
      shares: 0,
      updatedAt: "2026-01-01T00:00:00.000Z",
      updatedBy: "Accord",
    },
  ],
  lastVisited: null,
  available: false,
};
