/** A sign-in with another account of the system: noticed, refused, and used only where a person says so. */
import * as api from "@accord/contracts/connections/connectors";
import { beginConnectorSignIn, type SignInAttempt } from "@accord/contracts/connections/oauth-sign-in";
import { listAuditEntries } from "@accord/contracts/operations/audit";
import type {
  AuthorizationHabits,
  AuthorizationServer,
} from "@accord/connectors/test-systems/oauth/authorization-server";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  authorizationServerFor,
  begin,
  comeBack,
  editor,
  oauthBody,
  shownSignIn,
  signIn,
  type Member,
} from "../../../../../test-kit/systems/oauth-world.ts";
import { testApp, type TestApp } from "../../../../../test-kit/test-app.ts";

let t: TestApp;
let person: Member;
const servers: AuthorizationServer[] = [];

beforeAll(async () => {
  t = await testApp({ realTime: true });
  person = await editor(t);
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

let made = 0;
async function connection(config: object, habits: Partial<AuthorizationHabits> = {}) {
  const server = await authorizationServerFor(t, habits);
  servers.push(server);
  const body = oauthBody(server, `Account ${(made += 1)}`, config);
  const { id } = await person.call(api.createConnector, { body });
  return { server, id };
}

const edit = async (connectorId: api.Connector["id"], change: object) => {
  const { version, config } = await person.call(api.getConnector, { params: { connectorId } });
  await person.call(api.updateConnector, {
    params: { connectorId },
    body: { version, config: { ...config, ...change } },
  });
};
/** What a person presses the button of. */
const chosenIn = (attempt: SignInAttempt | null): SignInAttempt["id"] => {
  if (!attempt?.otherAccount) throw new Error("There is nothing to choose.");
  return attempt.id;
};

const BY_CALL = { accountPath: "/me", accountSelector: "account.id" };
const BY_ID_TOKEN = { scope: "openid companies.read" };
const FIRST = { id: "acct-1", name: "Northwind" };
const SECOND = { id: "acct-2", name: "Southwind" };

describe.each([
  ["a call of the API", BY_CALL, { ...FIRST, name: null }, { ...SECOND, name: null }],
  ["the id token", BY_ID_TOKEN, FIRST, SECOND],
])("an account that %s names", (_, config, first, second) => {
  test("is shown, may sign in again, and another one is refused with both named; nothing changes", async () => {
    const { server, id } = await connection(config);
    await signIn(person, server, id);
    await signIn(person, server, id);
    const before = await shownSignIn(person, id);
    expect(before).toMatchObject({
      state: "signedIn",
      account: first,
      attempt: { status: "done", otherAccount: null },
    });
    server.habits.account = SECOND;
    await signIn(person, server, id);
    const { attempt, ...now } = await shownSignIn(person, id);
    const { attempt: _, ...then } = before;
    expect(now).toEqual(then);
    expect(attempt).toMatchObject({ status: "failed", otherAccount: { former: first, found: second } });
    expect(attempt?.problem?.message).toContain("another account");
    for (const { id: named } of [first, second]) expect(attempt?.problem?.message).toContain(named);
    expect(await person.call(api.testConnector, { params: { connectorId: id } })).toMatchObject({ ok: true });
  });

  test("another one is used where a person chooses it, and that is written into the audit log", async () => {
    const { server, id } = await connection(config);
    await signIn(person, server, id);
    server.habits.account = SECOND;
    await signIn(person, server, id);
    const { attempt } = await shownSignIn(person, id);
    if (!attempt) throw new Error("There is no attempt.");
    // Chosen is this account, and no third one.
    server.habits.account = { id: "acct-3", name: "Eastwind" };
    const third = await begin(person, id, "own", { useAccountOf: attempt.id });
    await comeBack(person, await server.decide(third.authorizationUrl, "allow"));
    const refused = (await shownSignIn(person, id)).attempt;
    expect(refused).toMatchObject({ status: "failed", otherAccount: { former: first, found: { id: "acct-3" } } });
    if (!refused) throw new Error("There is no attempt.");
    const chosen = await begin(person, id, "own", { useAccountOf: refused.id });
    await comeBack(person, await server.decide(chosen.authorizationUrl, "allow"));
    expect(await shownSignIn(person, id)).toMatchObject({ account: { id: "acct-3" }, attempt: { status: "done" } });
    const { entries } = await t.as("ORG_ADMIN").call(listAuditEntries, { query: {} });
    expect(entries.find(({ target }) => target.id === id)).toMatchObject({
      action: "useOtherAccount",
      details: { former: first, account: { id: "acct-3" } },
    });
  });
});

test("an edit of where the account is named lets no other one through", async () => {
  const { server, id } = await connection(BY_CALL);
  await signIn(person, server, id);
  server.habits.account = SECOND;
  await edit(id, { accountPath: "/me?fields=all" });
  await signIn(person, server, id);
  expect(await shownSignIn(person, id)).toMatchObject({ account: { id: FIRST.id }, attempt: { status: "failed" } });
});

test.each([
  ["path and selector", BY_CALL, { accountPath: "", accountSelector: "" }],
  ["the scope openid", BY_ID_TOKEN, { scope: "companies.read" }],
])("where %s are taken away, a known account lets no other one in unless a person says so", async (_, config, less) => {
  const { server, id } = await connection(config);
  await signIn(person, server, id);
  const known = (await shownSignIn(person, id)).account;
  expect(known?.id).toBe(FIRST.id);
  server.habits.account = SECOND;
  await edit(id, less);
  await signIn(person, server, id);
  const { account, attempt } = await shownSignIn(person, id);
  expect(account).toEqual(known);
  expect(attempt).toMatchObject({ status: "failed", otherAccount: { former: known, found: null } });
  const chosen = await begin(person, id, "own", { useAccountOf: chosenIn(attempt) });
  await comeBack(person, await server.decide(chosen.authorizationUrl, "allow"));
  expect(await shownSignIn(person, id)).toMatchObject({ account: null, attempt: { status: "done" } });
});

test("a choice counts in place of the account that was shown, and as long as its sign-in", async () => {
  const { server, id } = await connection(BY_CALL);
  await signIn(person, server, id);
  server.habits.account = SECOND;
  await signIn(person, server, id);
  const stale = chosenIn((await shownSignIn(person, id)).attempt);
  const begun = await begin(person, id, "own", { useAccountOf: stale });
  const answer = await server.decide(begun.authorizationUrl, "allow");
  // Meanwhile somebody else had a third account take the first one's place.
  const third = { id: "acct-3", name: null };
  await t.deps.appPool.query("UPDATE oauth_grant SET account = $2 WHERE connector_id = $1", [id, third]);
  await comeBack(person, answer);
  const { account, attempt } = await shownSignIn(person, id);
  expect(account).toEqual(third);
  expect(attempt).toMatchObject({ status: "failed", otherAccount: { former: third, found: { id: SECOND.id } } });
  await t.deps.appPool.query("UPDATE oauth_sign_in SET expires_at = now() WHERE connector_id = $1", [id]);
  const over = { params: { connectorId: id }, body: { window: "own", useAccountOf: chosenIn(attempt) } } as const;
  expect(await person.send(beginConnectorSignIn, over)).toMatchObject({
    body: { code: "invalid_state", description: expect.stringContaining("is over") },
  });
});

test("a choice counts for a sign-in that was refused for its account, and for whoever was asked", async () => {
  const { server, id } = await connection(BY_CALL);
  await signIn(person, server, id);
  const { attempt } = await shownSignIn(person, id);
  if (!attempt) throw new Error("There is no attempt.");
  await expect(begin(person, id, "own", { useAccountOf: attempt.id })).rejects.toThrow(
    "was not refused for its account",
  );
  server.habits.account = SECOND;
  await signIn(person, server, id);
  const refused = (await shownSignIn(person, id)).attempt;
  const other = await editor(t);
  if (!refused) throw new Error("There is no attempt.");
  await expect(begin(other, id, "own", { useAccountOf: refused.id })).rejects.toThrow("not_found");
});

test("[T12] an id token of another issuer, audience, nonce or time names nobody; where somebody was known, it is refused", async () => {
  const { server, id } = await connection(BY_ID_TOKEN);
  const past = Math.floor(Date.now() / 1000) - 4000;
  for (const idToken of [
    { iss: "https://evil.example.com" },
    { aud: "another" },
    { nonce: "x" },
    { exp: past },
    null,
  ]) {
    server.habits.idToken = idToken;
    await signIn(person, server, id);
    expect(await shownSignIn(person, id)).toMatchObject({ state: "signedIn", account: null });
  }
  server.habits.idToken = {};
  await signIn(person, server, id);
  expect((await shownSignIn(person, id)).account).toEqual(FIRST);
  server.habits.idToken = { nonce: "x" };
  await signIn(person, server, id);
  expect(await shownSignIn(person, id)).toMatchObject({
    account: FIRST,
    attempt: { status: "failed", otherAccount: { former: FIRST, found: null } },
  });
});

test("where nothing names the account, none is asked for; a path without a place for the id is refused", async () => {
  const { server, id } = await connection({});
  await signIn(person, server, id);
  server.habits.account = SECOND;
  await signIn(person, server, id);
  expect(await shownSignIn(person, id)).toMatchObject({ state: "signedIn", account: null });
  for (const [config, path] of [
    [{ accountPath: "/me" }, "config.accountSelector"],
    [{ accountSelector: "id" }, "config.accountPath"],
    [{ ...BY_CALL, accountPath: "https://evil.example.com/me" }, "config.accountPath"],
    [{ ...BY_CALL, accountSelector: "a[" }, "config.accountSelector"],
  ] as const) {
    const { status, body } = await person.send(api.createConnector, { body: oauthBody(server, "Bad", config) });
    expect([status, body]).toMatchObject([400, { errors: [{ path }] }]);
  }
});
