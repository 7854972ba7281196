/** Use cases of the cycle of draft and published version. Publishing copies what the dashboard shows: see publications. */
import { settleLayout } from "@accord/analytics-engine";
import type { Id } from "@accord/contracts";
import type { Dashboard } from "@accord/contracts/insights/dashboards";
import type { Caller, Ctx } from "../../../platform/ctx.ts";
import type { Db } from "../../../platform/db/db.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { CardsService } from "../cards/index.ts";
import { type DashboardBase, type DashboardId, requireAllowed, withoutStamp } from "./dashboard-base.ts";
import * as store from "./dashboards.store.ts";
import type { DraftChangesService } from "./draft-changes.service.ts";
import type { PublicationsService } from "./publications.service.ts";

type StoredDashboard = store.StoredDashboard;

interface DraftsNeeds {
  base: DashboardBase;
  cards: CardsService;
  publications: PublicationsService;
  draftChanges: DraftChangesService;
}

export function draftsService(deps: Deps, { base, cards, publications, draftChanges }: DraftsNeeds) {
  const { appDb, appPool } = deps;
  const { read, stamp, publishChange } = base;

  /** A draft by its own id or by its published dashboard's. */
  async function draftOf(instanceId: Id<"instance">, id: string): Promise<StoredDashboard> {
    const dashboard = await read(instanceId, id);
    if (dashboard.draftStatus === "NEW") return dashboard;
    if (dashboard.seeded) throw new AppError("dashboard_seeded");
    if (dashboard.draft === null) throw new AppError("dashboard_has_no_draft");
    return read(instanceId, dashboard.draft);
  }

  /** What a dashboard holds, without cards that were deleted while only the published version showed them. */
  async function presentContent(
    instanceId: Id<"instance">,
    { displayName, description, tags, dataCards, variables }: StoredDashboard,
  ): Promise<store.DashboardContent> {
    const words = { displayName, description, tags };
    const found = await cards.readMany(
      instanceId,
      dataCards.map(({ id }) => id),
    );
    const present = new Set<string>(found.map(({ id }) => id));
    if (dataCards.every(({ id }) => present.has(id))) return { ...words, dataCards, variables };
    return {
      ...words,
      dataCards: settleLayout(dataCards.filter(({ id }) => present.has(id))),
      variables: variables.map((one) => ({
        ...one,
        mappings: one.mappings.filter(({ dataCardId }) => present.has(dataCardId)),
      })),
    };
  }

  /** Writes a published dashboard's content together with the copy of its cards and datasets. */
  async function replacePublished(
    db: Db,
    ctx: Caller,
    published: StoredDashboard,
    content: store.DashboardContent,
  ): Promise<void> {
    const { instanceId } = ctx;
    const { id, version } = published;
    if (!(await store.updateDashboard(db, instanceId, id, version, { ...content, ...stamp(ctx) })))
      throw new AppError("stale_version", { newest: withoutStamp(published) });
    await publications.write(db, instanceId, id, { ...content, ...stamp(ctx) });
  }

  /** Puts the draft in the published dashboard's place in one step; a first draft becomes the published one itself. */
  async function publishDraft(ctx: Caller, draft: StoredDashboard): Promise<string> {
    const { instanceId } = ctx;
    requireAllowed(draft, "publish");
    const publishedId = draft.parentId ?? draft.id;
    await transaction(appPool, async ({ db }) => {
      if (draft.parentId === null) {
        await store.approveDashboard(db, instanceId, draft.id, stamp(ctx));
        return publications.write(db, instanceId, draft.id, { ...draft, ...stamp(ctx) });
      }
      const parent = await store.readDashboard(db, instanceId, publishedId);
      if (!parent) throw new AppError("not_found", { what: "Dashboard" });
      const { displayName, description, tags, dataCards, variables } = draft;
      await replacePublished(db, ctx, parent, { displayName, description, tags, dataCards, variables });
      return store.deleteDashboard(db, instanceId, draft.id);
    });
    return publishedId;
  }

  /** Publishes what changed of the cards and datasets while nobody changed the dashboard itself. */
  async function publishChanges(ctx: Caller, published: StoredDashboard): Promise<string> {
    requireAllowed(published, "publishChanges");
    if ((await draftChanges.changes(ctx.instanceId, published)).length === 0)
      throw new AppError("dashboard_has_no_draft");
    const content = await presentContent(ctx.instanceId, published);
    await transaction(appPool, ({ db }) => replacePublished(db, ctx, published, content));
    return published.id;
  }

  return {
    /** The draft there is, or a new one equal to the published version. */
    async createDraft(ctx: Ctx, id: DashboardId): Promise<Dashboard> {
      const { instanceId } = ctx;
      const published = await read(instanceId, id);
      if (published.draftStatus === "NEW") return withoutStamp(published);
      if (published.draft !== null) return withoutStamp(await read(instanceId, published.draft));
      requireAllowed(published, "createDraft");
      const draftId = deps.newId<"dashboard">();
      await store.insertDashboard(appDb, instanceId, {
        ...(await presentContent(instanceId, published)),
        name: published.name,
        id: draftId,
        parentId: id,
        draftStatus: "NEW",
        ...stamp(ctx),
      });
      await publishChange(ctx, id, "updated");
      // Two people at once: the second insert did nothing, and both get the one draft.
      const { draft } = await read(instanceId, id);
      return withoutStamp(await read(instanceId, draft ?? draftId));
    },

    /** By the id of a draft or of its published dashboard. */
    async publish(ctx: Caller, id: string): Promise<Dashboard> {
      const dashboard = await read(ctx.instanceId, id);
      const isAlone = dashboard.draftStatus === "APPROVED" && dashboard.draft === null;
      const publishedId = isAlone
        ? await publishChanges(ctx, dashboard)
        : await publishDraft(ctx, await draftOf(ctx.instanceId, id));
      await publishChange(ctx, publishedId, "published");
      return withoutStamp(await read(ctx.instanceId, publishedId));
    },

    /** Unless definitions are kept, the published cards and datasets are what is stored again, in the same step. */
    async removeDraft(
      ctx: Ctx,
      id: DashboardId,
      { keepDefinitions }: { keepDefinitions: boolean },
    ): Promise<{ parentId: string | null; reverted: number }> {
      const draft = await draftOf(ctx.instanceId, id);
      requireAllowed(draft, "deleteDraft");
      const revert = keepDefinitions ? null : await draftChanges.prepareRevert(ctx, draft);
      await transaction(appPool, async ({ db }) => {
        await revert?.write(db, ctx);
        await store.deleteDashboard(db, ctx.instanceId, draft.id);
      });
      await revert?.announce(ctx);
      await publishChange(ctx, draft.parentId ?? draft.id, "deleted");
      return { parentId: draft.parentId, reverted: revert?.count ?? 0 };
    },
  };
}
