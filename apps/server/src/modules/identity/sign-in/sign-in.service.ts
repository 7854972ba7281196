/** Signing in and out, and the three ways to a new password: with the old one, by a mailed link, by an invitation. */
import type { Id } from "@accord/contracts";
import { LINK_LIFETIME } from "@accord/contracts/identity/sign-in";
import { mails as words } from "@accord/contracts/messages/en/mails";
import { fill } from "@accord/contracts/messages/fill";
import { randomBytes } from "node:crypto";
import { clearTries, takeTry, type Limit } from "../../../platform/access/throttle.ts";
import { hashToken, newToken } from "../../../platform/access/token.ts";
import type { Ctx, Exchange } from "../../../platform/ctx.ts";
import type { Db } from "../../../platform/db/db.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import * as accounts from "./accounts.store.ts";
import { checkPassword, hashPassword, verifyPassword } from "./passwords.ts";
import type { SessionBook } from "./sessions.ts";
import { endLinks, insertLink, takeLink } from "./sessions.store.ts";

const QUARTER_HOUR = 15 * 60_000;
export const LIMITS = {
  account: { scope: "signIn.account", tries: 10, windowMs: QUARTER_HOUR },
  address: { scope: "signIn.address", tries: 100, windowMs: QUARTER_HOUR },
  forgotAccount: { scope: "forgotPassword.account", tries: 3, windowMs: QUARTER_HOUR },
  forgotAddress: { scope: "forgotPassword.address", tries: 30, windowMs: QUARTER_HOUR },
  link: { scope: "link.address", tries: 60, windowMs: QUARTER_HOUR },
  currentPassword: { scope: "currentPassword.account", tries: 10, windowMs: QUARTER_HOUR },
} satisfies Record<string, Limit>;

export interface Opened {
  userId: Id<"user">;
  sessionId: string;
  token: string;
  passwordExpired: boolean;
}

export interface SignInService {
  signIn(exchange: Exchange, login: { username: string; password: string }): Promise<Opened>;
  /** Answers at once; the mail is written afterwards. */
  forgotPassword(exchange: Exchange, email: string): Promise<void>;
  openReset(exchange: Exchange, token: string): Promise<Opened>;
  resetPassword(ctx: Ctx, userId: Id<"user">, newPassword: string): Promise<void>;
  setInvitedPassword(exchange: Exchange, invitationId: string, password: string): Promise<{ email: string }>;
  updatePassword(ctx: Ctx, userId: Id<"user">, passwords: { currentPwd: string; newPwd: string }): Promise<void>;
  /** Makes a new invitation link, ending older ones, and mails it. */
  invite(
    person: { id: string; email: string; firstName: string; organisationId: string },
    inviter: string,
  ): Promise<void>;
  /** Waits for mails that are still being written. */
  settle(): Promise<void>;
}

export function signInService(deps: Deps, sessions: SessionBook): SignInService {
  const { appDb, appPool, clock, config, log, mail } = deps;
  const afterwards = new Set<Promise<void>>();

  async function open(account: accounts.AccountRow, purpose: "full" | "passwordChange", exchange: Exchange) {
    const instanceId = await accounts.startingInstance(appDb, account.id);
    const session = {
      userId: account.id,
      instanceId,
      purpose,
      address: exchange.address,
      userAgent: exchange.userAgent,
    };
    const opened = await sessions.open(session);
    return { ...opened, userId: account.id as Id<"user">, passwordExpired: purpose === "passwordChange" };
  }

  async function hasExpired(account: accounts.AccountRow): Promise<boolean> {
    if (account.password_expired) return true;
    if (!account.organisation_id || !account.password_changed_at) return false;
    const days = await accounts.passwordExpiryDays(appDb, account.organisation_id);
    if (days === null) return false;
    return new Date(account.password_changed_at).getTime() + days * 86_400_000 <= clock.now().getTime();
  }

  /** Everything that was opened with the old password ends with it. */
  async function changePassword(
    account: accounts.AccountRow,
    password: string,
    keep?: string,
    inside?: Db,
  ): Promise<void> {
    const person = { email: account.email, firstName: account.first_name, lastName: account.last_name };
    checkPassword(password, person);
    const hash = await hashPassword(password);
    const work = async (db: Db) => {
      const now = clock.now();
      await accounts.setPassword(db, account.id, hash, now);
      await endLinks(db, "passwordReset", account.id, now);
      await sessions.endAll(account.id as Id<"user">, { except: keep, db });
    };
    await (inside ? work(inside) : transaction(appPool, ({ db }) => work(db)));
    await clearTries(deps, LIMITS.account, account.email);
  }

  async function writeResetMail(email: string): Promise<void> {
    const account = await accounts.findByEmail(appDb, email);
    if (!account?.organisation_id || account.status !== "ACTIVE") return;
    const token = newToken();
    const now = clock.now();
    await endLinks(appDb, "passwordReset", account.id, now);
    await insertLink(appDb, {
      token_hash: hashToken(token),
      kind: "passwordReset",
      user_id: account.id,
      created_at: now,
      expires_at: new Date(now.getTime() + LINK_LIFETIME.resetMinutes * 60_000),
    });
    const link = `${config.baseUrl}/authentication/resetpassword?token=${token}`;
    const facts = { firstName: account.first_name, link, minutes: LINK_LIFETIME.resetMinutes };
    const { subject, text } = words.passwordReset;
    await mail.send({
      to: account.email,
      subject: fill(subject, facts),
      text: fill(text, facts),
      kind: "passwordReset",
      organisationId: account.organisation_id,
    });
  }

  return {
    async signIn(exchange, { username, password }) {
      await takeTry(deps, LIMITS.address, exchange.address);
      await takeTry(deps, LIMITS.account, username);
      const account = await accounts.findByEmail(appDb, username);
      const mayEnter = account?.status === "ACTIVE" && account.organisation_id !== null;
      const fits = await verifyPassword(mayEnter ? account.password_hash : null, password);
      if (!account || !fits) throw new AppError("invalid_credentials");
      await clearTries(deps, LIMITS.account, username);
      return open(account, (await hasExpired(account)) ? "passwordChange" : "full", exchange);
    },

    async forgotPassword(exchange, email) {
      await takeTry(deps, LIMITS.forgotAddress, exchange.address);
      await takeTry(deps, LIMITS.forgotAccount, email);
      // Not awaited: a known address must not take longer than an unknown one.
      const writing: Promise<void> = writeResetMail(email)
        .catch((error: unknown) => log.error({ err: error }, "a reset mail could not be written"))
        .finally(() => afterwards.delete(writing));
      afterwards.add(writing);
    },

    async openReset(exchange, token) {
      await takeTry(deps, LIMITS.link, exchange.address);
      const userId = await takeLink(appDb, "passwordReset", hashToken(token), clock.now());
      const account = userId ? await accounts.findAccount(appDb, userId) : undefined;
      if (!account || account.status !== "ACTIVE") throw new AppError("token_invalid");
      return open(account, "passwordChange", exchange);
    },

    async resetPassword(ctx, userId, newPassword) {
      if (userId !== ctx.actor.userId) throw new AppError("not_found", { what: "User" });
      // With a full session the current password must be shown: that is `updatePassword`.
      if (ctx.purpose !== "passwordChange") throw new AppError("forbidden");
      const account = await ownAccount(appDb, ctx);
      if (await verifyPassword(account.password_hash, newPassword)) {
        throw new AppError("password_too_weak", { reason: "It is the same as before." });
      }
      await changePassword(account, newPassword);
    },

    async setInvitedPassword(exchange, invitationId, password) {
      await takeTry(deps, LIMITS.link, exchange.address);
      return transaction(appPool, async ({ db }) => {
        const userId = await takeLink(db, "invitation", hashToken(invitationId), clock.now());
        const account = userId ? await accounts.findAccount(db, userId) : undefined;
        // A refused password undoes all of this, so that the link still works.
        if (!account || account.status !== "PENDING") throw new AppError("token_invalid");
        await changePassword(account, password, undefined, db);
        await accounts.activateInvited(db, account.id, clock.now());
        return { email: account.email };
      });
    },

    async updatePassword(ctx, userId, { currentPwd, newPwd }) {
      if (userId !== ctx.actor.userId) throw new AppError("not_found", { what: "User" });
      await takeTry(deps, LIMITS.currentPassword, userId);
      const account = await ownAccount(appDb, ctx);
      if (!(await verifyPassword(account.password_hash, currentPwd))) {
        throw new AppError(
          "validation_failed",
          {},
          { errors: [{ path: "currentPwd", message: "is not your password" }] },
        );
      }
      if (newPwd === currentPwd) throw new AppError("password_too_weak", { reason: "It is the same as before." });
      await changePassword(account, newPwd, ctx.actor.sessionId);
      await clearTries(deps, LIMITS.currentPassword, userId);
    },

    async invite(person, inviter) {
      const invitationId = randomBytes(12).toString("hex");
      const now = clock.now();
      await endLinks(appDb, "invitation", person.id, now);
      await insertLink(appDb, {
        token_hash: hashToken(invitationId),
        kind: "invitation",
        user_id: person.id,
        created_at: now,
        expires_at: new Date(now.getTime() + LINK_LIFETIME.invitationDays * 86_400_000),
      });
      const link = `${config.baseUrl}/invited-user/setpassword/${invitationId}`;
      const facts = { firstName: person.firstName, inviter, link, days: LINK_LIFETIME.invitationDays };
      await mail.send({
        to: person.email,
        subject: fill(words.invitation.subject, facts),
        text: fill(words.invitation.text, facts),
        kind: "invitation",
        organisationId: person.organisationId,
      });
    },

    async settle() {
      await Promise.all(afterwards);
    },
  };
}

async function ownAccount(db: Db, ctx: Ctx): Promise<accounts.AccountRow> {
  const account = await accounts.findAccount(db, ctx.actor.userId);
  if (!account) throw new AppError("not_signed_in");
  return account;
}
