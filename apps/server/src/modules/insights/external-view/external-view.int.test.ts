/** The external view by the API: its features, its settings and secret, the token, and lists of a product behind HTTP. */
import { API_PREFIX } from "@accord/contracts";
import { disableFeature, enableFeature, type Feature } from "@accord/contracts/identity/instances";
import { listDashboards } from "@accord/contracts/insights/dashboards";
import { listDatasets } from "@accord/contracts/insights/datasets";
import * as api from "@accord/contracts/insights/external-view";
import { listAuditEntries } from "@accord/contracts/operations/audit";
import { describe, expect, test } from "vitest";
import { readToken } from "../../../../test-kit/external-product.ts";
import { EXTERNAL_SETTINGS } from "../../../../test-kit/fixtures/external-view.ts";
import { t, product, issuer, configure, viewer, setUp } from "./fixtures/external-view.ts";

setUp();

const admin = () => t.as("INSTANCE_ADMIN");

const turn = (on: boolean, featureName: Feature = "InsightsProvider") =>
  admin().call(on ? enableFeature : disableFeature, { params: { featureName } });

const token = (view: api.ExternalViewKind, key = "") =>
  viewer().send(api.getExternalViewToken, { query: { view, key } });

const frame = (who = viewer()) => who.raw({ url: `${API_PREFIX}${api.EXTERNAL_FRAME_PATH}` });

const PROVIDER_CALLS = [
  () => token("path"),
  () => viewer().send(api.listExternalDashboards),
  () => viewer().send(api.listExternalDatasets),
  () => viewer().send(api.listExternalDataCards),
  () => viewer().send(api.getExternalDataset, { params: { key: "orders" } }),
  () => viewer().send(api.previewExternalDataset, { params: { key: "orders" } }),
];

describe("features", () => {
  test("[INS-005] external data is answered only with the feature on, and only by the calls of the external view", async () => {
    await configure();
    for (const on of [true, false]) {
      await turn(on);
      const [dashboards, datasets] = [await viewer().call(listDashboards), await viewer().call(listDatasets)];
      expect(JSON.stringify([dashboards, datasets])).not.toMatch(/Sales in EMEA|"Orders"/);
      const external = await viewer().send(api.listExternalDashboards);
      if (on) expect(external).toMatchObject({ status: 200, body: { items: [{ name: "Sales in EMEA" }, {}] } });
      else expect(external).toMatchObject({ status: 403, body: { code: "feature_disabled" } });
    }
  });

  test.each(["InsightsProvider", "Insights"] as const)(
    "[INS-005] with %s off every call is refused as those of other features are, and nothing is sent or framed",
    async (feature) => {
      await configure();
      await turn(false, feature);
      const off = { status: 403, body: { code: "feature_disabled", details: { feature } } };
      for (const send of PROVIDER_CALLS) expect(await send()).toMatchObject(off);
      expect((await frame()).status).toBe(404);
      expect(product.calls).toEqual([]);
      await turn(true, feature);
      for (const send of PROVIDER_CALLS) expect((await send()).status).toBe(200);
    },
  );

  test("[INS-137] the status is active while it is enabled; enabling Insights makes Insights active", async () => {
    await configure();
    const status = async () => (await viewer().call(api.getInsightsProvider)).status;
    expect(await status()).toBe("active");
    await turn(false);
    expect(await viewer().call(api.getInsightsProvider)).toEqual({
      ...{ status: "inactive", isConfigured: false, name: "", hasLists: false, mayConfigure: false },
    });
    await turn(true);
    await turn(false, "Insights");
    expect(await status()).toBe("inactive");
    expect(await viewer().send(api.enableInsights)).toMatchObject({ status: 403 });
    expect(await admin().call(api.enableInsights)).toEqual({ name: "Insights", enabled: true });
    expect(await status()).toBe("active");
    expect((await viewer().call(listDashboards)).available).toBe(true);
  });
});

describe("settings", () => {
  test("the secret is sealed, never read back, and kept until another one is sent", async () => {
    await configure();
    const stored = await admin().call(api.getExternalViewSettings);
    expect(stored).toMatchObject({ hasSecret: true, issuer: issuer(), settings: { name: "Lighthouse" } });
    await admin().call(api.saveExternalViewSettings, {
      body: { ...stored.settings!, name: "Renamed", version: stored.version },
    });
    const { rows } = await t.deps.appPool.query("SELECT * FROM external_view");
    const audit = await t.as("ORG_ADMIN").call(listAuditEntries);
    const answers = [stored, await admin().call(api.getExternalViewSettings), rows, audit];
    expect(JSON.stringify(answers)).not.toContain(product.secret);
    expect(audit.entries.map(({ action }) => action)).toContain("saveExternalViewSettings");
    expect((await token("path")).status).toBe(200);
  });

  test("a secret goes to no other origin than those it was entered for", async () => {
    await configure();
    const { settings, version } = await admin().call(api.getExternalViewSettings);
    for (const change of [{ address: "https://other.example/embed" }, { listAddress: "https://other.example/api" }])
      expect(
        await admin().send(api.saveExternalViewSettings, { body: { ...settings, ...change, version } }),
      ).toMatchObject({ status: 403, body: { code: "credential_host_changed" } });
    const moved = { ...settings, address: "https://other.example/embed", secret: "x".repeat(32), version };
    expect((await admin().send(api.saveExternalViewSettings, { body: moved })).status).toBe(200);
  });

  test.each([
    ["a short secret", { secret: "short" }, "secret", /at least 32/],
    ["no secret", { secret: undefined }, "secret", /is required/],
    ["an address with a password", { address: "https://a:b@bi.example.com" }, "address", /without user name/],
    ["another scheme", { address: "javascript:alert(1)" }, "address", /http or https/],
    ["a pattern as host", { address: "https://*.com/" }, "address", /must name its host/],
    ["a host that would end the policy", { address: "https://a;b.example/" }, "address", /must name its host/],
    ["this server", { address: "http://localhost:3000/x" }, "address", /must not lead to a host of this server/],
    ["another port of its host", { address: "http://localhost:8443/x" }, "address", /must not lead to a host/],
    ["a path without an id", { paths: { dashboard: "d" } }, "paths.dashboard", /must contain \{id\}/],
    ["a path that goes up", { paths: { dashboard: "../{id}" } }, "paths.dashboard", /must not go up/],
    ["a long time", { tokenSeconds: 601 }, "tokenSeconds", /at most 600/],
    ["a check without lists", { checksAccess: true }, "listAddress", /is required/],
  ])("%s is refused at its field", async (_, change, path, words) => {
    await admin().call(api.removeExternalViewSettings);
    const body = { ...EXTERNAL_SETTINGS, ...change };
    const refused = await admin().send(api.saveExternalViewSettings, { body });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path, message: expect.stringMatching(words) }] } });
  });

  test("the newer version wins, and removing forgets the product", async () => {
    await configure();
    const { settings } = await admin().call(api.getExternalViewSettings);
    expect(await admin().send(api.saveExternalViewSettings, { body: { ...settings, version: 0 } })).toMatchObject({
      ...{ status: 409, body: { code: "stale_version" } },
    });
    await admin().call(api.removeExternalViewSettings);
    expect(await admin().call(api.getExternalViewSettings)).toMatchObject({ settings: null, hasSecret: false });
    expect(await token("path")).toMatchObject({ status: 409, body: { code: "external_view_off" } });
    expect((await t.deps.appPool.query("SELECT FROM external_view")).rows).toEqual([]);
  });

  test("a form of settings that were removed since changes nothing of those entered after them", async () => {
    await configure();
    const old = await admin().call(api.getExternalViewSettings);
    await admin().call(api.removeExternalViewSettings);
    await configure({ name: "Beacon" });
    const body = { ...old.settings!, secret: product.secret, version: old.version };
    expect(await admin().send(api.saveExternalViewSettings, { body })).toMatchObject({
      ...{ status: 409, body: { code: "stale_version" } },
    });
    expect(await admin().call(api.getExternalViewSettings)).toMatchObject({ settings: { name: "Beacon" } });
  });

  test("only people who may enter credentials of services see and change them", async () => {
    for (const who of [viewer(), t.as("SYNC_MANAGER"), t.as("VIEWER")])
      for (const endpoint of [api.getExternalViewSettings, api.removeExternalViewSettings])
        expect((await who.send(endpoint)).status).toBe(403);
  });
});

describe("the token", () => {
  test("[INS-017] [INS-137] it is good for one person, instance and product, and for the time that was set", async () => {
    await configure({ tokenSeconds: 120 });
    const answer = await viewer().call(api.getExternalViewToken, { query: { view: "path", key: "boards/new" } });
    const claims = readToken(answer.token, product.secret, { iss: issuer(), aud: product.origin });
    expect(claims).toMatchObject({ instance: t.instanceId, sub: expect.stringMatching(/^[0-9a-f]{24}$/) });
    expect(Number(claims?.["exp"]) - Number(claims?.["iat"])).toBe(120);
    expect(Object.keys(claims ?? {}).toSorted()).toEqual(["aud", "exp", "iat", "instance", "iss", "jti", "sub"]);
    expect(answer.address).toBe(`${product.origin}/embed/boards/new?token=${answer.token}`);
    expect(new Date(answer.expiresAt).getTime()).toBe(Number(claims?.["exp"]) * 1_000);
    const other = await admin().call(api.getExternalViewToken, { query: { view: "path" } });
    expect(readToken(other.token, product.secret, { iss: issuer(), aud: product.origin })?.["sub"]).not.toBe(
      claims?.["sub"],
    );
  });

  test("it names the person only where that is switched on; audience and place of the token are as set", async () => {
    await configure({ sendsPerson: true, audience: "lighthouse", tokenIn: "fragment", tokenName: "jwt" });
    const answer = await viewer().call(api.getExternalViewToken, { query: { view: "dashboard", key: "sales/emea" } });
    const claims = readToken(answer.token, product.secret, { iss: issuer(), aud: "lighthouse" });
    expect(claims).toMatchObject({ email: expect.stringContaining("@"), name: expect.any(String) });
    expect(answer.address).toBe(`${product.origin}/embed/dashboards/sales%2Femea#jwt=${answer.token}`);
  });

  test("[INS-142] a product that refuses it is named with its reason, and the token is not repeated", async () => {
    await configure({ checksAccess: true });
    expect((await token("path")).status).toBe(200);
    await configure({ checksAccess: true, secret: "another secret than the product's own" });
    const { status, body } = await token("path");
    expect([status, body]).toMatchObject([
      422,
      {
        code: "access_error",
        message: "Lighthouse gives no access.",
        description: expect.stringMatching(/401: The token •••/),
      },
    ]);
    expect(JSON.stringify(body)).not.toMatch(/eyJ/);
    expect(product.calls.at(-1)).toMatchObject({ path: "/api/access", claims: null });
  });

  test("[INS-142] a product that is on a host of this server by now gets no token, and no page frames it", async () => {
    await configure();
    await t.deps.appPool.query(
      `UPDATE external_view SET definition = definition || '{"address": "http://localhost:8443/bi"}'`,
    );
    expect(await token("path")).toMatchObject({
      ...{ status: 422, body: { code: "access_error", description: expect.stringMatching(/do not fit/) } },
    });
    expect((await frame()).status).toBe(404);
    expect(product.calls).toEqual([]);
    await admin().call(api.removeExternalViewSettings);
  });

  test("[INS-142] a secret that can't be opened is said, and nothing is sent", async () => {
    await configure();
    await t.deps.appPool.query("UPDATE external_view SET secret = 's1.gone.x.y'");
    expect(await token("path")).toMatchObject({
      ...{ status: 422, body: { code: "access_error", description: expect.stringMatching(/secret can't be opened/) } },
    });
    await admin().call(api.removeExternalViewSettings);
  });

  test("a path that would lead out of the product's address has no page", async () => {
    await configure();
    for (const key of ["../admin", "a/../../admin", "."])
      expect(await token("path", key)).toMatchObject({ status: 404, body: { code: "not_found" } });
    for (const key of ["..", ""]) expect((await token("dashboard", key)).status).toBe(404);
  });

  test("what instances have is their own", async () => {
    await configure();
    const elsewhere = t.as("INSTANCE_ADMIN", { instanceId: await t.build.instance() });
    expect(await elsewhere.call(api.getExternalViewSettings)).toMatchObject({ settings: null, hasSecret: false });
    await elsewhere.call(enableFeature, { params: { featureName: "InsightsProvider" } });
    expect((await elsewhere.send(api.getExternalViewToken, { query: { view: "path" } })).status).toBe(409);
    expect((await frame(elsewhere)).status).toBe(404);
  });
});

describe("the page that holds the frame", () => {
  test("it allows the configured origin in a frame and nothing else, and only pages of this server frame it", async () => {
    await configure();
    const { status, headers } = await frame();
    expect(status).toBe(200);
    const policy = String(headers["content-security-policy"]);
    expect(policy).toMatch(/^default-src 'none'; style-src 'nonce-[^']+'; frame-src [^ ;]+; base-uri 'none'/);
    expect(/frame-src ([^;]+)/.exec(policy)?.[1]).toBe(product.origin);
    expect(policy).toMatch(/frame-ancestors 'self'$/);
    expect(headers["x-frame-options"]).toBe("SAMEORIGIN");
    expect(headers["cache-control"]).toBe("no-store");
  });

  test("strangers and people without the permission get none, and refusals are framed by nobody", async () => {
    await configure();
    for (const [who, status] of [
      [t.anonymous, 401],
      [t.as(["VIEW_DATACARD"]), 403],
    ] as const) {
      const refused = await frame(who);
      expect([refused.status, refused.headers["x-frame-options"]]).toEqual([status, "DENY"]);
    }
  });
});

test("calls of a person are limited for an hour", async () => {
  await configure({ listAddress: "" });
  const person = await t.asUser(await t.build.user({ roles: ["VIEWER"] }));
  const { perPerson } = api.EXTERNAL_VIEW_LIMITS;
  const send = async () => (await person.send(api.listExternalDashboards)).status;
  const statuses = new Set<number>();
  for (let sent = 0; sent < perPerson; sent += 100)
    for (const status of await Promise.all(Array.from({ length: 100 }, send))) statuses.add(status);
  expect([...statuses]).toEqual([200]);
  expect(await send()).toBe(429);
});
