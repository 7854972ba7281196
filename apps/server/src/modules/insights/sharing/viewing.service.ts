/** Use cases of people outside: open a shared dashboard with a password or a mailed code, look at it, leave. */
import type { Id } from "@accord/contracts";
import { isId } from "@accord/contracts";
import { decodeEmail, SHARING } from "@accord/contracts/insights/sharing";
import { insights } from "@accord/contracts/messages/en/insights";
import type { VariableValues } from "@accord/contracts/insights/variables";
import type { Ctx, ShareViewer } from "../../../platform/ctx.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { CardsService } from "../cards/index.ts";
import { type DashboardsService, settingsOf } from "../dashboards/index.ts";
import type { DatasetsService } from "../datasets/index.ts";
import { hashSecret, newCode, newToken, secretFits, tokenHash } from "./share-secrets.ts";
import * as store from "./shares.store.ts";
import { isExpired } from "./sharing.service.ts";
import type { Tries } from "./tries.ts";

export const SHARE_COOKIE = "accord_share";
export const SHARE_COOKIE_PATH = "/api/v1/shared";

interface Invitation {
  email: string;
  dashboardId: string;
}

export interface ViewingNeeds {
  dashboards: DashboardsService;
  cards: CardsService;
  datasets: DatasetsService;
  tries: Tries;
}

export function viewingService(deps: Deps, needs: ViewingNeeds) {
  const { appDb } = deps;
  const { dashboards, cards, datasets, tries } = needs;
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
      await tries.count("open", invitation.dashboardId, invitation.email);
      const share = await find(invitation);
      const code =
        share?.codeHash && share.codeExpiresAt !== null && share.codeExpiresAt > now() ? share.codeHash : null;
      const passwordFits = await secretFits(share?.passwordHash ?? null, secret.trim());
      const codeFits = await secretFits(code, secret.trim());
      const byCode = codeFits && share !== null && code !== null && (await store.takeCode(appDb, share.id, code));
      if (!share || (!passwordFits && !byCode)) throw new AppError("invalid_credentials");
      if (isExpired(share, now())) throw new AppError("share_expired");
      await tries.forget("open", invitation.dashboardId, invitation.email);
      await enter(ctx, share);
      return { dashboardId: share.dashboardId };
    },

    /** Mails a code when the address was invited; answers the same, and as fast, when it was not. */
    async requestCode(encoded: Invitation): Promise<void> {
      const invitation = decoded(encoded);
      await tries.count("code", invitation.dashboardId, invitation.email);
      const share = await find(invitation);
      const code = newCode();
      const codeHash = await hashSecret(code);
      if (!share || isExpired(share, now())) return;
      await store.setCode(appDb, share.id, codeHash, inMinutes(SHARING.codeMinutes));
      const organisationId = await store.organisationOf(appDb, share.instanceId);
      const { codeSubject, codeText } = insights.mail;
      await deps.mail.send({
        to: share.email,
        subject: codeSubject,
        text: codeText.replace("{{code}}", code).replace("{{minutes}}", String(SHARING.codeMinutes)),
        kind: "shareCode",
        organisationId,
        instanceId: share.instanceId,
      });
    },

    async dashboard(ctx: Ctx, dashboardId: string) {
      const { share, shares } = await entered(ctx, dashboardId);
      const dashboard = await dashboards.read(share.instanceId, share.dashboardId);
      const shown = await dashboards.cardsOf(share.instanceId, dashboard);
      const layouts = new Map<string, (typeof dashboard.dataCards)[number]["layout"]>(
        dashboard.dataCards.map(({ id, layout }) => [id, layout]),
      );
      return {
        displayName: dashboard.displayName,
        description: dashboard.description,
        sharedBy: share.sharedBy,
        email: share.email,
        expiryDate: share.expiresAt,
        cards: shown.map((card) => ({
          ...card,
          layout: layouts.get(card.id)!,
          variables: card.variables.filter(({ updatable }) => updatable),
        })),
        others: shares
          .filter((one) => !isExpired(one, now()))
          .map((one) => ({ dashboardId: one.dashboardId, displayName: one.displayName })),
      };
    },

    /** One card of the dashboard as published. Values of variables that are not the viewer's to change are not looked at. */
    async cardData(ctx: Ctx, { dashboardId, cardId }: { dashboardId: string; cardId: string }, values: VariableValues) {
      const { share } = await entered(ctx, dashboardId);
      const at = share.instanceId;
      const dashboard = await dashboards.read(at, share.dashboardId);
      const placed = dashboard.dataCards.find(({ id }) => id === cardId);
      if (!placed) throw new AppError("not_found", { what: "Data card" });
      const { configuration } = (await cards.read(at, placed.id)).contents;
      const variables = await cards.variablesOfCard(at, configuration);
      const own = Object.fromEntries(
        variables
          .filter(({ updatable, apiName }) => updatable && Object.hasOwn(values, apiName))
          .map(({ apiName }) => [apiName, values[apiName]!]),
      );
      const dataset = await datasets.read(at, configuration.datasetId as Id<"dataset">);
      const { data } = await cards.answer({
        instanceId: at,
        configuration,
        dataset: dataset.datasetConfig,
        catalogue: await datasets.catalogue(at),
        values: [own, settingsOf(dashboard, cardId)],
        principal: `share ${share.id}`,
        permissionVersion: `dashboard ${dashboard.version}`,
        refresh: false,
      });
      return { data };
    },

    async close(ctx: Ctx): Promise<void> {
      await store.deleteSession(appDb, ctx.viewer.sessionId);
      ctx.exchange.clearCookie(SHARE_COOKIE, { path: SHARE_COOKIE_PATH });
    },
  };

  /** The browser's own session gains this share when it is the same person's, else a new session starts. */
  async function enter(ctx: Ctx, share: store.StoredShare): Promise<void> {
    const carried = ctx.exchange.cookie(SHARE_COOKIE);
    const known = carried ? await store.findSession(appDb, tokenHash(carried), now()) : null;
    if (known && known.email === share.email && known.instanceId === share.instanceId)
      return store.letIn(appDb, known.tokenHash, share, now());
    const token = newToken();
    const session = { tokenHash: tokenHash(token), instanceId: share.instanceId, email: share.email };
    await store.insertSession(appDb, { ...session, expiresAt: inMinutes(SHARING.sessionHours * 60), now: now() });
    await store.letIn(appDb, session.tokenHash, share, now());
    ctx.exchange.setCookie(SHARE_COOKIE, token, {
      path: SHARE_COOKIE_PATH,
      sameSite: "strict",
      maxAge: SHARING.sessionHours * 3_600,
    });
  }
}
