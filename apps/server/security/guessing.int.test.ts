/** Guessing at passwords and codes: few are looked at, nobody is locked out by others, and nobody else waits for it. */
import { setTimeout } from "node:timers/promises";
import {
  forgotPassword,
  openPasswordReset,
  setInvitedPassword,
  signIn,
  updatePassword,
} from "@accord/contracts/identity/sign-in";
import { encodeEmail, listShares, openSharedDashboard, requestShareCode } from "@accord/contracts/insights/sharing";
import { reportError } from "@accord/contracts/operations/health";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { hashPassword } from "../src/modules/identity/sign-in/index.ts";
import type { sharingModule } from "../src/modules/insights/sharing/index.ts";
import { transaction } from "../src/platform/db/transaction.ts";
import type { Answer } from "../test-kit/caller.ts";
import { makeShare } from "../test-kit/fixtures/insights.ts";
import { mailServer, type MailServer, testApp, type TestApp } from "../test-kit/index.ts";

const PASSWORD = "a long walk by the river";
const HOUR = 60 * 60_000;
let t: TestApp;
let server: MailServer;
let passwordHash: string;
beforeAll(async () => {
  server = await mailServer();
  t = await testApp({ config: { trustProxy: 1, smtpUrl: server.url }, roles: ["worker"] });
  passwordHash = await hashPassword(PASSWORD);
  return () => server.close();
});
// No test finds the windows of another one open.
beforeEach(() => {
  t.clock.advance(25 * HOUR);
});

const address = (index: number) => `203.0.${Math.floor(index / 250)}.${(index % 250) + 1}`;
const OWNER = "198.51.100.20";
const STRANGER = "203.0.113.66";

interface From {
  address: string;
  cookies?: Map<string, string>;
}
const headersOf = ({ address, cookies }: From) => ({
  "x-forwarded-for": address,
  ...(cookies ? { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") } : {}),
});
const login = (username: string, password: string, from: From) =>
  from.cookies
    ? withCookies(signInRequest(username, password), from)
    : t.anonymous.send(signIn, { body: { username, password } }, headersOf(from));
const signInRequest = (username: string, password: string) => ({
  method: "POST" as const,
  url: "/api/v1/authenticate",
  payload: new URLSearchParams({ username, password }).toString(),
  headers: { "content-type": "application/x-www-form-urlencoded" },
});
/** As a browser that has these cookies; it signs in anew, so its session is left out. */
function withCookies(request: Parameters<TestApp["anonymous"]["raw"]>[0], { address, cookies }: From) {
  const kept = Object.fromEntries([...(cookies ?? [])].filter(([name]) => name.endsWith("accord_device")));
  return t.anonymous.raw({ ...request, cookies: kept, headers: { ...request.headers, "x-forwarded-for": address } });
}

const person = (email: string) => t.build.user({ email, passwordHash, roles: ["VIEWER"] });
const count = (answers: readonly Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length;
const sharing = () => t.module<ReturnType<typeof sharingModule>>("insights/sharing");

/** Mails of a kind to somebody that were written, whether they have arrived or not. */
async function countMails(email: string, kind: string): Promise<number> {
  await t.app.identity.signIn.service.settle();
  await sharing().settle();
  const { rows } = await t.deps.appPool.query(
    "SELECT count(*)::int AS count FROM mail WHERE recipient = $1 AND kind = $2",
    [email, kind],
  );
  return rows[0].count;
}

function expectWait(answer: Answer): number {
  expect(answer.status).toBe(429);
  const seconds = Number(answer.headers["retry-after"]);
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(answer.body).toMatchObject({
    code: "too_many_tries",
    message: expect.stringMatching(/wait \d+ (second|minute)s?/),
  });
  return seconds;
}

describe("[T6] a stranger's wrong passwords", () => {
  test("stop the stranger, and neither the owner elsewhere nor a browser the owner used before", async () => {
    await person("owner@example.com");
    const before = await login("owner@example.com", PASSWORD, { address: OWNER });
    for (let index = 0; index < 10; index++)
      expect((await login("owner@example.com", `guess ${index}`, { address: STRANGER })).status).toBe(401);
    expectWait(await login("owner@example.com", PASSWORD, { address: STRANGER }));
    expect((await login("owner@example.com", PASSWORD, { address: OWNER })).status).toBe(200);
    // Even from the stranger's own address: the same office.
    const known = await login("owner@example.com", PASSWORD, { address: STRANGER, cookies: before.cookies });
    expect(known.status).toBe(200);
  });

  test("of a thousand at one account from a thousand addresses few are looked at; the owner gets in", async () => {
    await person("target@example.com");
    const before = await login("target@example.com", PASSWORD, { address: OWNER });
    const guesses = Array.from({ length: 1_000 }, (_, index) =>
      login("target@example.com", `guess number ${index}`, { address: address(index) }),
    );
    const answers = await Promise.all(guesses);
    expect(count(answers, 401)).toBeLessThanOrEqual(60);
    expect(count(answers, 401) + count(answers, 429)).toBe(1_000);
    for (const answer of answers) if (answer.status === 429) expectWait(answer);
    const known = await login("target@example.com", PASSWORD, { address: OWNER, cookies: before.cookies });
    expect(known.status).toBe(200);
    // From a new browser the owner waits for a turn, as the answer says, and then gets in.
    const refused = await login("target@example.com", PASSWORD, { address: OWNER });
    const wait = refused.status === 429 ? expectWait(refused) : 0;
    expect(wait).toBeLessThanOrEqual(60);
    t.clock.advance(wait * 1_000);
    expect((await login("target@example.com", PASSWORD, { address: OWNER })).status).toBe(200);
  });

  test("a browser that was used before has ten wrong ones of its own, and its cookie is worth nothing elsewhere", async () => {
    await person("mine@example.com");
    await person("other@example.com");
    const { cookies } = await login("mine@example.com", PASSWORD, { address: OWNER });
    for (let index = 0; index < 10; index++)
      expect((await login("mine@example.com", `guess ${index}`, { address: address(index), cookies })).status).toBe(
        401,
      );
    expectWait(await login("mine@example.com", PASSWORD, { address: OWNER, cookies }));
    expect((await login("mine@example.com", PASSWORD, { address: OWNER })).status).toBe(200);
    // Not for another account, and not when changed.
    const changed = new Map([...cookies].map(([name, value]) => [name, value.replace(/[0-9a-f](?=\.)/, "x")]));
    for (const [name, forged] of [
      ["other@example.com", cookies],
      ["mine@example.com", changed],
    ] as const) {
      for (let index = 0; index < 10; index++)
        await login(name, `guess ${index}`, { address: STRANGER, cookies: forged });
      expect((await login(name, PASSWORD, { address: STRANGER, cookies: forged })).status).toBe(429);
    }
  });

  test("are told to the person by mail, once in a day, and to nobody when there is no such person", async () => {
    await person("told@example.com");
    const guess = (index: number) => login("told@example.com", `guess ${index}`, { address: address(index) });
    for (let index = 0; index < 9; index++) await guess(index);
    expect(await countMails("told@example.com", "wrongPasswords")).toBe(0);
    for (let index = 9; index < 15; index++) await guess(index);
    expect(await server.next("told@example.com", 1)).toContain(address(9));
    // Another burst in the same day, after the owner had been in.
    t.clock.advance(2 * HOUR);
    await login("told@example.com", PASSWORD, { address: OWNER });
    for (let index = 20; index < 35; index++) await guess(index);
    expect(await countMails("told@example.com", "wrongPasswords")).toBe(1);
    for (let index = 0; index < 15; index++)
      await login("nobody@example.com", `guess ${index}`, { address: address(index) });
    expect(await countMails("nobody@example.com", "wrongPasswords")).toBe(0);
  });

  test("at accounts there are and at accounts there are not take the same time", async () => {
    const known = ["t1@example.com", "t2@example.com", "t3@example.com"];
    for (const email of known) await person(email);
    const times: Record<"known" | "unknown", number[]> = { known: [], unknown: [] };
    for (let index = 0; index < 45; index++)
      for (const kind of ["known", "unknown"] as const) {
        const name = kind === "known" ? (known[index % 3] ?? "") : `nobody${index % 3}@example.com`;
        const startedAt = performance.now();
        expect((await login(name, "a wrong password", { address: address(index * 2) })).status).toBe(401);
        times[kind].push(performance.now() - startedAt);
      }
    const median = (values: number[]) => values.toSorted((a, b) => a - b)[22] ?? 0;
    expect(median(times.unknown) / median(times.known)).toBeGreaterThan(0.65);
    expect(median(times.unknown) / median(times.known)).toBeLessThan(1.55);
  });

  test("people who sign in from one office do not use up its attempts", async () => {
    await person("office@example.com");
    const answers = [];
    for (let index = 0; index < 105; index++)
      answers.push(await login("office@example.com", PASSWORD, { address: STRANGER }));
    expect(count(answers, 200)).toBe(105);
  });
});

describe("links and codes asked for by a stranger", () => {
  test("a mailed link works although strangers ask for others, and nobody's mailbox is flooded", async () => {
    await person("links@example.com");
    const ask = (from: string) =>
      t.anonymous.send(forgotPassword, { body: { email: "links@example.com" } }, headersOf({ address: from }));
    expect((await ask(OWNER)).status).toBe(200);
    const first = await server.next("links@example.com", 1);
    for (let index = 0; index < 40; index++) await ask(address(index));
    expect(await countMails("links@example.com", "passwordReset")).toBeLessThanOrEqual(6);
    const token = /token=([\w-]+)/.exec(first)?.[1] ?? "";
    expect((await t.anonymous.send(openPasswordReset, { body: { token } })).status).toBe(200);
  });

  test("a mailed code works although strangers ask for others", async () => {
    const { dashboardId, share } = await makeShare(t, t);
    const invitation = { email: encodeEmail(share.email), dashboardId };
    const ask = (from: string) =>
      t.anonymous.send(requestShareCode, { body: invitation }, headersOf({ address: from }));
    expect((await ask(OWNER)).status).toBe(200);
    const mail = await server.next(share.email, 2);
    for (let index = 0; index < 20; index++) await ask(address(index));
    expect(await countMails(share.email, "shareCode")).toBeLessThanOrEqual(4);
    const secret = /code is (\d{6})/.exec(mail)?.[1] ?? "";
    const open = () =>
      t.anonymous.send(openSharedDashboard, { body: { ...invitation, secret } }, headersOf({ address: OWNER }));
    expect((await open()).status).toBe(200);
    expect((await open()).status).toBe(401);
  });
});

test("who asks for a reset link or a code is answered before anybody looks whom the address belongs to", async () => {
  await person("known@example.com");
  const { dashboardId, share } = await makeShare(t, t);
  const reset = (email: string) => () => t.anonymous.send(forgotPassword, { body: { email } });
  const code = (email: string) => () =>
    t.anonymous.send(requestShareCode, { body: { email: encodeEmail(email), dashboardId } });
  const calls = [
    reset("known@example.com"),
    reset("unknown@example.com"),
    code(share.email),
    code("uninvited@example.com"),
  ];
  const answers = await transaction(t.deps.appPool, async ({ client }) => {
    // While this lasts nothing can be found out about people and guests: what waited for it would not come back.
    await client.query("LOCK TABLE app_user, share, dashboard, mail IN ACCESS EXCLUSIVE MODE");
    const answered = calls.map((call) => Promise.race([call(), setTimeout(45_000, { status: "waited", body: {} })]));
    return Promise.all(answered);
  });
  expect(answers.map(({ status, body }) => ({ status, body }))).toEqual(calls.map(() => ({ status: 200, body: {} })));
  expect(await countMails("known@example.com", "passwordReset")).toBe(1);
  expect(await countMails(share.email, "shareCode")).toBe(1);
});

describe("guests", () => {
  const open = (share: { dashboardId: string; email: string }, secret: string, from: From) => {
    const body = { email: encodeEmail(share.email), dashboardId: share.dashboardId, secret };
    return t.anonymous.send(openSharedDashboard, { body }, headersOf({ address: from.address }));
  };

  test("a stranger's wrong passwords stop the stranger alone, and the sharer sees that there were many", async () => {
    const { dashboardId, share, password } = await makeShare(t, t);
    const guest = { dashboardId, email: share.email };
    for (let index = 0; index < 10; index++)
      expect((await open(guest, `guess-${index}`, { address: STRANGER })).status).toBe(401);
    expectWait(await open(guest, password ?? "", { address: STRANGER }));
    expect(await countMails(share.email, "wrongPasswords")).toBe(1);
    const { shares } = await t.as("SUPER_ADMIN").call(listShares, { params: { id: dashboardId } });
    expect(shares).toMatchObject([{ locked: true }]);
    expect((await open(guest, password ?? "", { address: OWNER })).status).toBe(200);
  });

  test("of a thousand guesses at a code from a thousand addresses few are looked at", async () => {
    const { dashboardId, share } = await makeShare(t, t);
    const guesses = Array.from({ length: 1_000 }, (_, index) =>
      open({ dashboardId, email: share.email }, String(100_000 + index), { address: address(index) }),
    );
    const answers = await Promise.all(guesses);
    expect(count(answers, 401)).toBeLessThanOrEqual(30);
    for (const answer of answers) if (answer.status !== 401) expectWait(answer);
  });

  test("a flood of made-up sign-ins does not slow down an ordinary sign-in", async () => {
    await person("quiet@example.com");
    const timed = async () => {
      const startedAt = performance.now();
      expect((await login("quiet@example.com", PASSWORD, { address: OWNER })).status).toBe(200);
      return performance.now() - startedAt;
    };
    const quiet = [];
    for (let index = 0; index < 5; index++) quiet.push(await timed());
    const median = quiet.toSorted((a, b) => a - b)[2] ?? 0;
    for (const flooder of [() => STRANGER, address]) {
      t.clock.advance(HOUR);
      const flood = Array.from({ length: 300 }, (_, index) =>
        open({ dashboardId: "0".repeat(24), email: `x${index}@example.com` }, "made-up-pass-word", {
          address: flooder(index),
        }),
      );
      const meanwhile = await timed();
      await Promise.all(flood);
      // Before there was a queue and a limit by network: over 100 times as long.
      expect(meanwhile / median).toBeLessThan(20);
    }
  });
});

test("every refusal of too many attempts says when to come back", async () => {
  const from = headersOf({ address: STRANGER });
  const userId = await person("signed-in@example.com");
  const me = await t.asUser(userId);
  const invitation = { email: encodeEmail("x@example.com"), dashboardId: "0".repeat(24) };
  const report = { phoneHomeId: "0".repeat(24), errorMessage: "x" };
  const calls: Record<string, (index: number) => Promise<Answer>> = {
    "sign-in at one account": () => login("a@example.com", "wrong password", { address: STRANGER }),
    "sign-in of a network": (index) => login(`a${index}@example.com`, "wrong password", { address: STRANGER }),
    "reset of one account": () => t.anonymous.send(forgotPassword, { body: { email: "a@example.com" } }, from),
    "resets of a network": (index) =>
      t.anonymous.send(forgotPassword, { body: { email: `a${index}@example.com` } }, from),
    "reset links": () => t.anonymous.send(openPasswordReset, { body: { token: "x".repeat(43) } }, from),
    invitations: () =>
      t.anonymous.send(
        setInvitedPassword,
        { params: { invitationId: "0".repeat(24) }, body: { password: PASSWORD } },
        from,
      ),
    "current password": () =>
      me.send(updatePassword, {
        params: { userId },
        body: { userId, currentPwd: "wrong one", newPwd: "vermilion okapi 77" },
      }),
    "one share": () => t.anonymous.send(openSharedDashboard, { body: { ...invitation, secret: "wrong" } }, from),
    "shares of a network": (index) =>
      t.anonymous.send(
        openSharedDashboard,
        { body: { ...invitation, email: encodeEmail(`x${index}@example.com`), secret: "wrong" } },
        from,
      ),
    "codes of one share": () => t.anonymous.send(requestShareCode, { body: invitation }, from),
    "codes of a network": (index) =>
      t.anonymous.send(
        requestShareCode,
        { body: { ...invitation, email: encodeEmail(`x${index}@example.com`) } },
        from,
      ),
    "crash reports": () => t.anonymous.send(reportError, { body: report }, from),
  };
  for (const [name, call] of Object.entries(calls)) {
    const answers = [];
    for (let index = 0; index < 110 && answers.at(-1)?.status !== 429; index++) answers.push(await call(index));
    const last = answers.at(-1);
    expect(last?.status, `${name}: ${JSON.stringify(last?.body)}`).toBe(429);
    if (last) expectWait(last);
  }
});
