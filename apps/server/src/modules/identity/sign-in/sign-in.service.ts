/** Signing in and out, and the three ways to a new password: with the old one, by a mailed link, by an invitation. */
import type { Id } from "@accord/contracts";
import { LINK_LIFETIME } from "@accord/contracts/identity/sign-in";
import { mails as words } from "@accord/contracts/messages/en/mails";
import { fill } from "@accord/contracts/messages/fill";
import { credentialAttempts, type CredentialLimits } from "../../../platform/access/credential-attempts.ts";
import { hashPassword, verifyPassword } from "../../../platform/access/password-hash.ts";
import type { RateLimit } from "../../../platform/access/rate-limiter.ts";
import { hashToken } from "../../../platform/access/token.ts";
import type { Ctx, Exchange } from "../../../platform/ctx.ts";
import type { Db } from "../../../platform/db/db.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import { backgroundTasks } from "../../../platform/background-tasks.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { OneTimeLink } from "../../../platform/mail/mail.ts";
import * as accounts from "./accounts.store.ts";
import { checkPassword } from "./passwords.ts";
import type { SessionBook } from "./sessions.ts";
import { createOneTimeLink, type MadeLink } from "./one-time-links.ts";
import { endLinks, takeLink } from "./sessions.store.ts";

const QUARTER_HOUR = 15 * 60_000;
const HOUR = 60 * 60_000;
export const SIGN_IN_LIMITS: CredentialLimits = {
  lane: "staff",
  network: { scope: "signIn.network", attempts: 100, windowMs: QUARTER_HOUR },
  accountAndNetwork: { scope: "signIn.accountAndNetwork", attempts: 10, windowMs: QUARTER_HOUR },
  account: { scope: "signIn.account", attempts: 50, windowMs: HOUR, maxGapMs: 60_000 },
  device: { scope: "signIn.device", attempts: 10, windowMs: QUARTER_HOUR },
};
const LIMITS = {
  forgotNetwork: { scope: "forgotPassword.network", attempts: 30, windowMs: QUARTER_HOUR },
  forgotAccountAndNetwork: { scope: "forgotPassword.accountAndNetwork", attempts: 3, windowMs: QUARTER_HOUR },
  /** Mails to one person. Their links outlive the window: whoever gets no further one has one that works. */
  resetMail: { scope: "forgotPassword.mail", attempts: 6, windowMs: QUARTER_HOUR },
  link: { scope: "link.network", attempts: 60, windowMs: QUARTER_HOUR },
  currentPassword: { scope: "currentPassword.session", attempts: 10, windowMs: QUARTER_HOUR },
  burstMail: { scope: "signIn.burstMail", attempts: 1, windowMs: 24 * HOUR },
} satisfies Record<string, RateLimit>;
/** What attempts at a person's account are counted under. */
const subjectOf = (email: string) => `staff ${email}`;

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
  /** A link that sets the person's password, to be handed over. Whoever asks must be allowed to. */
  createLink(link: OneTimeLink): Promise<MadeLink>;
  /** Ends older invitation links and mails a new one. */
  invite(
    person: { id: string; email: string; firstName: string; organisationId: string },
    inviter: string,
  ): Promise<void>;
  /** Waits for mails that are still being written. */
  settle(): Promise<void>;
}

export function signInService(deps: Deps, sessions: SessionBook): SignInService {
  const { appDb, appPool, clock, config, log, mail, rateLimiter } = deps;
  const attempts = credentialAttempts(deps);
  const background = backgroundTasks(log);

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
  }

  /** Earlier links stay good: else a stranger's request would end the one the person is about to use. */
  async function writeResetMail(email: string): Promise<void> {
    const account = await accounts.findByEmail(appDb, email);
    if (!account?.organisation_id || account.status !== "ACTIVE") return;
    if (!(await rateLimiter.tryAttempt(LIMITS.resetMail, account.id))) return;
    const facts = { firstName: account.first_name, minutes: LINK_LIFETIME.resetMinutes };
    const { subject, text } = words.passwordReset;
    await mail.send({
      to: account.email,
      subject: fill(subject, facts),
      text: fill(text, facts),
      kind: "passwordReset",
      link: { kind: "passwordReset", userId: account.id },
      organisationId: account.organisation_id,
    });
  }

  /** Tells the person, once in a day, that somebody guesses at their password. */
  async function writeBurstMail(account: accounts.AccountRow, exchange: Exchange): Promise<void> {
    if (!account.organisation_id || !(await rateLimiter.tryAttempt(LIMITS.burstMail, account.id))) return;
    const link = `${config.baseUrl}/authentication/forgotpassword`;
    const facts = { firstName: account.first_name, address: exchange.address, link };
    await mail.send({
      to: account.email,
      subject: fill(words.wrongPasswords.subject, facts),
      text: fill(words.wrongPasswords.text, facts),
      kind: "wrongPasswords",
      organisationId: account.organisation_id,
    });
  }

  return {
    async signIn(exchange, { username, password }) {
      const attempt = await attempts.begin(SIGN_IN_LIMITS, exchange, subjectOf(username));
      const account = await accounts.findByEmail(appDb, username);
      const mayEnter = account?.status === "ACTIVE" && account.organisation_id !== null;
      const place = { lane: SIGN_IN_LIMITS.lane, client: exchange.network };
      const isRight = await verifyPassword(mayEnter ? account.password_hash : null, password, place);
      if (!account || !isRight) {
        if (attempt.completesBurst && account && mayEnter)
          background.run("a mail about wrong passwords could not be written", () => writeBurstMail(account, exchange));
        throw new AppError("invalid_credentials");
      }
      await attempt.succeed();
      return open(account, (await hasExpired(account)) ? "passwordChange" : "full", exchange);
    },

    async forgotPassword(exchange, email) {
      await rateLimiter.consumeAttempt(LIMITS.forgotNetwork, exchange.network);
      await rateLimiter.consumeAttempt(LIMITS.forgotAccountAndNetwork, [email, exchange.network]);
      background.run("a reset mail could not be written", () => writeResetMail(email));
    },

    async openReset(exchange, token) {
      await rateLimiter.consumeAttempt(LIMITS.link, exchange.network);
      const userId = await takeLink(appDb, "passwordReset", hashToken(token), clock.now());
      const account = userId ? await accounts.findAccount(appDb, userId) : undefined;
      if (!account || account.status !== "ACTIVE") throw new AppError("token_invalid");
      await rateLimiter.refundAttempt(LIMITS.link, exchange.network);
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
      await attempts.forgive(SIGN_IN_LIMITS, ctx.exchange, subjectOf(account.email));
    },

    async setInvitedPassword(exchange, invitationId, password) {
      await rateLimiter.consumeAttempt(LIMITS.link, exchange.network);
      const { email } = await transaction(appPool, async ({ db }) => {
        const userId = await takeLink(db, "invitation", hashToken(invitationId), clock.now());
        const account = userId ? await accounts.findAccount(db, userId) : undefined;
        // A refused password undoes all of this, so that the link still works.
        if (!account || account.status !== "PENDING") throw new AppError("token_invalid");
        await changePassword(account, password, undefined, db);
        await accounts.activateInvited(db, account.id, clock.now());
        return { email: account.email };
      });
      await rateLimiter.refundAttempt(LIMITS.link, exchange.network);
      await attempts.forgive(SIGN_IN_LIMITS, exchange, subjectOf(email));
      return { email };
    },

    async updatePassword(ctx, userId, { currentPwd, newPwd }) {
      if (userId !== ctx.actor.userId) throw new AppError("not_found", { what: "User" });
      await rateLimiter.consumeAttempt(LIMITS.currentPassword, ctx.actor.sessionId);
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
      await rateLimiter.resetAttempts(LIMITS.currentPassword, ctx.actor.sessionId);
      await attempts.forgive(SIGN_IN_LIMITS, ctx.exchange, subjectOf(account.email));
    },

    async invite(person, inviter) {
      await endLinks(appDb, "invitation", person.id, clock.now());
      const facts = { firstName: person.firstName, inviter, days: LINK_LIFETIME.invitationDays };
      await mail.send({
        to: person.email,
        subject: fill(words.invitation.subject, facts),
        text: fill(words.invitation.text, facts),
        kind: "invitation",
        link: { kind: "invitation", userId: person.id },
        organisationId: person.organisationId,
      });
    },

    createLink: (link) => createOneTimeLink(deps, link),

    settle: () => background.settle(),
  };
}

async function ownAccount(db: Db, ctx: Ctx): Promise<accounts.AccountRow> {
  const account = await accounts.findAccount(db, ctx.actor.userId);
  if (!account) throw new AppError("not_signed_in");
  return account;
}
