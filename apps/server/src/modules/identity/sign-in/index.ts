/** Signing in: sessions, passwords and one-time links. */
import { CSRF } from "@accord/contracts";
import * as contract from "@accord/contracts/identity/sign-in";
import { z } from "zod";
import type { Ctx } from "../../../platform/ctx.ts";
import type { Deps } from "../../../platform/deps.ts";
import type { AntiForgery } from "../../../platform/http/request/anti-forgery.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { sessionCookieName } from "../../../platform/http/request/session-cookie.ts";
import { defineJob } from "../../../platform/jobs/jobs.ts";
import { route, type Module } from "../../../platform/module.ts";
import { ABSOLUTE_MS, sessionService, type SessionBook } from "./sessions.ts";
import { signInService, type Opened, type SignInService } from "./sign-in.service.ts";
import { housekeeping } from "./housekeeping.ts";

export { hashPassword } from "../../../platform/access/password-hash.ts";
export { checkPassword } from "./passwords.ts";
export { findJoinedAccounts, noteEntered } from "./accounts.store.ts";
export { setSessionPlace } from "./sessions.store.ts";
export type { SessionBook } from "./sessions.ts";
export type { SignInService } from "./sign-in.service.ts";

export interface SignIn extends Module {
  service: SignInService;
  sessions: SessionBook;
}

const cleanUp = defineJob({ name: "identity.cleanUp", data: z.strictObject({}) });

export function signInModule(deps: Deps, { forgery }: { forgery: AntiForgery }): SignIn {
  const sessions = sessionService(deps);
  const service = signInService(deps, sessions);
  const cookieName = sessionCookieName(deps.config.baseUrl);

  function giveForgeryToken(ctx: Ctx, sessionId: string | null): void {
    ctx.exchange.setCookie(CSRF.cookie, forgery.token(sessionId), { path: "/", sameSite: "lax", readable: true });
  }

  /** A session is never continued: whatever this browser had before ends here. */
  async function enter(ctx: Ctx, opened: Opened): Promise<void> {
    const before = ctx.exchange.cookie(cookieName);
    if (before) await sessions.endByToken(before);
    ctx.exchange.setCookie(cookieName, opened.token, { path: "/", sameSite: "lax", maxAge: ABSOLUTE_MS / 1_000 });
    giveForgeryToken(ctx, opened.sessionId);
  }

  return {
    name: "identity/sign-in",
    service,
    sessions,
    routes: [
      route(contract.checkSignIn, async (ctx) => {
        giveForgeryToken(ctx, ctx.signedIn ? ctx.actor.sessionId : null);
        return { signedIn: ctx.signedIn, passwordExpired: ctx.purpose === "passwordChange" };
      }),
      route(contract.signIn, async (ctx, { body }) => {
        const opened = await service.signIn(ctx.exchange, body);
        await enter(ctx, opened);
        return { userId: opened.userId, passwordExpired: opened.passwordExpired };
      }),
      route(contract.signOut, async (ctx) => {
        if (ctx.signedIn) await sessions.end(ctx.actor.sessionId);
        ctx.exchange.clearCookie(cookieName, { path: "/" });
        // Not cookies: the session's is taken back above, and the device's own lets its person in while others guess.
        ctx.exchange.setHeader("clear-site-data", '"cache", "storage"');
        giveForgeryToken(ctx, null);
        return {};
      }),
      route(contract.forgotPassword, async (ctx, { body }) => {
        await service.forgotPassword(ctx.exchange, body.email);
        return {};
      }),
      route(contract.openPasswordReset, async (ctx, { body }) => {
        const opened = await service.openReset(ctx.exchange, body.token);
        await enter(ctx, opened);
        return { userId: opened.userId };
      }),
      route(contract.resetPassword, async (ctx, { params, body }) => {
        await service.resetPassword(ctx, params.userId, body.newPwd);
        ctx.exchange.clearCookie(cookieName, { path: "/" });
        giveForgeryToken(ctx, null);
        return {};
      }),
      route(contract.setInvitedPassword, (ctx, { params, body }) =>
        service.setInvitedPassword(ctx.exchange, params.invitationId, body.password),
      ),
      route(contract.updatePassword, async (ctx, { params, body }) => {
        if (body.userId !== params.userId) throw notYours();
        await service.updatePassword(ctx, params.userId, body);
        return {};
      }),
    ],
    start: async () => () => service.settle(),
    startWorker: async () => {
      const stop = await deps.jobs.work(cleanUp, () => housekeeping(deps, sessions));
      await deps.jobs.schedule(cleanUp, "17 * * * *", {});
      return stop;
    },
  };
}

function notYours(): AppError {
  return new AppError("not_found", { what: "User" });
}
