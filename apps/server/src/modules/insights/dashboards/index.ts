/** Dashboards: the module, and what sharing needs of it. */
import * as api from "@accord/contracts/insights/dashboards";
import type { Id } from "@accord/contracts";
import type { Ctx } from "../../../platform/ctx.ts";
import type { Deps } from "../../../platform/deps.ts";
import { type Module, route } from "../../../platform/module.ts";
import type { CardsService, DashboardsOfCards } from "../cards/index.ts";
import { dashboardsService, type DashboardsService, settingsOf } from "./dashboards.service.ts";

export { type DashboardsService, settingsOf } from "./dashboards.service.ts";

/** How often each dashboard is shared; filled in by the sharing module. */
export interface ShareCounts {
  count: (at: Id<"instance">) => Promise<ReadonlyMap<string, number>>;
}

export function dashboardsModule(
  deps: Deps,
  needs: { cards: CardsService; dashboardsOfCards: DashboardsOfCards },
): Module & { service: DashboardsService; shareCounts: ShareCounts } {
  const service = dashboardsService(deps, needs);
  const shareCounts: ShareCounts = { count: async () => new Map() };
  needs.dashboardsOfCards.settings = async (at, dashboardId, cardId) =>
    settingsOf(await service.read(at, dashboardId), cardId);
  needs.dashboardsOfCards.counts = async (at) => {
    const counts = new Map<string, number>();
    for (const { dataCards } of await service.readAll(at))
      for (const { id } of dataCards) counts.set(id, (counts.get(id) ?? 0) + 1);
    return counts;
  };

  return {
    name: "insights/dashboards",
    service,
    shareCounts,
    routes: [
      route(api.listDashboards, (ctx, { query }) => list(ctx, query.category, service, needs.cards, shareCounts)),
      route(api.getDashboard, (ctx, { params }) => service.open(ctx, params.id)),
      route(api.visitDashboard, async (ctx, { params }) => {
        await service.visit(ctx, params.id);
        return {};
      }),
      route(api.createDashboard, (ctx, { body }) => service.create(ctx, body)),
      route(api.updateDashboard, (ctx, { params, body }) => service.update(ctx, params.id, body)),
      route(api.createDashboardDraft, (ctx, { params }) => service.createDraft(ctx, params.id)),
      route(api.publishDashboard, (ctx, { params }) => service.publish(ctx, params.id)),
      route(api.deleteDashboard, (ctx, { params }) => service.remove(ctx, params.id)),
      route(api.deleteDashboardDraft, (ctx, { params }) => service.removeDraft(ctx, params.id)),
      route(api.applyDataCardSettings, (ctx, { body }) => service.applySettings(ctx, body)),
    ],
  };
}

type Category = (typeof api.DASHBOARD_CATEGORIES)[number];

async function list(
  ctx: Ctx,
  category: Category,
  service: DashboardsService,
  cards: CardsService,
  shareCounts: ShareCounts,
) {
  const at = ctx.instanceId;
  const all = (await service.readAll(at)).filter(({ parentId }) => parentId === null);
  const [shares, known, lastVisited] = await Promise.all([
    shareCounts.count(at),
    cards.readMany(at, [...new Set(all.flatMap(({ dataCards }) => dataCards.map(({ id }) => id)))]),
    service.lastVisited(ctx),
  ]);
  const vizTypes = new Map<string, string>(known.map(({ id, vizType }) => [id, vizType]));
  const summaries = all.map((dashboard) => {
    const { dataCards, variables: _, parentId: __, version: ___, createdBy: ____, ...rest } = dashboard;
    const layout = dataCards.map(({ id, layout: { x, y, w, h } }) => ({ vizType: vizTypes.get(id) ?? "", x, y, w, h }));
    return { ...rest, cards: dataCards.length, layout, shares: shares.get(dashboard.id) ?? 0 };
  });
  const wanted: Record<Category, (dashboard: (typeof summaries)[number]) => boolean> = {
    all: () => true,
    published: ({ draftStatus }) => draftStatus === "APPROVED",
    draft: ({ draftStatus, draft }) => draftStatus === "NEW" || draft !== null,
    shared: ({ shares: count }) => count > 0,
    example: ({ isExample }) => isExample,
  };
  const stillThere = all.some(({ id }) => id === lastVisited);
  return { dashboards: summaries.filter(wanted[category]), lastVisited: stillThere ? lastVisited : null };
}
