/** Shows an external analytics product to the people of an instance, while its feature is on. */
import type { Id, ParsedInput, Permission, ReplyOf } from "@accord/contracts";
import type { Feature } from "@accord/contracts/identity/instances";
import * as api from "@accord/contracts/insights/external-view";
import { insightsExternalView } from "@accord/contracts/messages/en/insights/external-view";
import type { RateLimit } from "../../../platform/access/rate-limiter.ts";
import type { Ctx } from "../../../platform/ctx.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { Features } from "../availability.ts";
import { callTurns } from "./call-turns.ts";
import { findExternalView } from "./external-view.store.ts";
import { genericProvider } from "./generic-provider.ts";
import { accessError } from "./list-client.ts";
import type { ExternalList, ExternalViewer, ExternalViewProvider } from "./provider.ts";
import { addressProblem } from "./product-addresses.ts";
import { issuerOf, openSecret } from "./settings.service.ts";

const HOUR = 60 * 60_000;
const LIMITS = api.EXTERNAL_VIEW_LIMITS;
const PER_PERSON: RateLimit = { scope: "externalView.person", attempts: LIMITS.perPerson, windowMs: HOUR };
const PER_INSTANCE: RateLimit = { scope: "externalView.instance", attempts: LIMITS.perInstance, windowMs: HOUR };

/** Beyond the permission to see dashboards: what the pages of this server need that show the same. */
const NEEDED: Record<api.ExternalViewKind, readonly Permission[]> = {
  dashboard: [],
  dataset: ["READ_INSIGHTS"],
  datasetCopy: ["READ_INSIGHTS", "CREATE_DATASET"],
  dataCard: ["VIEW_DATACARD"],
  path: [],
};

export interface ExternalViewNeeds {
  features: Features;
}

export type ExternalViewService = ReturnType<typeof externalViewService>;

export function externalViewService(deps: Deps, { features }: ExternalViewNeeds) {
  const { appDb, clock, newId, outbound, rateLimiter } = deps;
  const turns = callTurns();

  /** The feature that is missing, if any. */
  async function missingFeature(at: Id<"instance">): Promise<Feature | null> {
    for (const feature of ["Insights", "InsightsProvider"] as const)
      if (!(await features.isEnabled(at, feature))) return feature;
    return null;
  }

  async function requireFeature(at: Id<"instance">): Promise<void> {
    const feature = await missingFeature(at);
    if (feature) throw new AppError("feature_disabled", { feature });
  }

  async function findProvider(at: Id<"instance">): Promise<ExternalViewProvider | null> {
    const stored = await findExternalView(appDb, at);
    if (!stored) return null;
    const { definition } = stored;
    // Of rows that other rules let in, or another configuration of this server.
    if (addressProblem(deps.config, definition))
      throw accessError({ system: definition.name }, insightsExternalView.external.reason.address);
    const secret = await openSecret(deps, at, stored).catch((error: unknown) => {
      throw accessError({ system: definition.name }, insightsExternalView.external.reason.secret, error);
    });
    return genericProvider({
      ...{ clock, newId, outbound, turns, definition, secret },
      ...{ issuer: issuerOf(deps.config), instanceId: at },
    });
  }

  /** Counts the call. @throws AppError `feature_disabled`, `external_view_off`, `too_many_tries` */
  async function requireProvider({ instanceId, actor }: Ctx): Promise<ExternalViewProvider> {
    await requireFeature(instanceId);
    const provider = await findProvider(instanceId);
    if (!provider) throw new AppError("external_view_off");
    await rateLimiter.consumeAttempt(PER_PERSON, [instanceId, actor.userId]);
    await rateLimiter.consumeAttempt(PER_INSTANCE, instanceId);
    return provider;
  }

  /** As above, of a product that answers lists; without, no dataset is known here. */
  async function requireLists(ctx: Ctx): Promise<ExternalViewProvider> {
    const provider = await requireProvider(ctx);
    if (!provider.hasLists) throw new AppError("not_found", { what: "Dataset" });
    return provider;
  }

  return {
    async status(ctx: Ctx): Promise<ReplyOf<typeof api.getInsightsProvider>> {
      const isActive = (await missingFeature(ctx.instanceId)) === null;
      const stored = isActive ? await findExternalView(appDb, ctx.instanceId) : null;
      return {
        status: isActive ? "active" : "inactive",
        isConfigured: stored !== null,
        name: stored?.definition.name ?? "",
        hasLists: (stored?.definition.listAddress ?? "") !== "",
        mayConfigure: ctx.can("SERVICE_CREDENTIAL"),
      };
    },

    async token(
      ctx: Ctx,
      page: ParsedInput<typeof api.getExternalViewToken>["query"],
    ): Promise<ReplyOf<typeof api.getExternalViewToken>> {
      await requireFeature(ctx.instanceId);
      for (const permission of NEEDED[page.view]) ctx.demand(permission);
      const provider = await requireProvider(ctx);
      for (const kind of provider.kindsOf(page)) for (const permission of NEEDED[kind]) ctx.demand(permission);
      const token = await provider.getToken(viewerOf(ctx));
      const address = provider.embedAddress(page, token);
      if (address === null) throw new AppError("not_found", { what: "Address" });
      return { token: token.token, expiresAt: token.expiresAt.toISOString(), address };
    },

    async list(ctx: Ctx, list: ExternalList): Promise<ReplyOf<typeof api.listExternalDashboards>> {
      const provider = await requireProvider(ctx);
      if (!provider.hasLists) return { items: [], isCut: false, isListed: false };
      return { ...(await provider.list(list, viewerOf(ctx))), isListed: true };
    },

    dataset: async (ctx: Ctx, key: string): Promise<ReplyOf<typeof api.getExternalDataset>> =>
      (await requireLists(ctx)).getDataset(key, viewerOf(ctx)),

    preview: async (ctx: Ctx, key: string): Promise<ReplyOf<typeof api.previewExternalDataset>> =>
      (await requireLists(ctx)).previewRows(key, viewerOf(ctx)),

    /** The only origin that a page of the instance may frame; null: none. */
    async frameOrigin(at: Id<"instance">): Promise<string | null> {
      if ((await missingFeature(at)) !== null) return null;
      const stored = await findExternalView(appDb, at);
      if (stored === null || addressProblem(deps.config, stored.definition)) return null;
      return new URL(stored.definition.address).origin;
    },
  };
}

const viewerOf = ({ actor, exchange }: Ctx): ExternalViewer => ({
  ...{ userId: actor.userId, email: actor.email, signal: exchange.signal },
  name: `${actor.firstName} ${actor.lastName}`.trim(),
});
