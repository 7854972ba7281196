/** Described systems that a person signs in to in the browser: consent, reading, renewals, and what the system takes back. */
import type { Connection } from "@accord/connector-sdk";
import { readToEnd } from "@accord/connector-sdk/test-kit";
import { AIRTABLE_BASE, startAirtable } from "@accord/connectors/test-systems/vendors/airtable/airtable";
import { GITHUB_OWNER, GITHUB_REPO, startGithub } from "@accord/connectors/test-systems/vendors/github/github";
import { startHubspot } from "@accord/connectors/test-systems/vendors/hubspot/hubspot";
import { MAILCHIMP_LIST, startMailchimp } from "@accord/connectors/test-systems/vendors/mailchimp/mailchimp";
import { startSalesforce } from "@accord/connectors/test-systems/vendors/salesforce/salesforce";
import type { VendorServer } from "@accord/connectors/test-systems/vendors/server";
import { SIGN_IN_APP, type SignInDesk } from "@accord/connectors/test-systems/vendors/sign-in/desk";
import { startZendesk } from "@accord/connectors/test-systems/vendors/zendesk/zendesk";
import * as api from "@accord/contracts/connections/connectors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  begin,
  comeBack,
  editor,
  redirectNameAt,
  shownSignIn,
  signIn,
  type Member,
} from "../../../../../test-kit/systems/oauth-world.ts";
import { testApp, type TestApp } from "../../../../../test-kit/test-app.ts";
import { connectionOpener } from "../open-connection.ts";

type Vendor = VendorServer & { signIns: SignInDesk };
type ConnectorId = api.Connector["id"];

let t: TestApp;
let person: Member;

beforeAll(async () => {
  t = await testApp({ realTime: true });
  person = await editor(t);
});

const SEEDED = 12;
const SYSTEMS: readonly {
  typeId: string;
  start: () => Promise<Vendor>;
  config: object;
  path: string;
  isRenewed?: false;
}[] = [
  { typeId: "airtable", start: () => startAirtable(SEEDED), config: { baseId: AIRTABLE_BASE }, path: "/v0" },
  {
    typeId: "github",
    start: () => startGithub(SEEDED),
    config: { owner: GITHUB_OWNER, repository: GITHUB_REPO },
    path: "",
  },
  { typeId: "hubspot", start: () => startHubspot(SEEDED), config: {}, path: "" },
  {
    typeId: "mailchimp",
    start: () => startMailchimp(SEEDED),
    config: { dataCenter: "us1", audienceId: MAILCHIMP_LIST },
    path: "/3.0",
    isRenewed: false,
  },
  {
    typeId: "salesforce",
    start: () => startSalesforce(SEEDED),
    config: { domain: "acme" },
    path: "/services/data/v68.0",
  },
  { typeId: "zendesk", start: () => startZendesk(SEEDED), config: { subdomain: "acme" }, path: "/api/v2" },
];

async function open<Result>(id: ConnectorId, work: (connection: Connection) => Promise<Result>): Promise<Result> {
  const connection = await connectionOpener(t.deps)(t.instanceId, id, { anyStatus: true });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}
const check = (connectorId: ConnectorId) => person.call(api.testConnector, { params: { connectorId } });
/** All records of the first entity. */
const read = (id: ConnectorId) =>
  open(id, async (connection) => {
    for await (const { entity } of connection.discover({}))
      return (await readToEnd(connection, { entity, cursor: null, pageSize: 100, mode: "all" })).records;
    throw new Error("There is no entity.");
  });
/** By the database's clock the token is over, and was renewed long ago. */
const endTokens = ({ signIns }: Pick<Vendor, "signIns">, id: ConnectorId) => {
  signIns.grants.endAccessTokens();
  return t.deps.appPool.query(
    `UPDATE oauth_grant SET renewed_at = now() - interval '11 s',
      expires_at = CASE WHEN expires_at IS NULL THEN NULL ELSE now() - interval '1 s' END WHERE connector_id = $1`,
    [id],
  );
};
const renewals = ({ signIns }: Pick<Vendor, "signIns">): number =>
  signIns.tokenRequests.filter((kind) => kind === "refresh_token").length;

let made = 0;
const body = (
  { signIns }: Pick<Vendor, "signIns">,
  typeId: string,
  config: object,
  credentials: object = SIGN_IN_APP,
) => ({
  oauthRedirectName: redirectNameAt(signIns.redirectUris),
  name: `${typeId} ${(made += 1)}`,
  typeId,
  authType: "oauth",
  config: { ...config },
  credentials: { ...credentials },
});

describe.each(SYSTEMS)("signing in at $typeId", ({ typeId, start, config, path, isRenewed = true }) => {
  let server: Vendor;
  let connectorId: ConnectorId;
  let place: string;

  beforeAll(async () => {
    server = await start();
    place = new URL(server.url).host;
    t.deps.outbound.allow(place);
    const settings = { ...config, baseUrl: server.url + path };
    ({ connectorId } = await person.call(api.createConnector, { body: body(server, typeId, settings) }));
  });
  afterAll(() => server?.stop());

  test("[PLT-151] the method has its own inputs beside those of keys, and the address that people are sent back to", async () => {
    const { types, oauthRedirectUrl } = await person.call(api.listConnectorTypes);
    const type = types.find(({ id }) => id === typeId);
    const method = type?.authMethods.find((one) => one.type === "oauth");
    expect(type?.authMethods.length).toBeGreaterThan(1);
    expect(method?.label).toBe(`Sign in at ${type?.displayName}`);
    expect(method?.fields.map(({ name, secret = false }) => [name, secret])).toEqual([
      ["clientId", false],
      ["clientSecret", true],
    ]);
    const detail = await person.call(api.getConnector, { params: { connectorId } });
    expect(detail.oauthRedirectUrl).toBe(`${oauthRedirectUrl}/${detail.oauthRedirectName}`);
    expect(JSON.stringify(detail)).not.toContain(SIGN_IN_APP.clientSecret);
  });

  test("[PLT-143] before anybody signed in it says so; consent denied is a failed sign-in in the system's words", async () => {
    expect((await check(connectorId)).problem?.message).toBe(`Nobody has signed in at ${place} yet.`);
    await signIn(person, server.signIns, connectorId, "deny");
    expect(await shownSignIn(person, connectorId)).toMatchObject({
      state: "none",
      attempt: { status: "failed", problem: { message: expect.stringContaining("Failed OAuth: access_denied") } },
    });
  });

  test("consent, back, and the records are read", async () => {
    await signIn(person, server.signIns, connectorId);
    expect(await shownSignIn(person, connectorId)).toMatchObject({ state: "signedIn", isRenewed, host: place });
    expect((await check(connectorId)).problem).toBeNull();
    expect((await read(connectorId)).length).toBeGreaterThanOrEqual(SEEDED);
    expect(server.signIns.tokenRequests).toEqual(["authorization_code"]);
  });

  test("its account is known, and another one is refused until somebody chooses it", async () => {
    const { account } = await shownSignIn(person, connectorId);
    expect(account?.id).toBeTruthy();
    await t.deps.appPool.query(
      `UPDATE oauth_grant SET account = account || '{"id":"former"}' WHERE connector_id = $1`,
      [connectorId],
    );
    await signIn(person, server.signIns, connectorId);
    const { attempt } = await shownSignIn(person, connectorId);
    expect(attempt).toMatchObject({ status: "failed", otherAccount: { former: { id: "former" }, found: account } });
    if (!attempt) return;
    const { authorizationUrl } = await begin(person, connectorId, "own", { useAccountOf: attempt.id });
    await comeBack(person, await server.signIns.decide(authorizationUrl, "allow"));
    expect(await shownSignIn(person, connectorId)).toMatchObject({ account, attempt: { status: "done" } });
  });

  const renewed = async (): Promise<void> => {
    for (const round of [1, 2]) {
      await endTokens(server, connectorId);
      const counts = await Promise.all([1, 2, 3, 4].map(async () => (await read(connectorId)).length));
      expect(Math.min(...counts)).toBeGreaterThanOrEqual(SEEDED);
      expect(renewals(server)).toBe(round);
    }
  };
  const kept = async (): Promise<void> => {
    await t.deps.appPool.query(
      "UPDATE oauth_grant SET signed_in_at = now() - interval '1 year' WHERE connector_id = $1",
      [connectorId],
    );
    expect(await shownSignIn(person, connectorId)).toMatchObject({ state: "signedIn", expiresAt: null });
    expect((await read(connectorId)).length).toBeGreaterThanOrEqual(SEEDED);
    expect(renewals(server)).toBe(0);
  };
  test("an access token that has ended is renewed once, however many need it; one without an end stays", () =>
    isRenewed ? renewed() : kept());

  test("a sign-in that the system takes back asks somebody to sign in again; then it goes on", async () => {
    server.signIns.grants.revokeAll();
    await endTokens(server, connectorId);
    const { problem } = await check(connectorId);
    expect(problem).toMatchObject({
      kind: "authentication",
      hint: expect.stringContaining(`sign in at ${place} again`),
    });
    if (isRenewed) {
      expect(problem?.message).toContain("Failed OAuth: invalid_grant: ");
      expect(await shownSignIn(person, connectorId)).toMatchObject({
        state: "refused",
        problem: { kind: "authentication" },
      });
      // Nothing is asked of the system until then.
      const asked = server.calls.length;
      await check(connectorId);
      expect(server.calls.length).toBe(asked);
    }
    await signIn(person, server.signIns, connectorId);
    expect((await shownSignIn(person, connectorId)).state).toBe("signedIn");
    expect((await read(connectorId)).length).toBeGreaterThanOrEqual(SEEDED);
  });

  test("[PLT-143] an app that the system does not know is said to be that", async () => {
    const settings = { ...config, baseUrl: server.url + path };
    const wrong = { ...SIGN_IN_APP, clientSecret: "another" };
    const { id } = await person.call(api.createConnector, { body: body(server, typeId, settings, wrong) });
    await signIn(person, server.signIns, id);
    const { attempt } = await shownSignIn(person, id);
    expect(attempt?.problem).toMatchObject({
      message: expect.stringContaining("Failed OAuth: invalid_client"),
      hint: expect.stringContaining("Check client id and client secret"),
    });
  });

  test("[T12] no token or secret of it is in a table in plain text, or in what is answered", async () => {
    const tables = await Promise.all(
      ["oauth_grant", "oauth_sign_in", "connector", "credential"].map(
        async (table) => (await t.deps.appPool.query(`SELECT x::text FROM ${table} x`)).rows,
      ),
    );
    const answers = [await shownSignIn(person, connectorId), await person.call(api.listConnectors)];
    const all = JSON.stringify([tables, answers]);
    expect(server.signIns.grants.given.length).toBeGreaterThan(1);
    for (const secret of [...server.signIns.grants.given, SIGN_IN_APP.clientSecret]) expect(all).not.toContain(secret);
  });
});

describe("the instance that Salesforce names", () => {
  let server: Awaited<ReturnType<typeof startSalesforce>>;
  /** The same server, at an address of which only its answers know. */
  let instance: string;
  let signInUrl: string;

  beforeAll(async () => {
    server = await startSalesforce(SEEDED);
    instance = server.url;
    signInUrl = server.url.replace("127.0.0.1", "localhost");
    for (const url of [instance, signInUrl]) t.deps.outbound.allow(new URL(url).host);
  });
  afterAll(() => server?.stop());

  const create = async (config: object = {}) =>
    (
      await person.call(api.createConnector, {
        body: body(server, "salesforce", { domain: "acme", signInUrl, ...config }),
      })
    ).connectorId;

  test("its address takes the place of the usual one, and stays when a renewal names none", async () => {
    const id = await create();
    await signIn(person, server.signIns, id);
    expect((await shownSignIn(person, id)).host).toBe(new URL(signInUrl).host);
    expect((await read(id)).length).toBeGreaterThanOrEqual(SEEDED);
    server.nameInstance("");
    await endTokens(server, id);
    expect((await read(id)).length).toBeGreaterThanOrEqual(SEEDED);
    server.nameInstance(instance);
  });

  test("an address that a person entered counts, whatever the answer names", async () => {
    server.nameInstance("https://elsewhere.example.com");
    const id = await create({ baseUrl: `${instance}/services/data/v68.0` });
    await signIn(person, server.signIns, id);
    expect((await read(id)).length).toBeGreaterThanOrEqual(SEEDED);
    server.nameInstance(instance);
  });

  test("[T14] [T12] no token is stored for an address that is not encrypted, inside the network, or missing", async () => {
    for (const [named, message] of [
      ["http://acme.example.com", "names no https address as instance_url"],
      ["https://somebody@acme.example.com", "names no https address as instance_url"],
      ["", "names no https address as instance_url"],
      ["https://169.254.169.254", "may not connect to 169.254.169.254"],
    ] as const) {
      server.nameInstance(named);
      const id = await create();
      await signIn(person, server.signIns, id);
      expect(await shownSignIn(person, id)).toMatchObject({
        state: "none",
        attempt: { status: "failed", problem: { message: expect.stringContaining(message) } },
      });
    }
    server.nameInstance(instance);
  });

  test("[T12] another address of the sign-in needs the secret again, and the grant no longer counts", async () => {
    const connectorId = await create();
    await signIn(person, server.signIns, connectorId);
    const params = { connectorId };
    const { version, config } = await person.call(api.getConnector, { params });
    const moved = { version, config: { ...config, signInUrl: instance } };
    expect(await person.send(api.updateConnector, { params, body: moved })).toMatchObject({
      body: { code: "credential_host_changed" },
    });
    const entered = { ...moved, credentials: { ...SIGN_IN_APP } };
    await person.call(api.updateConnector, { params, body: entered });
    expect((await shownSignIn(person, connectorId)).state).toBe("outdated");
  });

  test("the sign-in has to be encrypted", async () => {
    const { body: answer } = await person.send(api.createConnector, {
      body: body(server, "salesforce", { domain: "acme", signInUrl: "http://login.example.com" }),
    });
    expect(answer).toMatchObject({ errors: [{ path: "config.signInUrl", message: "must be an https address" }] });
  });
});

test("scopes that a person enters are asked for in place of the usual ones", async () => {
  const server = await startHubspot(1);
  try {
    t.deps.outbound.allow(new URL(server.url).host);
    const scope = "oauth  crm.objects.contacts.read";
    const { id } = await person.call(api.createConnector, {
      body: body(server, "hubspot", { baseUrl: server.url, scope }),
    });
    const { authorizationUrl } = await begin(person, id);
    const { pathname, searchParams } = new URL(authorizationUrl);
    expect([pathname, searchParams.get("scope")]).toEqual(["/oauth/authorize", "oauth crm.objects.contacts.read"]);
    expect([...searchParams.keys()]).not.toContain("code_challenge");
    await comeBack(person, await server.signIns.decide(authorizationUrl, "allow"));
    expect((await shownSignIn(person, id)).state).toBe("signedIn");
  } finally {
    await server.stop();
  }
});
