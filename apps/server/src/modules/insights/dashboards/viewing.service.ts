/** Use cases of people who look at dashboards: the list, one dashboard, its cards' data, where they were last. */
import type { Id } from "@accord/contracts";
import type { CrossFilters } from "@accord/contracts/insights/cross-filter";
import type { Dashboard, DASHBOARD_CATEGORIES } from "@accord/contracts/insights/dashboards";
import type { CardMark } from "@accord/contracts/insights/mark-records";
import type { VariableValues } from "@accord/contracts/insights/variables";
import type { Ctx } from "../../../platform/ctx.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { type CardsService, cardViewer } from "../cards/index.ts";
import type { DashboardView, ShownCard } from "./dashboard-view.ts";
import type { DashboardBase, ShareCounts } from "./dashboard-base.ts";
import * as store from "./dashboards.store.ts";
import type { DraftChangesService } from "./draft-changes.service.ts";
import type { PublicationsService } from "./publications.service.ts";

type DashboardId = Id<"dashboard">;
type Category = (typeof DASHBOARD_CATEGORIES)[number];

interface Asked {
  variablesMap: VariableValues;
  filters: CrossFilters;
}

interface ViewingNeeds {
  cards: CardsService;
  base: DashboardBase;
  publications: PublicationsService;
  draftChanges: DraftChangesService;
  view: DashboardView;
  shareCounts: ShareCounts;
}

export function viewingService({ appDb }: Pick<Deps, "appDb">, needs: ViewingNeeds) {
  const { base, cards, draftChanges, publications, view, shareCounts } = needs;

  /** For people without READ_INSIGHTS a dashboard that is not published does not exist. */
  async function read(ctx: Ctx, id: string): Promise<store.StoredDashboard> {
    const dashboard = await base.read(ctx.instanceId, id);
    if (!isVisible(ctx, dashboard)) throw new AppError("not_found", { what: "Dashboard" });
    return dashboard;
  }

  return {
    async list(ctx: Ctx, category: Category) {
      const { instanceId } = ctx;
      const visible = (await store.readDashboards(appDb, instanceId)).filter(
        (one) => one.parentId === null && isVisible(ctx, one),
      );
      const cardIds = new Set(visible.flatMap(({ dataCards }) => dataCards.map(({ id }) => id)));
      const [shares, placed, published, lastVisited] = await Promise.all([
        shareCounts.count(instanceId),
        cards.readMany(instanceId, [...cardIds]),
        publications.cardTypes(instanceId),
        store.readLastVisited(appDb, instanceId, ctx.actor.userId),
      ]);
      const vizTypes = new Map<string, string>(placed.map(({ id, vizType }) => [id, vizType]));
      const summaries = visible.map((dashboard) => ({
        ...summaryOf(dashboard, published.get(dashboard.id) ?? vizTypes),
        ...(seesDefinitions(ctx)
          ? { draft: dashboard.draft, shares: shares.get(dashboard.id) ?? 0 }
          : { draft: null, shares: 0 }),
      }));
      return {
        dashboards: summaries.filter(IN_CATEGORY[category]),
        lastVisited: visible.some(({ id }) => id === lastVisited) ? lastVisited : null,
        available: true,
      };
    },

    async visit(ctx: Ctx, id: DashboardId): Promise<void> {
      const dashboard = await read(ctx, id);
      await store.writeLastVisited(appDb, ctx.instanceId, ctx.actor.userId, dashboard.parentId ?? dashboard.id);
    },

    /** The dashboard with everything needed to draw its cards. */
    async open(ctx: Ctx, id: DashboardId) {
      const stored = await read(ctx, id);
      const { updatedBy: _, ...dashboard } = stored;
      const reply = { dashboard, cards: await view.cardsOf(ctx.instanceId, dashboard) };
      if (!seesDefinitions(ctx)) return { ...withoutDefinitions(reply), unpublishedChanges: [], reverts: [] };
      const [unpublishedChanges, reverts] = await Promise.all([
        draftChanges.changes(ctx.instanceId, stored),
        draftChanges.reverts(ctx, stored),
      ]);
      return { ...reply, unpublishedChanges, reverts };
    },

    async cardData(
      ctx: Ctx,
      id: DashboardId,
      cardId: Id<"dataCard">,
      { refresh, ...asked }: Asked & { refresh: boolean },
    ) {
      const request = { ...cardRequest(ctx, cardId, asked), refresh };
      return view.cardData(ctx.instanceId, await read(ctx, id), request);
    },

    async markRecords(
      ctx: Ctx,
      id: DashboardId,
      cardId: Id<"dataCard">,
      { mark, ...asked }: Asked & { mark: CardMark },
    ) {
      const request = { ...cardRequest(ctx, cardId, asked), mark };
      return view.markRecords(ctx.instanceId, await read(ctx, id), request);
    },
  };
}

/** Like guests, those who only look at dashboards change no variables but the updatable ones. */
const cardRequest = (ctx: Ctx, cardId: Id<"dataCard">, { variablesMap, filters }: Asked) => ({
  ...{ cardId, values: variablesMap, filters, onlyUpdatable: !seesDefinitions(ctx) },
  ...cardViewer(ctx),
});

/** Drafts, cards and datasets are for people who hold READ_INSIGHTS; others see published dashboards and no more. */
const seesDefinitions = (ctx: Pick<Ctx, "can">): boolean => ctx.can("READ_INSIGHTS");

const isVisible = (ctx: Pick<Ctx, "can">, { draftStatus }: Pick<Dashboard, "draftStatus">): boolean =>
  draftStatus === "APPROVED" || seesDefinitions(ctx);

/** What is needed to look at a published dashboard: nothing of its draft, its datasets and its settings. */
function withoutDefinitions({ dashboard, cards }: { dashboard: Dashboard; cards: ShownCard[] }) {
  return {
    dashboard: {
      ...dashboard,
      draft: null,
      variables: [],
      dataCards: dashboard.dataCards.map(({ id, layout }) => ({ id, layout })),
    },
    cards: cards.map((card) => ({
      ...card,
      configuration: { ...card.configuration, datasetId: "" as const, variablesMap: {}, filter: undefined },
      variables: card.variables.filter(({ updatable }) => updatable),
    })),
  };
}

interface CategoryFacts extends Pick<Dashboard, "draftStatus" | "draft" | "isExample"> {
  shares: number;
}

const IN_CATEGORY: Record<Category, (dashboard: CategoryFacts) => boolean> = {
  all: () => true,
  published: ({ draftStatus }) => draftStatus === "APPROVED",
  draft: ({ draftStatus, draft }) => draftStatus === "NEW" || draft !== null,
  shared: ({ shares }) => shares > 0,
  example: ({ isExample }) => isExample,
};

function summaryOf(dashboard: store.StoredDashboard, vizTypes: ReadonlyMap<string, string>) {
  const { dataCards, variables: _, parentId: __, version: ___, createdBy: ____, ...rest } = dashboard;
  const layout = dataCards.map(({ id, layout: { x, y, w, h } }) => ({ vizType: vizTypes.get(id) ?? "", x, y, w, h }));
  return { ...rest, cards: dataCards.length, layout };
}
