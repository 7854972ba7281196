/** Use cases of people outside: open a shared dashboard with a password or a mailed code, look at it, leave. */
import { isId } from "@accord/contracts";
import type { CrossFilters } from "@accord/contracts/insights/cross-filter";
import type { CardLayout } from "@accord/contracts/insights/dashboards";
import { decodeEmail, type SharedCard, SHARING } from "@accord/contracts/insights/sharing";
import { insights } from "@accord/contracts/messages/en/insights";
import type { VariableValues } from "@accord/contracts/insights/variables";
import type { Ctx, ShareViewer } from "../../../platform/ctx.ts";
import { credentialAttempts } from "../../../platform/access/credential-attempts.ts";
import { verifyPassword } from "../../../platform/access/password-hash.ts";
import { backgroundTasks } from "../../../platform/background-tasks.ts";
import type { Deps } from "../../../platform/deps.ts";
import { shareCookieName } from "../../../platform/http/request/session-cookie.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { RequireInsights } from "../availability.ts";
import type { DashboardsService, DashboardView, ShownCard } from "../dashboards/index.ts";
import { CODE_LIMITS, GUEST_LIMITS, guestOf } from "./guest-limits.ts";
import { codeHash, isCode, newCode, newToken, tokenHash } from "./share-secrets.ts";
import * as store from "./shares.store.ts";
import { isExpired } from "./sharing.service.ts";

interface Invitation {
  email: string;
  dashboardId: string;
}

export interface ViewingNeeds {
  dashboards: DashboardsService;
  view: DashboardView;
  requireInsights: RequireInsights;
}

export function viewingService(deps: Deps, needs: ViewingNeeds) {
  const { appDb, rateLimiter } = deps;
  const cookieName = shareCookieName(deps.config.baseUrl);
  const { dashboards, view } = needs;
  const attempts = credentialAttempts(deps);
  const background = backgroundTasks(deps.log);
  const now = () => deps.clock.now().toISOString();
  const inMinutes = (minutes: number): string => new Date(deps.clock.now().getTime() + minutes * 60_000).toISOString();

  const find = async ({ email, dashboardId }: Invitation): Promise<store.StoredShare | null> =>
    isId(dashboardId) ? store.findShare(appDb, dashboardId, email) : null;

  /** The address itself; what is none counts as an address that nobody invited. */
  const decoded = ({ email, dashboardId }: Invitation): Invitation => ({
    email: decodeEmail(email)?.toLowerCase().replaceAll("\0", "") ?? "",
    dashboardId,
  });

  /** The share behind a call, checked again on every call: taken back, expired and shared anew all count at once. */
  async function entered(ctx: Ctx, dashboardId: string) {
    const shares = await store.sharesOfSession(appDb, ctx.viewer.sessionId);
    const share = shares.find((one) => one.dashboardId === dashboardId);
    if (!share) throw new AppError("share_password_required");
    if (isExpired(share, now())) throw new AppError("share_expired");
    return { share, shares };
  }

  return {
    /** Asked by the HTTP edge on every call of somebody outside. */
    async findSession(token: string): Promise<ShareViewer | null> {
      const session = await store.findSession(appDb, tokenHash(token), now());
      if (!session) return null;
      const organisationId = await store.organisationOf(appDb, session.instanceId);
      return { email: session.email, sessionId: session.tokenHash, instanceId: session.instanceId, organisationId };
    },

    /** An address nobody invited and a wrong password get one answer, in the same time. */
    async open(ctx: Ctx, { secret, ...encoded }: Invitation & { secret: string }): Promise<{ dashboardId: string }> {
      const invitation = decoded(encoded);
      const guest = guestOf(invitation.dashboardId, invitation.email);
      const attempt = await attempts.begin(GUEST_LIMITS, ctx.exchange, guest);
      const share = await find(invitation);
      if (!(await verifySecret(ctx, share, secret.trim())) || !share) {
        if (attempt.completesBurst && share)
          background.run("a mail about wrong passwords could not be written", () => mailBurst(share));
        throw new AppError("invalid_credentials");
      }
      if (isExpired(share, now())) throw new AppError("share_expired");
      await needs.requireInsights(share.instanceId);
      await attempt.succeed();
      await enter(ctx, share);
      return { dashboardId: share.dashboardId };
    },

    /** Mails a code, after the answer, when the address was invited: an answer that takes longer would tell. */
    async requestCode(ctx: Ctx, encoded: Invitation): Promise<void> {
      const invitation = decoded(encoded);
      const guest = guestOf(invitation.dashboardId, invitation.email);
      await rateLimiter.consumeAttempt(CODE_LIMITS.network, ctx.exchange.network);
      await rateLimiter.consumeAttempt(CODE_LIMITS.guestAndNetwork, [guest, ctx.exchange.network]);
      background.run("a code could not be mailed", async () => {
        const share = await find(invitation);
        if (share) await needs.requireInsights(share.instanceId);
        if (share && !isExpired(share, now()) && (await rateLimiter.tryAttempt(CODE_LIMITS.mail, guest)))
          await mailCode(share);
      });
    },

    /** Waits for mails that are still being written. */
    settle: () => background.settle(),

    async dashboard(ctx: Ctx, dashboardId: string) {
      const { share, shares } = await entered(ctx, dashboardId);
      const dashboard = await dashboards.read(share.instanceId, share.dashboardId);
      const shown = await view.cardsOf(share.instanceId, dashboard);
      return {
        displayName: dashboard.displayName,
        description: dashboard.description,
        sharedBy: share.sharedBy,
        email: share.email,
        expiryDate: share.expiresAt,
        cards: dashboard.dataCards.flatMap(({ id, layout }) => {
          const card = shown.find((one) => one.id === id);
          return card ? [guestCard(card, layout)] : [];
        }),
        others: shares
          .filter((one) => !isExpired(one, now()))
          .map((one) => ({ dashboardId: one.dashboardId, displayName: one.displayName })),
      };
    },

    /**
     * One card of the dashboard as published. Values of variables that are not the viewer's to change are not looked at,
     * and filters restrict it by what its other cards show to this viewer.
     */
    async cardData(
      ctx: Ctx,
      { dashboardId, cardId }: { dashboardId: string; cardId: string },
      { variablesMap: values, filters }: { variablesMap: VariableValues; filters: CrossFilters },
    ) {
      const { share } = await entered(ctx, dashboardId);
      const dashboard = await dashboards.read(share.instanceId, share.dashboardId);
      return view.cardData(share.instanceId, dashboard, {
        cardId,
        values,
        filters,
        onlyUpdatable: true,
        principal: `share ${share.id}`,
        permissionVersion: `dashboard ${dashboard.version}`,
        refresh: false,
        caller: { client: `share ${share.id}`, signal: ctx.exchange.signal },
      });
    },

    async close(ctx: Ctx): Promise<void> {
      await store.deleteSession(appDb, ctx.viewer.sessionId);
      ctx.exchange.clearCookie(cookieName, { path: "/" });
    },
  };

  /** What looks like a code is compared with codes only, anything else with the password: never both. */
  async function verifySecret(ctx: Ctx, share: store.StoredShare | null, secret: string): Promise<boolean> {
    if (isCode(secret)) {
      const shareId = share?.id ?? "";
      return store.takeCode(appDb, { shareId, codeHash: codeHash(deps.secrets, shareId, secret), now: now() });
    }
    return verifyPassword(share?.passwordHash ?? null, secret, {
      lane: GUEST_LIMITS.lane,
      client: ctx.exchange.network,
    });
  }

  /** Earlier codes stay good: else a stranger's request would end the one the guest is about to type. */
  async function mailCode(share: store.StoredShare): Promise<void> {
    const code = newCode();
    await store.insertCode(appDb, {
      shareId: share.id,
      codeHash: codeHash(deps.secrets, share.id, code),
      expiresAt: inMinutes(SHARING.codeMinutes),
      now: now(),
    });
    const { codeSubject, codeText } = insights.mail;
    await mailGuest(share, "shareCode", {
      subject: codeSubject,
      text: codeText.replace("{{minutes}}", String(SHARING.codeMinutes)),
      code,
    });
  }

  /** Tells the guest, once in a day, that somebody guesses at their password. */
  async function mailBurst(share: store.StoredShare): Promise<void> {
    if (!(await rateLimiter.tryAttempt(CODE_LIMITS.burstMail, share.id))) return;
    const { wrongPasswordsSubject, wrongPasswordsText } = insights.mail;
    await mailGuest(share, "wrongPasswords", { subject: wrongPasswordsSubject, text: wrongPasswordsText });
  }

  async function mailGuest(
    share: store.StoredShare,
    kind: string,
    mail: { subject: string; text: string; code?: string },
  ) {
    const organisationId = await store.organisationOf(appDb, share.instanceId);
    await deps.mail.send({ ...mail, to: share.email, kind, organisationId, instanceId: share.instanceId });
  }

  /** The browser's own session gains this share when it is the same person's, else a new session starts. */
  async function enter(ctx: Ctx, share: store.StoredShare): Promise<void> {
    const carried = ctx.exchange.cookie(cookieName);
    const known = carried ? await store.findSession(appDb, tokenHash(carried), now()) : null;
    if (known && known.email === share.email && known.instanceId === share.instanceId)
      return store.createShareSession(appDb, known.tokenHash, share, now());
    const token = newToken();
    const session = { tokenHash: tokenHash(token), instanceId: share.instanceId, email: share.email };
    await store.insertSession(appDb, { ...session, expiresAt: inMinutes(SHARING.sessionHours * 60), now: now() });
    await store.createShareSession(appDb, session.tokenHash, share, now());
    ctx.exchange.setCookie(cookieName, token, {
      path: "/",
      sameSite: "strict",
      maxAge: SHARING.sessionHours * 3_600,
    });
  }
}

/** What the guest's page needs of a card, and nothing of what it is made of. */
function guestCard({ configuration, variables, ...card }: ShownCard, { x, y, w, h }: CardLayout): SharedCard {
  const { formatVersion: _, datasetId: __, variablesMap: ___, filter: ____, ...presentation } = configuration;
  return {
    ...card,
    layout: { x, y, w, h },
    configuration: presentation,
    variables: variables.filter(({ updatable }) => updatable),
  };
}
