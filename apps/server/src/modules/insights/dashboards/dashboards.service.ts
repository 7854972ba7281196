/** Use cases of dashboards: make, change, delete, layout, settings of cards. */
import { dashboardAllows, repeatedCards, settleLayout } from "@accord/analytics-engine";
import type { FieldProblem, Id } from "@accord/contracts";
import type { Dashboard, DashboardCard } from "@accord/contracts/insights/dashboards";
import type { Dependency } from "@accord/contracts/insights/datasets";
import { isBlankVariable, type VariableValues } from "@accord/contracts/insights/variables";
import type { Caller, Ctx } from "../../../platform/ctx.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError, invalidField } from "../../../platform/http/app-error.ts";
import type { CardsService } from "../cards/index.ts";
import type { DatasetsService } from "../datasets/index.ts";
import { type DashboardBase, type DashboardId, requireAllowed, withoutStamp } from "./dashboard-base.ts";
import * as store from "./dashboards.store.ts";

type At = Id<"instance">;

interface DashboardsNeeds {
  base: DashboardBase;
  cards: CardsService;
  datasets: DatasetsService;
}

export function dashboardsService(deps: Deps, { base, cards, datasets }: DashboardsNeeds) {
  const { appDb } = deps;
  const { read, stamp, publishChange } = base;

  cards.addUses(async (at, cardId) => {
    const dashboards = await store.readDashboards(appDb, at);
    return dashboards
      .filter(({ draftStatus, dataCards }) => draftStatus === "NEW" && dataCards.some(({ id }) => id === cardId))
      .map(({ id, displayName }) => ({ kind: "dashboard", id, displayName }));
  });

  // Drafts use the variables that their settings and their own variables set.
  datasets.findUsersOfParts(async (at, datasetIds) => {
    const drafts = (await store.readDashboards(appDb, at)).filter(({ draftStatus }) => draftStatus === "NEW");
    const placed = await cards.readMany(at, [...new Set(drafts.flatMap((one) => one.dataCards.map(({ id }) => id)))]);
    const datasetOf = new Map<string, string>(placed.map(({ id, contents }) => [id, contents.configuration.datasetId]));
    return drafts.flatMap(({ id, displayName, dataCards, variables }) =>
      dataCards.flatMap((card) => {
        const datasetId = datasetOf.get(card.id);
        if (datasetId === undefined || !datasetIds.has(datasetId)) return [];
        const mapped = variables.flatMap(({ mappings }) => mappings.filter(({ dataCardId }) => dataCardId === card.id));
        const names = [...Object.keys(card.variablesMap ?? {}), ...mapped.map(({ apiName }) => apiName)];
        const use: Dependency = { kind: "dashboard", id, displayName };
        const used = new Set(names.map((name) => name.toLowerCase()));
        return [{ datasetId, use, columns: new Set<string>(), variables: used }];
      }),
    );
  });

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

  return {
    read,
    readAll: (at: At) => store.readDashboards(appDb, at),

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
      await publishChange(ctx, id, "created");
      return withoutStamp(await read(ctx.instanceId, id));
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
      if (!sameContent(before, content)) requireAllowed(before, "edit");
      // The published version may show cards that were deleted since.
      const dataCards = dashboardAllows(before, "edit")
        ? await checkedCards(ctx.instanceId, content.dataCards)
        : before.dataCards;
      const mapped = content.variables.flatMap(({ mappings }) => mappings.map(({ dataCardId }) => dataCardId));
      if (mapped.some((cardId) => !dataCards.some((card) => card.id === cardId)))
        throw new AppError("not_found", { what: "Data card" });
      const saved = await store.updateDashboard(appDb, ctx.instanceId, id, version, {
        ...content,
        dataCards,
        ...stamp(ctx),
      });
      const newest = withoutStamp(await read(ctx.instanceId, id));
      if (!saved) throw new AppError("stale_version", { newest });
      await publishChange(ctx, id, "updated");
      return newest;
    },

    async remove(ctx: Ctx, id: DashboardId): Promise<{ draft: string | null }> {
      const dashboard = await read(ctx.instanceId, id);
      if (dashboard.seeded || dashboard.isExample) throw new AppError("dashboard_seeded");
      await store.deleteDashboard(appDb, ctx.instanceId, id);
      await publishChange(ctx, id, "deleted");
      return { draft: dashboard.draft };
    },

    /** The card's settings on this dashboard; every configured item needs a value. */
    async applySettings(
      ctx: Ctx,
      body: { dashboardId: DashboardId; dataCardId: Id<"dataCard">; configuration: VariableValues },
    ): Promise<Dashboard> {
      const dashboard = await read(ctx.instanceId, body.dashboardId);
      requireAllowed(dashboard, "edit");
      const placed = dashboard.dataCards.find(({ id }) => id === body.dataCardId);
      if (!placed) throw new AppError("not_found", { what: "Data card" });
      const { contents } = await cards.read(ctx.instanceId, body.dataCardId);
      const variables = await cards.variablesOfCard(ctx.instanceId, contents.configuration);
      const errors = settingProblems(body.configuration, [
        ...variables.map(({ apiName }) => apiName),
        // Those of variables that have gone are kept, and may be sent along.
        ...Object.keys(placed.variablesMap ?? {}),
      ]);
      if (errors.length > 0) throw new AppError("validation_failed", {}, { errors });
      const variablesMap = { ...placed.variablesMap, ...body.configuration };
      const dataCards = dashboard.dataCards.map((card) =>
        card.id === body.dataCardId ? { ...card, variablesMap } : card,
      );
      const saved = await store.updateDashboard(appDb, ctx.instanceId, dashboard.id, dashboard.version, {
        ...dashboard,
        dataCards,
        ...stamp(ctx),
      });
      if (!saved)
        throw new AppError("stale_version", { newest: withoutStamp(await read(ctx.instanceId, dashboard.id)) });
      await publishChange(ctx, dashboard.id, "updated");
      return withoutStamp(await read(ctx.instanceId, dashboard.id));
    },
  };
}

function settingProblems(settings: VariableValues, known: readonly string[]): FieldProblem[] {
  return Object.entries(settings).flatMap(([name, value]) => {
    const path = `configuration.${name}`;
    if (!known.includes(name)) return [{ path, message: "is no variable of this card" }];
    return isBlankVariable(value) ? [{ path, message: "must not be empty" }] : [];
  });
}

function sameContent(
  one: Pick<Dashboard, "dataCards" | "variables">,
  other: Pick<Dashboard, "dataCards" | "variables">,
): boolean {
  return JSON.stringify([one.dataCards, one.variables]) === JSON.stringify([other.dataCards, other.variables]);
}
