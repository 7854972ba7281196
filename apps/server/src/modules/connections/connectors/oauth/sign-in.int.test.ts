/** Signing in at a system: consent, refusals, answers that belong to nobody, and what was there before. */
import * as api from "@accord/contracts/connections/connectors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CLIENT, type AuthorizationServer } from "@accord/connectors/test-systems/oauth/authorization-server";
import { testApp, type TestApp } from "../../../../../test-kit/test-app.ts";
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

let t: TestApp;
let server: AuthorizationServer;
let person: Member;

beforeAll(async () => {
  t = await testApp({ realTime: true });
  server = await authorizationServerFor(t);
  person = await editor(t);
});
afterAll(() => server?.stop());

let made = 0;
const create = (config: object = {}, credentials: Record<string, string> = CLIENT) =>
  person.call(api.createConnector, {
    body: { ...oauthBody(server, `System ${(made += 1)}`, config), credentials },
  });
const check = ({ connectorId }: Pick<api.Connector, "connectorId">) =>
  person.call(api.testConnector, { params: { connectorId } });
const get = ({ connectorId }: Pick<api.Connector, "connectorId">) =>
  person.call(api.getConnector, { params: { connectorId } });

describe("signing in at the system", () => {
  test("[PLT-052] the address that systems send people back to is shown before and after a connection is made", async () => {
    const shared = "http://localhost:3000/api/v1/oauth/callback";
    expect((await person.call(api.listConnectorTypes)).oauthRedirectUrl).toBe(shared);
    const body = oauthBody(server, "Shown before");
    const expected = `${shared}/${body.oauthRedirectName}`;
    const connector = await person.call(api.createConnector, { body });
    expect([connector.oauthRedirectUrl, connector.oauthRedirectName]).toEqual([expected, body.oauthRedirectName]);
    expect((await shownSignIn(person, connector.id)).redirectUrl).toBe(expected);
    const other = { ...oauthBody(server, "With a key"), authType: "apiKey", credentials: { apiKey: "k" } };
    expect((await person.call(api.createConnector, { body: other })).oauthRedirectUrl).toBe(null);
  });

  test("[PLT-151] the method asks for its own inputs, and names those that are missing or not encrypted", async () => {
    const { types } = await person.call(api.listConnectorTypes);
    const method = types.find(({ id }) => id === "http")?.authMethods.find(({ type }) => type === "oauth");
    expect([...(method?.settings ?? []), ...(method?.fields ?? [])].map(({ name }) => name)).toEqual([
      "authorizationUrl",
      "tokenUrl",
      "scope",
      "clientAuthentication",
      "authorizationParameters",
      "issuer",
      "accountPath",
      "accountSelector",
      "clientId",
      "clientSecret",
    ]);
    const problemsOf = async (config: object, credentials: object = CLIENT) => {
      const body = { ...oauthBody(server, "Bad", config), credentials };
      const { body: answer } = await person.send(api.createConnector, { body });
      return (answer as { errors: { path: string }[] }).errors.map(({ path }) => path);
    };
    expect(await problemsOf({ authorizationUrl: "", tokenUrl: "http://example.com/token" })).toEqual([
      "config.authorizationUrl",
      "config.tokenUrl",
    ]);
    expect(await problemsOf({ authorizationParameters: "state=mine" })).toEqual(["config.authorizationParameters"]);
    expect(await problemsOf({}, {})).toEqual(["credentials.clientId"]);
  });

  test("a person signs in, and from then on the connection works; the form says who and until when", async () => {
    const connector = await create({ authorizationParameters: "access_type=offline\nprompt=consent" });
    expect(await check(connector)).toMatchObject({
      ok: false,
      problem: { kind: "authentication", message: expect.stringContaining("Nobody has signed in at 127.0.0.1") },
    });
    const { authorizationUrl } = await begin(person, connector.id);
    const query = Object.fromEntries(new URL(authorizationUrl).searchParams);
    expect(query).toMatchObject({
      ...{ access_type: "offline", prompt: "consent", scope: "companies.read", client_id: CLIENT.clientId },
      ...{ code_challenge_method: "S256", redirect_uri: connector.oauthRedirectUrl },
    });
    expect(authorizationUrl).not.toContain(encodeURIComponent(CLIENT.clientSecret));
    expect((await shownSignIn(person, connector.id)).attempt?.status).toBe("waiting");
    const back = await comeBack(person, await server.decide(authorizationUrl, "allow"));
    expect([back.status, back.headers["location"]]).toEqual([
      303,
      `/synapses/sign-in-result?connector=${connector.id}`,
    ]);
    expect(await shownSignIn(person, connector.id)).toMatchObject({
      ...{ state: "signedIn", signedInBy: "Test Person", isRenewed: true, problem: null },
      attempt: { status: "done", problem: null },
    });
    expect((await get(connector)).status).toBe("AUTHENTICATED");
    expect(await check(connector)).toMatchObject({ ok: true });
  });

  test("a public client proves itself by PKCE alone, and a client may be named in the body", async () => {
    const open = await authorizationServerFor(t, { clientSecret: null });
    const inBody = await authorizationServerFor(t, { clientAuthentication: "body" });
    try {
      for (const [at, clientAuthentication, credentials] of [
        [open, "basic", { clientId: CLIENT.clientId }],
        [inBody, "body", CLIENT],
      ] as const) {
        const body = { ...oauthBody(at, `At ${at.url}`, { clientAuthentication }), credentials: { ...credentials } };
        const connector = await person.call(api.createConnector, { body });
        await signIn(person, at, connector.id);
        expect(await check(connector)).toMatchObject({ ok: true });
      }
    } finally {
      await open.stop();
      await inBody.stop();
    }
  });

  test("in place of the page, a person comes back to the connection", async () => {
    const connector = await create();
    const { authorizationUrl } = await begin(person, connector.id, "same");
    const back = await comeBack(person, await server.decide(authorizationUrl, "allow"));
    expect(back.headers["location"]).toBe(`/synapses/connections/${connector.id}?tab=settings`);
  });
});

describe("what fails", () => {
  /** A connection that somebody signed in to before: that stays. */
  const working = async () => {
    const connector = await create();
    await signIn(person, server, connector.id);
    const before = await shownSignIn(person, connector.id);
    return {
      connector,
      stays: async () => {
        const { attempt: _, ...now } = await shownSignIn(person, connector.id);
        expect({ ...before, ...now }).toEqual(before);
        expect(await check(connector)).toMatchObject({ ok: true });
      },
    };
  };

  test("[PLT-143] consent denied: Failed OAuth with the system's own words as text, and the sign-in before stays", async () => {
    const { connector, stays } = await working();
    const back = await signIn(person, server, connector.id, "deny");
    expect(String(back.headers["location"])).not.toContain("said");
    expect((await shownSignIn(person, connector.id)).attempt).toMatchObject({
      status: "failed",
      problem: { message: "Failed OAuth: access_denied: The person said <b>no</b>.", kind: "authentication" },
    });
    await stays();
  });

  test("[PLT-143] a wrong client secret: Failed OAuth says what the system said, and no secret", async () => {
    const { connector, stays } = await working();
    const secret = server.habits.clientSecret;
    server.habits.clientSecret = "another one";
    try {
      await signIn(person, server, connector.id);
    } finally {
      server.habits.clientSecret = secret;
    }
    const { attempt } = await shownSignIn(person, connector.id);
    expect(attempt?.problem).toMatchObject({
      message: "Failed OAuth: invalid_client: Client authentication failed.",
      hint: expect.stringContaining("client secret"),
    });
    await stays();
  });

  test("[T12] a state counts once", async () => {
    const { connector } = await working();
    const { authorizationUrl } = await begin(person, connector.id);
    const address = await server.decide(authorizationUrl, "allow");
    await comeBack(person, address);
    const requests = server.tokenRequests.length;
    expect((await comeBack(person, address)).headers["location"]).toBe("/synapses/sign-in-result?problem=state");
    expect(server.tokenRequests).toHaveLength(requests);
    expect(await check(connector)).toMatchObject({ ok: true });
  });

  test("[T12] a state of another session, person or instance, or of nobody, does nothing", async () => {
    const { connector, stays } = await working();
    const stranger = await editor(t);
    const elsewhere = await t.build.instance();
    const userId = await t.build.user({ roles: ["SYNC_MANAGER"] });
    const mover = await t.asUser(userId);
    const requests = server.tokenRequests.length;
    for (const [starter, finisher] of [
      [person, stranger],
      [person, t.anonymous],
      [mover, await t.asUser(userId)],
      [mover, await t.asUser(userId, { instanceId: elsewhere })],
    ] as const) {
      const { authorizationUrl } = await begin(starter, connector.id);
      const address = await server.decide(authorizationUrl, "allow");
      expect((await comeBack(finisher, address)).headers["location"]).toBe("/synapses/sign-in-result?problem=session");
      // It is used up for everybody.
      expect((await comeBack(starter, address)).headers["location"]).toBe("/synapses/sign-in-result?problem=state");
    }
    for (const query of ["", "?state=x&code=y", "?state=%00", `?state=${"a".repeat(3000)}`]) {
      const { status, headers } = await t.anonymous.raw({ url: `/api/v1/oauth/callback${query}` });
      expect([303, 400]).toContain(status);
      if (status === 303) expect(headers["location"]).toBe("/synapses/sign-in-result?problem=state");
    }
    expect(server.tokenRequests).toHaveLength(requests);
    await stays();
  });

  test("[T12] a state that is too old, and one of somebody who may not edit any more", async () => {
    const { connector, stays } = await working();
    const { authorizationUrl } = await begin(person, connector.id);
    await t.deps.appPool.query("UPDATE oauth_sign_in SET expires_at = now() - interval '1 second'");
    await comeBack(person, await server.decide(authorizationUrl, "allow"));
    expect((await shownSignIn(person, connector.id)).attempt).toMatchObject({
      status: "failed",
      problem: { message: "Failed OAuth: nobody was back within 10 minutes." },
    });
    const userId = await t.build.user({ roles: ["SYNC_MANAGER"] });
    const demoted = await t.asUser(userId);
    const { authorizationUrl: other } = await begin(demoted, connector.id);
    await t.deps.appPool.query("DELETE FROM user_role WHERE user_id = $1", [userId]);
    const back = await comeBack(demoted, await server.decide(other, "allow"));
    expect(back.status).toBe(303);
    await stays();
  });

  test("[T12] the answer of another issuer; one where the issuer that was entered is missing", async () => {
    const { connector, stays } = await working();
    const tryIt = async (issuer: string | null, expected: unknown, of = connector) => {
      server.habits.issuer = issuer;
      await signIn(person, server, of.id);
      server.habits.issuer = null;
      expect((await shownSignIn(person, of.id)).attempt).toMatchObject(expected as object);
    };
    const refused = { status: "failed", problem: { message: expect.stringContaining('"iss"') } };
    await tryIt("https://evil.example.com", refused);
    await stays();
    await tryIt("own", { status: "done" });
    const strict = await create({ issuer: server.url });
    await tryIt(null, refused, strict);
    await tryIt("own", { status: "done" }, strict);
  });

  test("only who may edit the connection begins; settings that are incomplete or of another method are refused", async () => {
    const connector = await create();
    const body = { window: "own" };
    const { beginConnectorSignIn } = await import("@accord/contracts/connections/oauth-sign-in");
    const viewer = t.as("VIEWER");
    expect((await viewer.send(beginConnectorSignIn, { params: { connectorId: connector.id }, body })).status).toBe(403);
    const keyed = { ...oauthBody(server, "Keyed"), authType: "apiKey", credentials: { apiKey: "k" } };
    const { id } = await person.call(api.createConnector, { body: keyed });
    expect((await person.send(beginConnectorSignIn, { params: { connectorId: id }, body })).status).toBe(409);
  });

  test("[T14] both addresses keep to the outbound rules", async () => {
    for (const config of [
      { authorizationUrl: "https://169.254.169.254/authorize" },
      { tokenUrl: "https://10.0.0.1/token" },
    ]) {
      const body = oauthBody(server, `Inside ${JSON.stringify(config)}`, config);
      expect(await person.send(api.createConnector, { body })).toMatchObject({
        status: 422,
        body: { code: "outbound_refused" },
      });
    }
  });
});

describe("what is stored", () => {
  test("another client, authorisation address, token address or API: the grant no longer counts, until it is back", async () => {
    const connector = await create();
    await signIn(person, server, connector.id);
    const params = { connectorId: connector.id };
    const edit = async (change: object, credentials: Record<string, string> = CLIENT) => {
      const { version, config } = await get(connector);
      const body = { version, config: { ...config, ...change }, authType: "oauth", credentials };
      await person.call(api.updateConnector, { params, body });
    };
    const state = async () => (await shownSignIn(person, connector.id)).state;
    const localhost = server.url.replace("127.0.0.1", "localhost");
    t.deps.outbound.allow(new URL(localhost).host);
    const here = { baseUrl: server.url, authorizationUrl: `${server.url}/authorize`, tokenUrl: `${server.url}/token` };
    for (const [change, credentials] of [
      [{ tokenUrl: `${localhost}/token` }, CLIENT],
      [{ authorizationUrl: `${server.url}/authorize?x=1` }, CLIENT],
      [{ baseUrl: localhost }, CLIENT],
      [{}, { ...CLIENT, clientId: "another" }],
    ] as const) {
      await edit(change, { ...credentials });
      expect(await state()).toBe("outdated");
      expect(await check(connector)).toMatchObject({
        problem: { kind: "authentication", hint: expect.stringContaining("sign in at 127.0.0.1") },
      });
      await edit(here);
      expect([await state(), (await check(connector)).ok]).toEqual(["signedIn", true]);
    }
  });

  test("[T12] no token, code, verifier or secret is in an answer, a table in plain text, or an error", async () => {
    const connector = await create();
    await signIn(person, server, connector.id);
    await check(connector);
    const answers = await Promise.all([
      get(connector),
      shownSignIn(person, connector.id),
      person.call(api.listConnectors),
      check(connector),
    ]);
    const tables = await Promise.all(
      ["oauth_grant", "oauth_sign_in", "connector", "credential"].map(
        async (table) => (await t.deps.appPool.query(`SELECT x::text FROM ${table} x`)).rows,
      ),
    );
    const all = JSON.stringify([answers, tables]);
    expect(server.grants.given.length).toBeGreaterThan(2);
    for (const secret of [...server.grants.given, CLIENT.clientSecret]) expect(all).not.toContain(secret);
  });

  test("with a deleted connection its grant is gone", async () => {
    const connector = await create();
    await signIn(person, server, connector.id);
    await person.call(api.deleteConnector, { params: { connectorId: connector.id } });
    const { rows } = await t.deps.appPool.query("SELECT 1 FROM oauth_grant WHERE connector_id = $1", [connector.id]);
    expect(rows).toEqual([]);
  });
});
