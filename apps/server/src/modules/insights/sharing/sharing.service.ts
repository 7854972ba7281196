/** Use cases of people who share a dashboard: invite, list, extend, take back, share again. */
import { dashboardAllows } from "@accord/analytics-engine";
import type { Id } from "@accord/contracts";
import { insightsChanged } from "@accord/contracts/insights/dashboards";
import { type Share, type ShareResult, SHARING, sharedDashboardPath } from "@accord/contracts/insights/sharing";
import { insights } from "@accord/contracts/messages/en/insights";
import { z } from "zod";
import type { Ctx } from "../../../platform/ctx.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError, invalidField } from "../../../platform/http/app-error.ts";
import { authorName } from "../author.ts";
import type { DashboardsService } from "../dashboards/index.ts";
import { hashPassword } from "../../../platform/access/password-hash.ts";
import { GUEST_LIMITS, guestOf } from "./guest-limits.ts";
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

const CursorText = z.tuple([z.iso.datetime(), z.string().max(60)]);

export function sharingService(deps: Deps, needs: { dashboards: DashboardsService }) {
  const { appDb, rateLimiter } = deps;
  const { dashboards } = needs;
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
    const share = await store.readShare(appDb, ctx.instanceId, dashboardId, id);
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

  /** The mail carries the link and never the password. */
  async function give(
    ctx: Ctx,
    dashboard: { id: DashboardId; displayName: string },
    email: string,
    request: Omit<ShareRequest, "emails">,
  ): Promise<ShareResult> {
    const password = request.secret === "password" ? newPassword() : null;
    await store.upsertShare(appDb, {
      id: deps.newId<"share">(),
      instanceId: ctx.instanceId,
      dashboardId: dashboard.id,
      email,
      passwordHash: password === null ? null : await hashPassword(password),
      expiresAt: request.expiryDate,
      sharedBy: authorName(ctx),
      sharedAt: now(),
    });
    for (const limit of [GUEST_LIMITS.account, GUEST_LIMITS.accountAndNetwork])
      await rateLimiter.resetAttempts(limit, guestOf(dashboard.id, email));
    const stored = await store.findShare(appDb, dashboard.id, email);
    if (!stored) throw new AppError("not_found", { what: "Dashboard" });
    const [share] = await shown([stored], dashboard.id);
    const mail = shareMail({
      sharer: authorName(ctx),
      dashboard: dashboard.displayName,
      link: share!.link,
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
    return { share: share!, password, mailed: true };
  }

  async function changed(ctx: Ctx, id: string): Promise<void> {
    await deps.realtime.publish(ctx.instanceId, insightsChanged, { kind: "share", id, action: "updated" });
  }

  return {
    countByDashboard: (at: Id<"instance">) => store.countByDashboard(appDb, at),

    async share(ctx: Ctx, id: DashboardId, request: ShareRequest): Promise<ShareResult[]> {
      const dashboard = await shareable(ctx, id);
      checkExpiry(request.expiryDate);
      const results: ShareResult[] = [];
      for (const email of new Set(request.emails)) results.push(await give(ctx, dashboard, email, request));
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
      await store.setExpiry(appDb, ctx.instanceId, id, expiryDate);
      await changed(ctx, dashboardId);
      const [share] = await shown([await read(ctx, dashboardId, id)], dashboardId);
      return share!;
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
      const result = await give(ctx, dashboard, email, { ...request, message: "" });
      await changed(ctx, dashboardId);
      return result;
    },
  };
}

export const isExpired = (share: Pick<store.StoredShare, "expiresAt">, now: string): boolean =>
  share.expiresAt !== null && share.expiresAt <= now;

function shareMail(facts: {
  sharer: string;
  dashboard: string;
  link: string;
  message: string;
  expiryDate: string | null;
  secret: "password" | "code";
}) {
  const words = insights.mail;
  const fill = (text: string): string =>
    text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(facts[name as keyof typeof facts] ?? ""));
  const until = facts.expiryDate === null ? "" : words.shareUntil.replace("{{date}}", facts.expiryDate.slice(0, 10));
  const parts = [
    fill(words.shareText),
    facts.message,
    fill(words.shareLink),
    fill(words[facts.secret === "password" ? "sharePassword" : "shareCode"]),
    until,
  ];
  // A subject is one line, whatever a dashboard is called.
  return {
    subject: fill(words.shareSubject).replace(/\s+/g, " "),
    text: parts.filter((part) => part !== "").join("\n\n"),
  };
}

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
