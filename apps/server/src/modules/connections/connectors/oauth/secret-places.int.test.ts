/** Client secrets and grants keep to the part they were given for: the API is not the address that gives out tokens. */
import * as api from "@accord/contracts/connections/connectors";
import { CLIENT, type AuthorizationServer } from "@accord/connectors/test-systems/oauth/authorization-server";
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
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
/** Gives out tokens; the other one is the API, which must see no client secret. */
let server: AuthorizationServer;
let other: AuthorizationServer;

beforeAll(async () => {
  t = await testApp({ realTime: true });
  person = await editor(t);
  server = await authorizationServerFor(t);
  other = await authorizationServerFor(t);
});
afterAll(async () => {
  await server?.stop();
  await other?.stop();
});

let made = 0;
const create = (authType: "oauth" | "oauthClientCredentials") =>
  person.call(api.createConnector, {
    body: { ...oauthBody(server, `Places ${(made += 1)}`, { baseUrl: other.url }), authType },
  });
const hostsOf = async (id: string): Promise<unknown> => {
  const { rows } = await t.deps.appPool.query("SELECT hosts FROM credential WHERE connector_id = $1", [id]);
  return rows[0]?.hosts;
};

test.each(["oauth", "oauthClientCredentials"] as const)(
  "[T15] the client secret of %s goes to no other token address, and the API and it take no part of each other",
  async (authType) => {
    const made = await create(authType);
    const params = { connectorId: made.id };
    const [before, requests] = [server.tokenRequests.length, other.tokenRequests.length];
    for (const change of [
      { tokenUrl: `${other.url}/token` },
      { tokenUrl: `${server.url}/other` },
      { baseUrl: server.url },
      { baseUrl: server.url, tokenUrl: `${other.url}/token` },
      ...(authType === "oauth" ? [] : [{ tokenUrl: "" }]),
    ]) {
      const config = { ...made.config, ...change };
      const body = { typeId: "http", authType, config, connectorId: made.id, credentials: { clientId: "x" } };
      for (const refused of [
        await person.send(api.testConnection, { body }),
        await person.send(api.updateConnector, { params, body: { version: made.version, config } }),
      ])
        expect([change, refused.status, refused.body]).toMatchObject([
          change,
          403,
          { code: "credential_host_changed" },
        ]);
    }
    expect([server.tokenRequests.length, other.tokenRequests.length]).toEqual([before, requests]);
    const config = { ...made.config, tokenUrl: `${server.url}/other` };
    const edit = { version: made.version, config, credentials: { clientSecret: CLIENT.clientSecret } };
    await person.call(api.updateConnector, { params, body: edit });
    expect(await hostsOf(made.id)).toEqual([other.url, `${server.url}/other`]);
  },
);

test("[T15] the client secret of a described system keeps to its token address when the way to sign in changes", async () => {
  const config = { domain: "acme", baseUrl: `${other.url}/services/data/v68.0`, signInUrl: server.url };
  const body = { typeId: "salesforce", name: "Places of Salesforce", authType: "oauth", config };
  const { id, version } = await person.call(api.createConnector, { body: { ...body, credentials: { ...CLIENT } } });
  expect(await hostsOf(id)).toEqual([other.url, `${server.url}/services/oauth2/token`]);
  const asked = other.tokenRequests.length;
  const credentials = { clientId: CLIENT.clientId };
  const change = { config, authType: "oauthClientCredentials", credentials };
  for (const refused of [
    await person.send(api.testConnection, { body: { typeId: "salesforce", connectorId: id, ...change } }),
    await person.send(api.updateConnector, { params: { connectorId: id }, body: { version, ...change } }),
  ])
    expect([refused.status, refused.body]).toMatchObject([403, { code: "credential_host_changed" }]);
  expect(other.tokenRequests).toHaveLength(asked);
});

test("a public client has no secret to enter again, and one that becomes it neither", async () => {
  const body = oauthBody(server, "With a key");
  const { id, version, config } = await person.call(api.createConnector, {
    body: { ...body, authType: "apiKey", credentials: { apiKey: "k" } },
  });
  const params = { connectorId: id };
  const credentials = { clientId: CLIENT.clientId };
  const asPublic = { version, config, authType: "oauth", credentials };
  const now = await person.call(api.updateConnector, { params, body: asPublic });
  const moved = { version: now.version, config: { ...config, tokenUrl: `${server.url}/other` } };
  expect(await person.send(api.updateConnector, { params, body: moved })).toMatchObject({ status: 200 });
});

test("[T12] the token of a sign-in does not go to the address that gave it out when that becomes the API's", async () => {
  const { id, version, config } = await create("oauth");
  await signIn(person, server, id);
  expect((await shownSignIn(person, id)).state).toBe("signedIn");
  const calls = server.apiCalls;
  const body = { version, config: { ...config, baseUrl: server.url }, credentials: { ...CLIENT } };
  const { version: moved } = await person.call(api.updateConnector, { params: { connectorId: id }, body });
  expect((await shownSignIn(person, id)).state).toBe("outdated");
  expect(await person.call(api.testConnector, { params: { connectorId: id } })).toMatchObject({ ok: false });
  expect(server.apiCalls).toBe(calls);
  const back = { version: moved, config, credentials: { ...CLIENT } };
  await person.call(api.updateConnector, { params: { connectorId: id }, body: back });
  expect((await shownSignIn(person, id)).state).toBe("signedIn");
});

test("connections of older versions go on: their secrets and their grants are bound to where they went", async () => {
  const { id } = await person.call(api.createConnector, { body: oauthBody(server, "Older") });
  await signIn(person, server, id);
  const check = () => person.call(api.testConnector, { params: { connectorId: id } });
  expect(await check()).toMatchObject({ ok: true });
  const query = (text: string, values: unknown[] = []) => t.deps.appPool.query(text, values);
  await query("UPDATE credential SET hosts = $2 WHERE connector_id = $1", [id, JSON.stringify([server.url])]);
  await query(
    "UPDATE oauth_grant SET binding = jsonb_set(binding, '{destinations}', $2::jsonb) WHERE connector_id = $1",
    [id, JSON.stringify([server.url])],
  );
  expect((await shownSignIn(person, id)).state).toBe("outdated");
  const file = new URL("../../../../../migrations/app/0231-renewals-and-places-of-grants.sql", import.meta.url);
  const [update] = /UPDATE oauth_grant[^;]*;/.exec(await readFile(file, "utf8")) ?? [""];
  await query(update);
  await t.module("connections/connectors").start?.();
  expect(await hostsOf(id)).toEqual([server.url, `${server.url}/token`]);
  expect([(await shownSignIn(person, id)).state, await check()]).toMatchObject(["signedIn", { ok: true }]);
});

test("no grant is stored for a connection that was deleted while its code was exchanged", async () => {
  const { id } = await create("oauth");
  const { authorizationUrl } = await begin(person, id);
  const answer = await server.decide(authorizationUrl, "allow");
  const asked = server.tokenRequests.length;
  server.habits.slowMs = 1_500;
  try {
    const back = comeBack(person, answer);
    await vi.waitFor(() => expect(server.tokenRequests.length).toBe(asked + 1), 10_000);
    await person.call(api.deleteConnector, { params: { connectorId: id } });
    await back;
  } finally {
    server.habits.slowMs = 0;
  }
  const { rows } = await t.deps.appPool.query("SELECT 1 FROM oauth_grant WHERE connector_id = $1", [id]);
  expect(rows).toEqual([]);
});
