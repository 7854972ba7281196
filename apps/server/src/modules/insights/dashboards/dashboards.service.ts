/** Use cases of dashboards: the cycle of draft and published version, layout, settings of cards. */
import { dashboardAllows, type DashboardAction, repeatedCards, settleLayout } from "@accord/analytics-engine";
import { type Id, isId } from "@accord/contracts";
import type { CardConfiguration } from "@accord/contracts/insights/cards";
import { type Dashboard, type DashboardCard, insightsChanged } from "@accord/contracts/insights/dashboards";
import type { Variable, VariableValues } from "@accord/contracts/insights/variables";
import type { Caller, Ctx } from "../../../platform/ctx.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError, invalidField } from "../../../platform/http/app-error.ts";
import { authorName } from "../author.ts";
import type { CardsService } from "../cards/index.ts";
import * as store from "./dashboards.store.ts";

type At = Id<"instance">;
type DashboardId = Id<"dashboard">;
type StoredDashboard = store.StoredDashboard;
export type DashboardsService = ReturnType<typeof dashboardsService>;

export function dashboardsService(deps: Deps, needs: { cards: CardsService }) {
  const { appDb, appPool } = deps;
  const { cards } = needs;
  const stamp = (ctx: Caller) => ({ by: authorName(ctx), now: deps.clock.now().toISOString() });

  cards.addUses(async (at, cardId) => {
    const dashboards = await store.readDashboards(appDb, at);
    return dashboards
      .filter(({ dataCards }) => dataCards.some(({ id }) => id === cardId))
      .map(({ id, displayName }) => ({ kind: "dashboard", id, displayName }));
  });

  async function read(at: At, id: string): Promise<StoredDashboard> {
    const dashboard = isId(id) ? await store.readDashboard(appDb, at, id as DashboardId) : null;
    if (!dashboard) throw new AppError("not_found", { what: "Dashboard" });
    return dashboard;
  }

  /** Refuses what the dashboard's state does not allow, saying why. */
  function demand(dashboard: StoredDashboard, action: DashboardAction): void {
    if (dashboardAllows(dashboard, action)) return;
    if (dashboard.seeded || dashboard.isExample) throw new AppError("dashboard_seeded");
    if (action === "edit")
      throw new AppError("invalid_state", {
        reason: "A published dashboard is changed by its draft. Create a draft first.",
      });
    if (action === "publish" || action === "deleteDraft") throw new AppError("dashboard_has_no_draft");
    throw new AppError("invalid_state", { reason: "The state of this dashboard does not allow it." });
  }

  /** Cards stand once, inside the grid, and belong to the instance. */
  async function checkedCards(at: At, dataCards: readonly DashboardCard[]): Promise<DashboardCard[]> {
    const [repeated] = repeatedCards(dataCards);
    if (repeated) throw new AppError("data_card_on_dashboard", { cardId: repeated });
    const known = new Set<string>(
      (
        await cards.readMany(
          at,
          dataCards.map(({ id }) => id),
        )
      ).map(({ id }) => id),
    );
    if (dataCards.some(({ id }) => !known.has(id))) throw new AppError("not_found", { what: "Data card" });
    return settleLayout(dataCards).map((card) => ({ ...card, layout: { ...card.layout, i: card.id } }));
  }

  async function changed(
    ctx: Caller,
    id: string,
    action: "created" | "updated" | "deleted" | "published",
  ): Promise<void> {
    await deps.realtime.publish(ctx.instanceId, insightsChanged, { kind: "dashboard", id, action });
  }

  const shown = ({ updatedBy: _, ...dashboard }: StoredDashboard): Dashboard => dashboard;

  /** A draft by its own id or by its published dashboard's. */
  async function draftOf(at: At, id: string): Promise<StoredDashboard> {
    const dashboard = await read(at, id);
    if (dashboard.draftStatus === "NEW") return dashboard;
    if (dashboard.seeded) throw new AppError("dashboard_seeded");
    if (dashboard.draft === null) throw new AppError("dashboard_has_no_draft");
    return read(at, dashboard.draft);
  }

  return {
    read,
    readAll: (at: At) => store.readDashboards(appDb, at),

    lastVisited: (ctx: Ctx) => store.readLastVisited(appDb, ctx.instanceId, ctx.actor.userId),

    async visit(ctx: Ctx, id: DashboardId): Promise<void> {
      const dashboard = await read(ctx.instanceId, id);
      await store.writeLastVisited(appDb, ctx.instanceId, ctx.actor.userId, dashboard.parentId ?? dashboard.id);
    },

    /** The dashboard with everything needed to draw its cards. */
    async open(ctx: Ctx, id: DashboardId) {
      const dashboard = await read(ctx.instanceId, id);
      return { dashboard: shown(dashboard), cards: await this.cardsOf(ctx.instanceId, dashboard) };
    },

    async cardsOf(at: At, dashboard: Pick<Dashboard, "dataCards">): Promise<ShownCard[]> {
      const found = await cards.readMany(
        at,
        dashboard.dataCards.map(({ id }) => id),
      );
      return Promise.all(
        found.map(async ({ id, displayName, description, contents: { configuration } }) => ({
          id,
          displayName,
          description,
          configuration,
          variables: await cards.variablesOfCard(at, configuration),
        })),
      );
    },

    async create(
      ctx: Caller,
      body: Pick<Dashboard, "displayName" | "description" | "tags" | "name" | "dataCards">,
    ): Promise<Dashboard> {
      const id = deps.newId<"dashboard">();
      const dataCards = await checkedCards(ctx.instanceId, body.dataCards);
      const dashboard = {
        ...body,
        dataCards,
        variables: [],
        id,
        parentId: null,
        draftStatus: "NEW" as const,
        ...stamp(ctx),
      };
      if (!(await store.insertDashboard(appDb, ctx.instanceId, dashboard)))
        throw new AppError("name_taken", { name: body.name });
      await changed(ctx, id, "created");
      return shown(await read(ctx.instanceId, id));
    },

    /** Drafts change in everything but their name; a published dashboard in its words alone. */
    async update(
      ctx: Ctx,
      id: DashboardId,
      body: store.DashboardContent & { name?: string | undefined; version: number },
    ): Promise<Dashboard> {
      const before = await read(ctx.instanceId, id);
      if (before.seeded || before.isExample) throw new AppError("dashboard_seeded");
      if (body.name !== undefined && body.name !== before.name)
        throw invalidField("name", "can't be changed after the dashboard was created");
      const { version, name: _, ...content } = body;
      const dataCards = await checkedCards(ctx.instanceId, content.dataCards);
      const mapped = content.variables.flatMap(({ mappings }) => mappings.map(({ dataCardId }) => dataCardId));
      if (mapped.some((cardId) => !dataCards.some((card) => card.id === cardId)))
        throw new AppError("not_found", { what: "Data card" });
      if (!dashboardAllows(before, "edit") && !sameContent(before, { ...content, dataCards })) demand(before, "edit");
      const saved = await store.updateDashboard(appDb, ctx.instanceId, id, version, {
        ...content,
        dataCards,
        ...stamp(ctx),
      });
      const newest = shown(await read(ctx.instanceId, id));
      if (!saved) throw new AppError("stale_version", { newest });
      await changed(ctx, id, "updated");
      return newest;
    },

    /** The draft there is, or a new one equal to the published version. */
    async createDraft(ctx: Ctx, id: DashboardId): Promise<Dashboard> {
      const published = await read(ctx.instanceId, id);
      if (published.draftStatus === "NEW") return shown(published);
      if (published.draft !== null) return shown(await read(ctx.instanceId, published.draft));
      demand(published, "createDraft");
      const draftId = deps.newId<"dashboard">();
      const { displayName, description, tags, dataCards, variables, name } = published;
      await store.insertDashboard(appDb, ctx.instanceId, {
        displayName,
        description,
        tags,
        dataCards,
        variables,
        name,
        id: draftId,
        parentId: id,
        draftStatus: "NEW",
        ...stamp(ctx),
      });
      await changed(ctx, id, "updated");
      // Two people at once: the second insert did nothing, and both get the one draft.
      const { draft } = await read(ctx.instanceId, id);
      return shown(await read(ctx.instanceId, draft ?? draftId));
    },

    /** Puts the draft in the published dashboard's place in one step; a first draft becomes the published one itself. */
    async publish(ctx: Caller, id: string): Promise<Dashboard> {
      const at = ctx.instanceId;
      const draft = await draftOf(at, id);
      demand(draft, "publish");
      const publishedId = (draft.parentId ?? draft.id) as DashboardId;
      await transaction(appPool, async ({ db }) => {
        if (draft.parentId === null) return store.approveDashboard(db, at, draft.id, stamp(ctx));
        const parent = await store.readDashboard(db, at, publishedId);
        if (!parent) throw new AppError("not_found", { what: "Dashboard" });
        const { displayName, description, tags, dataCards, variables } = draft;
        const replaced = await store.updateDashboard(db, at, publishedId, parent.version, {
          displayName,
          description,
          tags,
          dataCards,
          variables,
          ...stamp(ctx),
        });
        if (!replaced) throw new AppError("stale_version", { newest: shown(parent) });
        return store.deleteDashboard(db, at, draft.id);
      });
      await changed(ctx, publishedId, "published");
      return shown(await read(at, publishedId));
    },

    async remove(ctx: Ctx, id: DashboardId): Promise<{ draft: string | null }> {
      const dashboard = await read(ctx.instanceId, id);
      if (dashboard.seeded || dashboard.isExample) throw new AppError("dashboard_seeded");
      await store.deleteDashboard(appDb, ctx.instanceId, id);
      await changed(ctx, id, "deleted");
      return { draft: dashboard.draft };
    },

    async removeDraft(ctx: Ctx, id: DashboardId): Promise<{ parentId: string | null }> {
      const draft = await draftOf(ctx.instanceId, id);
      demand(draft, "deleteDraft");
      await store.deleteDashboard(appDb, ctx.instanceId, draft.id);
      await changed(ctx, draft.parentId ?? draft.id, "deleted");
      return { parentId: draft.parentId };
    },

    /** The card's settings on this dashboard; every configured item needs a value. */
    async applySettings(
      ctx: Ctx,
      body: { dashboardId: DashboardId; dataCardId: Id<"dataCard">; configuration: VariableValues },
    ): Promise<Dashboard> {
      const dashboard = await read(ctx.instanceId, body.dashboardId);
      demand(dashboard, "edit");
      if (!dashboard.dataCards.some(({ id }) => id === body.dataCardId))
        throw new AppError("not_found", { what: "Data card" });
      const empty = Object.entries(body.configuration).filter(([, value]) => value === null || value === "");
      if (empty.length > 0)
        throw new AppError(
          "validation_failed",
          {},
          { errors: empty.map(([name]) => ({ path: `configuration.${name}`, message: "must not be empty" })) },
        );
      const dataCards = dashboard.dataCards.map((card) =>
        card.id === body.dataCardId ? { ...card, variablesMap: body.configuration } : card,
      );
      const saved = await store.updateDashboard(appDb, ctx.instanceId, dashboard.id, dashboard.version, {
        ...dashboard,
        dataCards,
        ...stamp(ctx),
      });
      if (!saved) throw new AppError("stale_version", { newest: shown(await read(ctx.instanceId, dashboard.id)) });
      await changed(ctx, dashboard.id, "updated");
      return shown(await read(ctx.instanceId, dashboard.id));
    },
  };
}

export interface ShownCard {
  id: Id<"dataCard">;
  displayName: string;
  description: string;
  configuration: CardConfiguration;
  variables: Variable[];
}

function sameContent(
  one: Pick<Dashboard, "dataCards" | "variables">,
  other: Pick<Dashboard, "dataCards" | "variables">,
): boolean {
  return JSON.stringify([one.dataCards, one.variables]) === JSON.stringify([other.dataCards, other.variables]);
}

/** A card's settings on a dashboard: its own, over what the dashboard's variables set by default. */
export function settingsOf(dashboard: Pick<Dashboard, "dataCards" | "variables">, cardId: string): VariableValues {
  const settings: VariableValues = {};
  for (const { variable, mappings } of dashboard.variables)
    for (const { dataCardId, apiName } of mappings) {
      const value = variable.variableDefaultValue?.defaultValue;
      if (dataCardId === cardId && value !== undefined) settings[apiName] = value;
    }
  return { ...settings, ...dashboard.dataCards.find(({ id }) => id === cardId)?.variablesMap };
}
