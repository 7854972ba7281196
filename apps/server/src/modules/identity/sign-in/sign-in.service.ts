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
import { acceptInvitation, findOpened } from "./accept-invitation.ts";
import * as accounts from "./accounts.store.ts";
import { checkPassword } from "./passwords.ts";
import type { SessionBook } from "./sessions.ts";
import { createOneTimeLink, type MadeLink } from "./one-time-links.ts";
import { endLinks, findLink, takeLink } from "./sessions.store.ts";

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
  /** Sets the password of a new account, or joins it to the one of this address that the password opens. */
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
    if (purpose === "full") await accounts.noteEntered(appDb, account.id, clock.now());
    return { ...opened, userId: account.id as Id<"user">, passwordExpired: purpose === "passwordChange" };
  }

  async function hasExpired(account: accounts.AccountRow): Promise<boolean> {
    if (account.password_expired) return true;
    if (!account.organisation_id || !account.password_changed_at) return false;
    const days = await accounts.passwordExpiryDays(appDb, account.organisation_id);
    if (days === null) return false;
    return new Date(account.password_changed_at).getTime() + days * 86_400_000 <= clock.now().getTime();
  }

  /** Everything that was opened with the old password ends with it. `joined`: accounts that get the same password. */
  async function changePassword(
    account: accounts.AccountRow,
    password: string,
    { keep, inside, joined = [] }: { keep?: string; inside?: Db; joined?: readonly accounts.AccountRow[] } = {},
  ): Promise<void> {
    const person = { email: account.email, firstName: account.first_name, lastName: account.last_name };
    checkPassword(password, person);
    const hash = await hashPassword(password);
    const work = async (db: Db) => {
      const now = clock.now();
      const ids = [account.id, ...joined.map(({ id }) => id)];
      await accounts.setPassword(db, ids, hash, now);
      for (const id of ids) {
        await endLinks(db, "passwordReset", id, now);
        await sessions.endAll(id as Id<"user">, { except: keep, db });
      }
    };
    await (inside ? work(inside) : transaction(appPool, ({ db }) => work(db)));
  }

  /** Earlier links stay good: else a stranger's request would end the one the person is about to use. */
  async function writeResetMails(email: string): Promise<void> {
    const known = await accounts.findAccountsOf(appDb, email);
    for (const account of known) await writeResetMail(account, { isOneOfSeveral: known.length > 1 });
  }

  async function writeResetMail(account: accounts.OpenAccount, { isOneOfSeveral }: { isOneOfSeveral: boolean }) {
    if (!(await rateLimiter.tryAttempt(LIMITS.resetMail, account.id))) return;
    const facts = { firstName: account.first_name, minutes: LINK_LIFETIME.resetMinutes };
    const { subject, text } = words.passwordReset;
    const whose = isOneOfSeveral ? ` (${account.organisation_name})` : "";
    await mail.send({
      to: account.email,
      subject: `${fill(subject, facts)}${whose}`,
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
      const known = await accounts.findAccountsOf(appDb, username);
      const account = await findOpened(known, password, { lane: SIGN_IN_LIMITS.lane, client: exchange.network });
      if (!account) {
        const [latest] = known;
        if (attempt.completesBurst && latest)
          background.run("a mail about wrong passwords could not be written", () => writeBurstMail(latest, exchange));
        throw new AppError("invalid_credentials");
      }
      await attempt.succeed();
      return open(account, (await hasExpired(account)) ? "passwordChange" : "full", exchange);
    },

    async forgotPassword(exchange, email) {
      await rateLimiter.consumeAttempt(LIMITS.forgotNetwork, exchange.network);
      await rateLimiter.consumeAttempt(LIMITS.forgotAccountAndNetwork, [email, exchange.network]);
      background.run("a reset mail could not be written", () => writeResetMails(email));
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
      const tokenHash = hashToken(invitationId);
      const invitedId = await findLink(appDb, "invitation", tokenHash, clock.now());
      const invited = invitedId ? await accounts.findAccount(appDb, invitedId) : undefined;
      if (!invited || invited.status !== "PENDING") throw new AppError("token_invalid");
      const { email } = invited;
      // Counted as an attempt to sign in: whoever has a link may not try passwords of accounts by it.
      const attempt = await attempts.begin(SIGN_IN_LIMITS, exchange, subjectOf(email));
      const known = await accounts.findAccountsOf(appDb, email);
      const opened = await findOpened(known, password, { lane: SIGN_IN_LIMITS.lane, client: exchange.network });
      await transaction(appPool, async ({ db }) => {
        await accounts.lockAddress(db, email);
        // A refused password undoes all of this, so that the link still works.
        if ((await takeLink(db, "invitation", tokenHash, clock.now())) !== invited.id)
          throw new AppError("token_invalid");
        await acceptInvitation(db, invited, opened, {
          now: clock.now(),
          setPassword: () => changePassword(invited, password, { inside: db }),
        });
      });
      await rateLimiter.refundAttempt(LIMITS.link, exchange.network);
      if (opened || known.length === 0) await attempt.succeed();
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
      const joined = await accounts.findJoinedAccounts(appDb, account.id);
      await changePassword(account, newPwd, { keep: ctx.actor.sessionId, joined });
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
