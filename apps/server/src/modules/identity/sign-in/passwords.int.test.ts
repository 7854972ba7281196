/** T5, T6, T7: the ways to a password and to a session, attacked. */
import {
  forgotPassword,
  openPasswordReset,
  resetPassword,
  setInvitedPassword,
  signIn,
  updatePassword,
} from "@accord/contracts/identity/sign-in";
import { getCurrentUser, inviteUser, reinviteUser } from "@accord/contracts/identity/users";
import { getHealth } from "@accord/contracts/operations/health";
import { beforeAll, describe, expect, test } from "vitest";
import { mailServer, type MailServer, testApp, type TestApp } from "../../../../test-kit/index.ts";
import { hashPassword } from "./index.ts";

const PASSWORD = "a long walk by the river";
const NEW = "vermilion okapi 77";
let t: TestApp;
let mails: MailServer;
let passwordHash: string;
beforeAll(async () => {
  mails = await mailServer();
  t = await testApp({ roles: ["worker"], config: { smtpUrl: mails.url } });
  passwordHash = await hashPassword(PASSWORD);
  return () => mails.close();
});

const person = (email: string) => t.build.user({ email, passwordHash, roles: ["VIEWER"] });
const login = (username: string, password: string) => t.anonymous.send(signIn, { body: { username, password } });

async function resetToken(email: string): Promise<string> {
  const count = mails.received(email).length + 1;
  await t.anonymous.call(forgotPassword, { body: { email } });
  return /token=([\w-]+)/.exec(await mails.next(email, count))?.[1] ?? "";
}

/** Opens the link as a browser would: with the cookies of the answer. */
async function openLink(token: string) {
  const answer = await t.anonymous.send(openPasswordReset, { body: { token } });
  const cookies = Object.fromEntries(answer.cookies);
  const headers = { "x-csrf-token": cookies["accord_csrf"] ?? "" };
  return { answer, cookies, headers };
}

describe("[T5] a forgotten password", () => {
  test("[PLT-110] a mailed link opens a session that may do nothing but set a new password, once", async () => {
    const userId = await person("reset@example.com");
    const { answer, cookies, headers } = await openLink(await resetToken("reset@example.com"));
    expect(answer.body).toEqual({ userId });
    const me = await t.anonymous.raw({ url: "/api/v1/user", cookies });
    expect(me.body).toMatchObject({ id: userId, passwordExpired: true, permissions: [] });
    expect((await t.anonymous.raw({ url: "/api/v1/instances", cookies })).body).toMatchObject({
      code: "password_expired",
    });

    const put = (id: string, newPwd: string) =>
      t.anonymous.raw({
        method: "PUT",
        url: `/api/v1/user/resetpassword/${id}`,
        cookies,
        headers,
        payload: { newPwd },
      });
    expect((await put(await person("victim@example.com"), NEW)).status).toBe(404);
    expect((await put(userId, "password1234")).body).toMatchObject({ code: "password_too_weak" });
    expect((await put(userId, PASSWORD)).body).toMatchObject({ code: "password_too_weak" });
    expect((await put(userId, NEW)).status).toBe(200);
    expect((await put(userId, NEW)).status).toBe(401);
    expect((await login("reset@example.com", PASSWORD)).status).toBe(401);
    expect((await login("reset@example.com", NEW)).status).toBe(200);
    expect((await login("victim@example.com", PASSWORD)).status).toBe(200);
  });

  test("an ordinary session can't reset without the current password", async () => {
    const userId = await person("full@example.com");
    const me = await t.asUser(userId);
    await expect(me.call(resetPassword, { params: { userId }, body: { newPwd: NEW } })).rejects.toMatchObject({
      status: 403,
    });
    expect((await login("full@example.com", PASSWORD)).status).toBe(200);
  });

  test("fifty uses of one link at once open one session", async () => {
    await person("race@example.com");
    const token = await resetToken("race@example.com");
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => t.anonymous.send(openPasswordReset, { body: { token } })),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 400 || answer.status === 429)).toHaveLength(49);
    t.clock.advance(15 * 60_000 + 1);
  });

  test("a link ends after 30 minutes and with a new password, but not because somebody asks for another", async () => {
    const userId = await person("late@example.com");
    const old = await resetToken("late@example.com");
    t.clock.advance(1);
    const fresh = await resetToken("late@example.com");
    expect((await openLink(old)).answer.status).toBe(200);
    t.clock.advance(30 * 60_000 + 1);
    expect((await openLink(fresh)).answer.status).toBe(400);
    const third = await resetToken("late@example.com");
    const me = await t.asUser(userId);
    await me.call(updatePassword, { params: { userId }, body: { userId, currentPwd: PASSWORD, newPwd: NEW } });
    expect((await openLink(third)).answer.status).toBe(400);
  });

  test("[PLT-110] an unknown address is answered like a known one, and gets no mail", async () => {
    await person("known@example.com");
    const known = await t.anonymous.send(forgotPassword, { body: { email: "known@example.com" } });
    const unknown = await t.anonymous.send(forgotPassword, { body: { email: "unknown@example.com" } });
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
    await mails.next("known@example.com", 1);
    await t.app.identity.signIn.service.settle();
    const { rows } = await t.deps.appPool.query("SELECT 1 FROM mail WHERE recipient = 'unknown@example.com'");
    expect(rows).toEqual([]);
  });
});

describe("a new password", () => {
  test("[PLT-111] needs the current one, one's own id, and ends all other sessions", async () => {
    const userId = await person("own@example.com");
    const [here, there] = [await t.asUser(userId), await t.asUser(userId)];
    const body = { userId, currentPwd: PASSWORD, newPwd: NEW };
    const wrong = await here.send(updatePassword, {
      params: { userId },
      body: { ...body, currentPwd: "not my password" },
    });
    expect(wrong).toMatchObject({ status: 400, body: { errors: [{ path: "currentPwd" }] } });
    const other = await person("someone@example.com");
    await expect(
      here.call(updatePassword, { params: { userId: other }, body: { ...body, userId: other } }),
    ).rejects.toMatchObject({ status: 404 });
    await expect(
      here.call(updatePassword, { params: { userId }, body: { ...body, userId: other } }),
    ).rejects.toMatchObject({ status: 404 });
    await here.call(updatePassword, { params: { userId }, body });
    await expect(there.call(getCurrentUser)).rejects.toMatchObject({ status: 401 });
    await expect(here.call(getCurrentUser)).resolves.toMatchObject({ id: userId });
  });

  test("an expired one opens a session that may only replace it", async () => {
    const userId = await person("old@example.com");
    await t.deps.appPool.query("UPDATE organisation SET password_expiry_days = 90 WHERE id = $1", [t.organisationId]);
    expect((await login("old@example.com", PASSWORD)).body).toEqual({ userId, passwordExpired: false });
    t.clock.advance(90 * 86_400_000);
    expect((await login("old@example.com", PASSWORD)).body).toEqual({ userId, passwordExpired: true });
    await t.deps.appPool.query("UPDATE organisation SET password_expiry_days = NULL");
  });
});

describe("invitations", () => {
  test("[PLT-113] an invited person is pending, sets a password by the link, signs in; the link works once", async () => {
    const admin = t.as("INSTANCE_ADMIN");
    const body = {
      email: "New@Example.com",
      firstName: "New",
      lastName: "One",
      userRoles: { [t.instanceId]: ["VIEWER" as const] },
    };
    const invited = await admin.call(inviteUser, { body });
    expect(invited).toMatchObject({
      email: "new@example.com",
      status: "PENDING",
      userRoles: { [t.instanceId]: ["VIEWER"] },
    });
    const linkIn = (text: string) => /setpassword\/([0-9a-f]{24})/.exec(text)?.[1] ?? "";
    const first = linkIn(await mails.next("new@example.com", 1));
    t.clock.advance(1);
    await admin.call(reinviteUser, { params: { userId: invited.id } });
    const second = linkIn(await mails.next("new@example.com", 2));

    const use = (invitationId: string, password: string) =>
      t.anonymous.send(setInvitedPassword, { params: { invitationId }, body: { password } });
    expect((await use(first, NEW)).body).toMatchObject({ code: "token_invalid" });
    expect((await use(second, "password1234")).body).toMatchObject({ code: "password_too_weak" });
    expect((await login("new@example.com", NEW)).status).toBe(401);
    expect((await use(second, NEW)).body).toEqual({ email: "new@example.com" });
    expect((await use(second, "another fine sentence")).status).toBe(400);
    expect((await login("new@example.com", NEW)).status).toBe(200);
    await expect(admin.call(reinviteUser, { params: { userId: invited.id } })).rejects.toMatchObject({
      code: "invalid_state",
    });
  });

  test("a link ends after seven days", async () => {
    const body = { email: "slow@example.com", firstName: "S", lastName: "W", userRoles: {} };
    await (await t.asUser(await t.build.user({ roles: ["INSTANCE_ADMIN"] }))).call(inviteUser, { body });
    const text = await mails.next("slow@example.com", 1);
    t.clock.advance(7 * 86_400_000 + 1);
    const invitationId = /setpassword\/([0-9a-f]{24})/.exec(text)?.[1] ?? "";
    expect(
      (await t.anonymous.send(setInvitedPassword, { params: { invitationId }, body: { password: NEW } })).status,
    ).toBe(400);
  });
});

describe("[T6] guessing", () => {
  test("of a thousand tries at one account at most ten are evaluated, and the server keeps answering", async () => {
    await person("target@example.com");
    const tries = Array.from({ length: 1_000 }, (_, index) => login("target@example.com", `guess number ${index}`));
    const healthy = await t.anonymous.send(getHealth);
    const answers = await Promise.all(tries);
    expect(healthy.status).toBe(200);
    expect(answers.filter((answer) => answer.status === 401).length).toBeLessThanOrEqual(10);
    expect(answers.filter((answer) => answer.status === 429).length).toBeGreaterThanOrEqual(990);
    const right = await login("target@example.com", PASSWORD);
    expect(right.body).toMatchObject({ code: "too_many_tries", message: expect.stringMatching(/wait \d+ minutes/) });
    t.clock.advance(15 * 60_000 + 1);
    expect((await login("target@example.com", PASSWORD)).status).toBe(200);
  });

  test("one address can't try many accounts without end", async () => {
    const answers = [];
    for (let index = 0; index < 105; index++)
      answers.push((await login(`nobody${index}@example.com`, "some long guess")).status);
    expect(answers.filter((status) => status === 401).length).toBeLessThanOrEqual(100);
    expect(answers.at(-1)).toBe(429);
    t.clock.advance(15 * 60_000 + 1);
  });

  test("unknown, pending, deactivated and removed people are refused as a wrong password is", async () => {
    const inactive = await person("inactive@example.com");
    const removed = await person("removed@example.com");
    await t.deps.appPool.query("UPDATE app_user SET status = 'INACTIVE' WHERE id = $1", [inactive]);
    await t.deps.appPool.query("UPDATE app_user SET organisation_id = NULL WHERE id = $1", [removed]);
    for (const name of ["inactive@example.com", "removed@example.com", "never@example.com"]) {
      expect((await login(name, PASSWORD)).body).toMatchObject({ status: 401, code: "invalid_credentials" });
    }
  });
});

describe("[T7] sessions", () => {
  test("a token from before sign-in is worthless after it, and the cookie is out of reach of scripts", async () => {
    await person("fix@example.com");
    const planted = "A".repeat(43);
    const answer = await t.anonymous.raw({
      method: "POST",
      url: "/api/v1/authenticate",
      cookies: { accord_session: planted },
      payload: "username=fix%40example.com&password=a+long+walk+by+the+river",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect(answer.status).toBe(200);
    expect(answer.cookies.get("accord_session")).not.toBe(planted);
    const header = [answer.headers["set-cookie"]].flat().find((line) => String(line).startsWith("accord_session="));
    expect(header).toMatch(/HttpOnly; SameSite=Lax/);
    expect((await t.anonymous.raw({ url: "/api/v1/user", cookies: { accord_session: planted } })).status).toBe(401);
    const stored = await t.deps.appPool.query("SELECT * FROM session");
    expect(JSON.stringify(stored.rows)).not.toContain(answer.cookies.get("accord_session"));
  });

  test("served by https the cookie is bound to this origin and never sent in the clear", async () => {
    const secure = await testApp({ config: { baseUrl: "https://accord.example" } });
    await secure.build.user({ email: "s@example.com", passwordHash, roles: ["VIEWER"] });
    const answer = await secure.anonymous.send(signIn, { body: { username: "s@example.com", password: PASSWORD } });
    const header = [answer.headers["set-cookie"]]
      .flat()
      .find((line) => String(line).startsWith("__Host-accord_session="));
    expect(header).toMatch(/Path=\/; HttpOnly; Secure; SameSite=Lax/);
    expect(answer.headers["strict-transport-security"]).toContain("max-age");
  });
});
