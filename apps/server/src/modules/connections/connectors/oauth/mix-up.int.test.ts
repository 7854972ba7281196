/** Answers of one authorisation server that come to the sign-in at another one (RFC 9700, section 4.4). */
import * as api from "@accord/contracts/connections/connectors";
import { beginConnectorSignIn } from "@accord/contracts/connections/oauth-sign-in";
import type { AuthorizationServer } from "@accord/connectors/test-systems/oauth/authorization-server";
import { afterAll, beforeAll, expect, test } from "vitest";
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
let honest: AuthorizationServer;
let evil: AuthorizationServer;

beforeAll(async () => {
  t = await testApp({ realTime: true });
  person = await editor(t);
  honest = await authorizationServerFor(t, { issuer: "own" });
  evil = await authorizationServerFor(t);
});
afterAll(async () => {
  await honest?.stop();
  await evil?.stop();
});

let made = 0;
const create = (server: AuthorizationServer, config: object = {}) =>
  person.call(api.createConnector, { body: oauthBody(server, `Mixed up ${(made += 1)}`, config) });
const edit = async ({ id }: Pick<api.Connector, "id">, change: object, credentials: Record<string, string> = {}) => {
  const { version, config } = await person.call(api.getConnector, { params: { connectorId: id } });
  const body = { version, config: { ...config, ...change }, credentials };
  await person.call(api.updateConnector, { params: { connectorId: id }, body });
};

/** As connections are that were made before each had an address of its own. */
const share = async (server: AuthorizationServer, id: string): Promise<void> => {
  server.habits.redirectUris.push(SHARED);
  await t.deps.appPool.query("UPDATE connector SET redirect_name = NULL, redirect_origins = NULL WHERE id = $1", [id]);
};
const SHARED = "http://localhost:3000/api/v1/oauth/callback";
const problemOf = async (id: api.Connector["id"]) => (await shownSignIn(person, id)).attempt;

test("[T12] a code of one server never goes to the token address of another, though it names no issuer", async () => {
  honest.habits.issuer = null;
  const theirs = await create(honest);
  const { id } = await create(evil);
  const { authorizationUrl } = await begin(person, id);
  // The evil server sends the browser on to the honest one, with the state and the challenge of its own sign-in.
  const passedOn = new URL(authorizationUrl.replace(evil.url, honest.url));
  await expect(honest.decide(passedOn.href, "allow")).rejects.toThrow("redirect_uri is not the registered one");
  // The address is the only one that the honest server knows.
  passedOn.searchParams.set("redirect_uri", String(theirs.oauthRedirectUrl));
  const answer = await honest.decide(passedOn.href, "allow");
  expect(answer.searchParams.get("code")).not.toBeNull();
  const back = await comeBack(person, answer);
  expect(back.headers["location"]).toBe(`/synapses/sign-in-result?connector=${id}`);
  expect(await problemOf(id)).toMatchObject({
    status: "failed",
    problem: { message: expect.stringContaining("came to another redirect address") },
  });
  expect([evil.tokenRequests, honest.tokenRequests]).toEqual([[], []]);
  // The answer is used up, at its own address as well.
  const again = new URL(answer.href.replace(answer.pathname, new URL(String(authorizationUrl)).pathname));
  expect((await comeBack(person, new URL(`${SHARED}${again.search}`))).headers["location"]).toContain("problem=state");
});

test("[T12] the shared address goes on for connections that had it, and takes no answer of others", async () => {
  honest.habits.issuer = null;
  const older = await create(honest);
  await share(honest, older.id);
  expect(await person.call(api.getConnector, { params: { connectorId: older.id } })).toMatchObject({
    ...{ oauthRedirectUrl: SHARED, oauthRedirectName: null },
  });
  const { authorizationUrl } = await begin(person, older.id);
  await comeBack(person, await honest.decide(authorizationUrl, "allow"));
  expect((await shownSignIn(person, older.id)).state).toBe("signedIn");
  honest.tokenRequests.length = 0;

  const { id } = await create(evil);
  const begun = await begin(person, id);
  const passedOn = new URL(begun.authorizationUrl.replace(evil.url, honest.url));
  passedOn.searchParams.set("redirect_uri", SHARED);
  await comeBack(person, await honest.decide(passedOn.href, "allow"));
  expect((await problemOf(id))?.problem?.message).toContain("came to another redirect address");
  expect([evil.tokenRequests, honest.tokenRequests]).toEqual([[], []]);

  const { version } = await person.call(api.getConnector, { params: { connectorId: older.id } });
  const changed = { params: { connectorId: older.id }, body: { version, ownRedirectAddress: true as const } };
  const { oauthRedirectUrl } = await person.call(api.updateConnector, changed);
  expect(oauthRedirectUrl).toMatch(/callback\/[0-9a-f]{32}$/);
  // What was granted counts on; the next sign-in needs the new address in the system's app.
  expect((await shownSignIn(person, older.id)).state).toBe("signedIn");
  const next = await begin(person, older.id);
  await expect(honest.decide(next.authorizationUrl, "allow")).rejects.toThrow("redirect_uri is not the registered one");
  honest.habits.redirectUris.push(String(oauthRedirectUrl));
  await comeBack(person, await honest.decide(next.authorizationUrl, "allow"));
  expect((await problemOf(older.id))?.status).toBe("done");
  honest.tokenRequests.length = 0;
});

test("[T12] the address stays over edits and sign-ins, and is another one where another system is signed in at", async () => {
  const connector = await create(honest, { issuer: "" });
  const address = async () =>
    (await person.call(api.getConnector, { params: { connectorId: connector.id } })).oauthRedirectUrl;
  const first = await address();
  await edit(connector, { scope: "companies.read other", authorizationUrl: `${honest.url}/authorize?x=1` });
  expect(await address()).toBe(first);
  const secret = { clientSecret: String(honest.habits.clientSecret) };
  await edit(connector, { tokenUrl: `${evil.url}/token` }, secret);
  const second = await address();
  expect(second).not.toBe(first);
  await edit(connector, { tokenUrl: `${honest.url}/token` }, secret);
  expect([first, second]).not.toContain(await address());
});

test("[T12] a name of an address is unique, and nobody else's", async () => {
  const taken = await create(honest);
  const body = { ...oauthBody(evil, "Taken"), oauthRedirectName: String(taken.oauthRedirectName) };
  expect(await person.send(api.createConnector, { body })).toMatchObject({
    status: 400,
    body: { errors: [{ path: "oauthRedirectName" }] },
  });
  const bad = { ...oauthBody(evil, "Bad"), oauthRedirectName: "../evil" };
  expect((await person.send(api.createConnector, { body: bad })).status).toBe(400);
});

test("[T12] a name that was given up is nobody's any more: after a move, and after the connection is deleted", async () => {
  const secret = { clientSecret: String(honest.habits.clientSecret) };
  const moved = await create(honest);
  await edit(moved, { authorizationUrl: `${evil.url}/authorize`, tokenUrl: `${evil.url}/token` }, secret);
  const deleted = await create(honest);
  await person.call(api.deleteConnector, { params: { connectorId: deleted.id } });
  for (const { oauthRedirectName } of [moved, deleted]) {
    const body = { ...oauthBody(evil, `Taken over ${(made += 1)}`), oauthRedirectName: String(oauthRedirectName) };
    expect(await person.send(api.createConnector, { body })).toMatchObject({
      ...{ status: 400, body: { errors: [{ path: "oauthRedirectName" }] } },
    });
  }
});

test("[T12] a connection that shares its address and was signed in elsewhere gets one of its own before it signs in", async () => {
  const { id } = await create(honest);
  await signIn(person, honest, id);
  honest.tokenRequests.length = 0;
  await share(honest, id);
  // As a version of a custom synapse does that was published before addresses were kept.
  const [authorizationUrl, tokenUrl] = [`${evil.url}/authorize`, `${evil.url}/token`];
  await t.deps.appPool.query("UPDATE connector SET config = config || $2 WHERE id = $1", [
    id,
    { authorizationUrl, tokenUrl, issuer: "" },
  ]);
  await t.deps.appPool.query("UPDATE credential SET hosts = hosts || $2::jsonb WHERE connector_id = $1", [
    id,
    JSON.stringify([tokenUrl]),
  ]);
  const body = { window: "own" } as const;
  const refused = await person.send(beginConnectorSignIn, { params: { connectorId: id }, body });
  expect(refused.body).toMatchObject({ description: expect.stringContaining("another redirect address now") });
  const { authorizationUrl: address } = await begin(person, id);
  expect(new URL(address).searchParams.get("redirect_uri")).toMatch(/callback\/[0-9a-f]{32}$/);
});

test("[T12] a code of one server never goes to the token address of another: the issuer it names is another one", async () => {
  honest.habits.issuer = "own";
  const { id } = await create(evil);
  const { authorizationUrl } = await begin(person, id);
  const passedOn = authorizationUrl.replace(evil.url, honest.url);
  honest.habits.redirectUris.push(String(new URL(authorizationUrl).searchParams.get("redirect_uri")));
  await comeBack(person, await honest.decide(passedOn, "allow"));
  expect((await shownSignIn(person, id)).attempt).toMatchObject({
    status: "failed",
    problem: { message: expect.stringContaining('"iss"') },
  });
  expect([evil.tokenRequests, honest.tokenRequests]).toEqual([[], []]);
});

test("[T12] a state counts for the token address and the issuer that it was begun with", async () => {
  const secret = { clientSecret: String(honest.habits.clientSecret) };
  for (const change of [{ tokenUrl: `${evil.url}/token` }, { issuer: "" }, { issuer: evil.url }]) {
    const connector = await create(honest, { issuer: honest.url });
    const { authorizationUrl } = await begin(person, connector.id);
    const address = await honest.decide(authorizationUrl, "allow");
    await edit(connector, change, secret);
    await comeBack(person, address);
    expect((await shownSignIn(person, connector.id)).attempt).toMatchObject({
      status: "failed",
      problem: { message: "Failed OAuth: the settings were changed while you signed in." },
    });
    expect([evil.tokenRequests, honest.tokenRequests]).toEqual([[], []]);
  }
});
