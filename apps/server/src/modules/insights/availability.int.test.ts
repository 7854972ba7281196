/** While the feature Insights is off, nobody gets at dashboards, cards, datasets and shares, by any call. */
import { disableFeature, enableFeature } from "@accord/contracts/identity/instances";
import { ENDPOINTS } from "@accord/contracts/endpoints";
import { listDataCards } from "@accord/contracts/insights/cards";
import { getDashboard, listDashboards } from "@accord/contracts/insights/dashboards";
import { listDatasets } from "@accord/contracts/insights/datasets";
import { encodeEmail, getSharedDashboard, openSharedDashboard } from "@accord/contracts/insights/sharing";
import { beforeAll, expect, test } from "vitest";
import { makeCaller } from "../../../test-kit/caller.ts";
import { makeShare } from "../../../test-kit/fixtures/insights.ts";
import { testApp, type TestApp } from "../../../test-kit/index.ts";
import { shareCookieName } from "../../platform/http/request/session-cookie.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
}, 60_000);
const OFF = { status: 403, body: { code: "feature_disabled" } };
const turn = (feature: typeof enableFeature) =>
  t.as("INSTANCE_ADMIN").call(feature, { params: { featureName: "Insights" } });

test("[INS-002] with Insights off one sample is listed, to whoever may list dashboards, and all comes again with it", async () => {
  const { dashboardId } = await makeShare(t, t);
  await turn(disableFeature);
  for (const who of ["SUPER_ADMIN", "DASHBOARD_LIGHT_VIEWER"] as const)
    for (const query of [{}, { category: "draft" as const }]) {
      const { dashboards, available } = await t.as(who).call(listDashboards, { query });
      expect(dashboards.map(({ id, draftStatus }) => [id, draftStatus])).toEqual([["sampleDash1", "APPROVED"]]);
      expect(available).toBe(false);
    }
  const admin = t.as("SUPER_ADMIN");
  expect(await admin.send(getDashboard, { params: { id: dashboardId } })).toMatchObject(OFF);
  expect(await admin.send(listDataCards)).toMatchObject(OFF);
  expect(await admin.send(listDatasets)).toMatchObject(OFF);
  await turn(enableFeature);
  const again = await admin.call(listDashboards);
  expect(again.dashboards.map(({ id }) => id)).toContain(dashboardId);
  expect(again.available).toBe(true);
});

test("with Insights off a guest neither comes in nor sees what was open, and does again once it is on", async () => {
  const { dashboardId, share, password } = await makeShare(t, t);
  const body = { email: encodeEmail(share.email), dashboardId, secret: password ?? "" };
  const name = shareCookieName(t.deps.config.baseUrl);
  const entered = await t.anonymous.send(openSharedDashboard, { body });
  const cookies = { [name]: entered.cookies.get(name) ?? "" };
  const guest = makeCaller({ http: t.app.http, cookies, token: t.forgery.token(null) });
  await turn(disableFeature);
  expect(await guest.send(getSharedDashboard, { params: { dashboardId } })).toMatchObject(OFF);
  expect(await t.anonymous.send(openSharedDashboard, { body })).toMatchObject(OFF);
  const wrong = { ...body, secret: "wrong" };
  expect(await t.anonymous.send(openSharedDashboard, { body: wrong })).toMatchObject({ status: 401 });
  await turn(enableFeature);
  expect(await guest.send(getSharedDashboard, { params: { dashboardId } })).toMatchObject({ status: 200 });
});

test("another instance is not touched by it", async () => {
  const elsewhere = { instanceId: await t.build.instance() };
  await turn(disableFeature);
  expect((await t.as("SUPER_ADMIN", elsewhere).call(listDashboards)).available).toBe(true);
  await turn(enableFeature);
});

test("with Insights off every reading and deleting call is refused, whoever calls", async () => {
  await turn(disableFeature);
  const calls = ENDPOINTS.filter(
    ({ path, method, access, name }) =>
      /^\/(dashboards|datacards|datasets)/.test(path) &&
      (method === "GET" || method === "DELETE") &&
      access !== "public" &&
      name !== "listDashboards",
  );
  expect(calls.length).toBeGreaterThan(15);
  const id = "0".repeat(24);
  const input = {
    params: { id, cardId: id, sharedItemId: id },
    query: { dataSourceId: id, dataSourceType: "ENTITY" },
  };
  for (const endpoint of calls) {
    const named = [...endpoint.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? "");
    const params = Object.fromEntries(Object.entries(input.params).filter(([name]) => named.includes(name)));
    const query = /fields|sample/.test(endpoint.path) ? input.query : {};
    expect(await t.as("SUPER_ADMIN").send(endpoint, { params, query }), endpoint.name).toMatchObject(OFF);
  }
  await turn(enableFeature);
});
