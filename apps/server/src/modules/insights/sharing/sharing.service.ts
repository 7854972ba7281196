/** Use cases of people who share a dashboard: invite, list, extend, take back, share again. */
import { dashboardAllows } from "@accord/analytics-engine";
import type { Id } from "@accord/contracts";
import { insightsChanged } from "@accord/contracts/insights/dashboards";
import { type Share, type ShareResult, SHARING, sharedDashboardPath } from "@accord/contracts/insights/sharing";
import { z } from "zod";
import type { Ctx } from "../../../platform/ctx.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError, invalidField } from "../../../platform/http/app-error.ts";
import { authorName } from "../author.ts";
import type { DashboardsService } from "../dashboards/index.ts";
import { hashPassword } from "../../../platform/access/password-hash.ts";
import type { AllowedDomainsService } from "./allowed-domains.service.ts";
import { GUEST_LIMITS, guestOf } from "./guest-limits.ts";
import { shareMail } from "./share-mail.ts";
import { newPassword } from "./share-secrets.ts";
import * as store from "./shares.store.ts";

type DashboardId = Id<"dashboard">;
type ShareId = Id<"share">;
export type SharingService = ReturnType<typeof sharingService>;

export interface ShareRequest {
  emails: string[];
  expiryDate: string | null;
  message: string;
  secret: "password" | "code";
}

interface Invitation {
  email: string;
  /** Null: they get in with a mailed code. */
  password: string | null;
  passwordHash: string | null;
}

const CursorText = z.tuple([z.iso.datetime(), z.string().max(60)]);

export function sharingService(deps: Deps, needs: { dashboards: DashboardsService; domains: AllowedDomainsService }) {
  const { appDb, appPool, rateLimiter } = deps;
  const { dashboards, domains } = needs;
  const now = () => deps.clock.now().toISOString();

  /** Only what is published can be shared, and examples never. */
  async function shareable(ctx: Ctx, id: DashboardId) {
    const dashboard = await dashboards.read(ctx.instanceId, id);
    if (dashboard.seeded || dashboard.isExample) throw new AppError("dashboard_seeded");
    if (!dashboardAllows(dashboard, "share"))
      throw new AppError("invalid_state", {
        reason: "Publish the dashboard first: only published dashboards can be shared.",
      });
    return dashboard;
  }

  function checkExpiry(expiryDate: string | null): void {
    if (expiryDate !== null && expiryDate <= now()) throw invalidField("expiryDate", "must be in the future");
  }

  async function read(ctx: Ctx, dashboardId: DashboardId, id: ShareId): Promise<store.StoredShare> {
    await dashboards.read(ctx.instanceId, dashboardId);
    return required(await store.readShare(appDb, ctx.instanceId, dashboardId, id));
  }

  function required(share: store.StoredShare | null): store.StoredShare {
    if (!share) throw new AppError("not_found", { what: "Share" });
    return share;
  }

  async function shown(shares: readonly store.StoredShare[], dashboardId: DashboardId): Promise<Share[]> {
    const attempts = await rateLimiter.countAttempts(
      GUEST_LIMITS.account,
      shares.map(({ email }) => guestOf(dashboardId, email)),
    );
    return shares.map((share) => ({
      sharedItemId: share.id,
      email: share.email,
      expiryDate: share.expiresAt,
      status: isExpired(share, now()) ? "EXPIRED" : share.lastViewedAt ? "VIEWED" : "INVITED",
      sharedBy: share.sharedBy,
      sharedAt: share.sharedAt,
      lastViewedAt: share.lastViewedAt,
      locked: (attempts.get(guestOf(dashboardId, share.email)) ?? 0) >= SHARING.tries,
      link: `${deps.config.baseUrl}${sharedDashboardPath(share.email, dashboardId)}`,
    }));
  }

  const shownOne = async (share: store.StoredShare, dashboardId: DashboardId): Promise<Share> =>
    (await shown([share], dashboardId))[0]!;

  /** All of them or nobody: the list of allowed domains stays as it is until the shares are there. */
  async function invite(
    ctx: Ctx,
    dashboard: { id: DashboardId; displayName: string },
    request: ShareRequest,
  ): Promise<ShareResult[]> {
    const emails = [...new Set(request.emails)];
    // Outside the transaction: a hash takes its time.
    const invitations: Invitation[] = [];
    for (const email of emails) {
      const password = request.secret === "password" ? newPassword() : null;
      invitations.push({ email, password, passwordHash: password === null ? null : await hashPassword(password) });
    }
    await transaction(appPool, async ({ db }) => {
      await domains.requireAllowed(db, ctx.instanceId, request.emails);
      // In one order for everybody: two that invite the same people wait for each other, and neither for ever.
      for (const { email, passwordHash } of invitations.toSorted((one, other) => (one.email < other.email ? -1 : 1)))
        await store.upsertShare(db, {
          id: deps.newId<"share">(),
          instanceId: ctx.instanceId,
          dashboardId: dashboard.id,
          email,
          passwordHash,
          expiresAt: request.expiryDate,
          sharedBy: authorName(ctx),
          sharedAt: now(),
        });
    });
    const results: ShareResult[] = [];
    for (const invitation of invitations) results.push(await notify(ctx, dashboard, invitation, request));
    return results;
  }

  async function notify(
    ctx: Ctx,
    dashboard: { id: DashboardId; displayName: string },
    { email, password }: Invitation,
    request: ShareRequest,
  ): Promise<ShareResult> {
    for (const limit of [GUEST_LIMITS.account, GUEST_LIMITS.accountAndNetwork])
      await rateLimiter.resetAttempts(limit, guestOf(dashboard.id, email));
    const stored = await store.findShare(appDb, dashboard.id, email);
    if (!stored) throw new AppError("not_found", { what: "Dashboard" });
    const share = await shownOne(stored, dashboard.id);
    const mail = shareMail({
      sharer: authorName(ctx),
      dashboard: dashboard.displayName,
      link: share.link,
      message: request.message,
      expiryDate: request.expiryDate,
      secret: request.secret,
    });
    await deps.mail.send({
      ...mail,
      to: email,
      kind: "shareInvitation",
      organisationId: ctx.organisationId,
      instanceId: ctx.instanceId,
    });
    return { share, password, mailed: true };
  }

  async function changed(ctx: Ctx, id: string): Promise<void> {
    await deps.realtime.publish(ctx.instanceId, insightsChanged, { kind: "share", id, action: "updated" });
  }

  return {
    countByDashboard: (at: Id<"instance">) => store.countByDashboard(appDb, at),

    async share(ctx: Ctx, id: DashboardId, request: ShareRequest): Promise<ShareResult[]> {
      const dashboard = await shareable(ctx, id);
      checkExpiry(request.expiryDate);
      const results = await invite(ctx, dashboard, request);
      await changed(ctx, id);
      return results;
    },

    async list(
      ctx: Ctx,
      id: DashboardId,
      query: {
        predicate?: string | undefined;
        cursor?: string | undefined;
        pageSize: number;
        direction: "next" | "previous";
      },
    ) {
      await dashboards.read(ctx.instanceId, id);
      const from = query.cursor === undefined ? null : readCursor(query.cursor);
      const page = { predicate: query.predicate, from, direction: query.direction, count: query.pageSize + 1 };
      const [found, total] = await Promise.all([
        store.readShares(appDb, ctx.instanceId, id, page),
        store.countShares(appDb, ctx.instanceId, id, query.predicate),
      ]);
      const more = found.length > query.pageSize;
      const shares = found.slice(0, query.pageSize);
      if (query.direction === "previous") shares.reverse();
      const [first, last] = [shares[0], shares.at(-1)];
      return {
        shares: await shown(shares, id),
        nextCursor: last && (query.direction === "previous" || more) ? writeCursor(last) : null,
        previousCursor: first && (query.direction === "previous" ? more : from !== null) ? writeCursor(first) : null,
        total,
      };
    },

    async setExpiry(ctx: Ctx, dashboardId: DashboardId, id: ShareId, expiryDate: string | null): Promise<Share> {
      await read(ctx, dashboardId, id);
      await transaction(appPool, async ({ db }) => {
        const share = required(await store.readShare(db, ctx.instanceId, dashboardId, id, { lock: true }));
        if (isLater(expiryDate, share.expiresAt)) await domains.requireAllowed(db, ctx.instanceId, [share.email]);
        await store.setExpiry(db, ctx.instanceId, id, expiryDate);
      });
      await changed(ctx, dashboardId);
      return shownOne(await read(ctx, dashboardId, id), dashboardId);
    },

    async remove(ctx: Ctx, dashboardId: DashboardId, id: ShareId): Promise<void> {
      await read(ctx, dashboardId, id);
      await store.deleteShare(appDb, ctx.instanceId, id);
      await changed(ctx, dashboardId);
    },

    async reshare(
      ctx: Ctx,
      dashboardId: DashboardId,
      id: ShareId,
      request: Pick<ShareRequest, "expiryDate" | "secret">,
    ): Promise<ShareResult> {
      const { email } = await read(ctx, dashboardId, id);
      const dashboard = await shareable(ctx, dashboardId);
      checkExpiry(request.expiryDate);
      const [result] = await invite(ctx, dashboard, { ...request, emails: [email], message: "" });
      await changed(ctx, dashboardId);
      return result!;
    },
  };
}

/** No end is later than any. */
const isLater = (end: string | null, than: string | null): boolean => than !== null && (end === null || end > than);

export const isExpired = (share: Pick<store.StoredShare, "expiresAt">, now: string): boolean =>
  share.expiresAt !== null && share.expiresAt <= now;

const writeCursor = ({ sharedAt, id }: store.StoredShare): string =>
  Buffer.from(JSON.stringify([sharedAt, id])).toString("base64url");

function readCursor(cursor: string): { sharedAt: string; id: string } {
  try {
    const [sharedAt, id] = CursorText.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")));
    return { sharedAt, id: id.replaceAll("\0", "") };
  } catch {
    throw invalidField("cursor", "is not a cursor of this list: start from the first page");
  }
}
