/** Instances, features, trial limits, preferences. */
import { FEATURES, UNBUILT_FEATURES } from "@accord/contracts/identity/instances";
import * as instances from "@accord/contracts/identity/instances";
import * as preferences from "@accord/contracts/identity/preferences";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { beforeAll, describe, expect, test } from "vitest";
import { testApp, type TestApp } from "../../../../test-kit/index.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ roles: ["worker"] });
});
const at = (instanceId: (typeof t)["instanceId"]) => ({ params: { instanceId } });

describe("[PLT-045] [PLT-148] instances", () => {
  test("are created as production by default, renamed, switched to, deactivated, and deleted with all they hold", async () => {
    const admin = await t.asUser(await t.build.user({ orgAdmin: true }));
    const made = await admin.call(instances.createInstance, { body: { name: "sandbox", displayName: "Sandbox" } });
    expect(made).toMatchObject({
      type: "production",
      status: "ACTIVE",
      active: true,
      trial: false,
      quota: [],
      orgName: "Test",
      createdByName: "Test Person",
      ghostAccess: true,
      scope: "orgOnly",
    });
    await expect(
      admin.call(instances.createInstance, { body: { name: "SANDBOX", displayName: "x" } }),
    ).rejects.toMatchObject({ code: "name_taken" });
    const id = made.accordId;
    const renamed = await admin.call(instances.updateInstance, {
      ...at(id),
      body: { displayName: "Play", version: made.version },
    });
    expect(renamed).toMatchObject({ displayName: "Play", version: made.version + 1 });
    await expect(
      admin.call(instances.updateInstance, { ...at(id), body: { displayName: "Late", version: made.version } }),
    ).rejects.toMatchObject({ status: 409, code: "stale_version" });

    await admin.call(instances.switchInstance, at(id));
    expect(await admin.call(getCurrentUser)).toMatchObject({ currentInstanceAccordId: id });
    const current = { ...at(id), query: { name: "sandbox" } };
    await expect(admin.call(instances.deleteInstance, current)).rejects.toMatchObject({ code: "invalid_state" });
    await admin.call(instances.switchInstance, at(t.instanceId));
    await expect(admin.call(instances.deleteInstance, { ...at(id), query: { name: "sandbo" } })).rejects.toMatchObject({
      code: "invalid_state",
    });
    await admin.call(instances.deleteInstance, current);
    await expect
      .poll(async () => (await admin.call(instances.listInstances)).instances.map((one) => one.accordId))
      .not.toContain(id);
    const { rows } = await t.deps.dataPool.query("SELECT 1 FROM pg_namespace WHERE nspname = $1", [`i_${id}`]);
    expect(rows).toEqual([]);
    const mine = await admin.call(instances.listMyInstances);
    expect(mine.instances.map((one) => one.accordId)).toContain(t.instanceId);
    await expect(
      admin.call(instances.deleteInstance, { ...at(t.instanceId), query: { name: "first" } }),
    ).rejects.toMatchObject({ code: "invalid_state" });
  });

  test("[PLT-047] somebody without a role there neither sees nor enters an instance", async () => {
    const other = await t.build.instance({ name: "closed" });
    const viewer = t.as("VIEWER");
    expect((await viewer.call(instances.listInstances)).instances.map((one) => one.accordId)).toEqual([t.instanceId]);
    await expect(viewer.call(instances.switchInstance, at(other))).rejects.toMatchObject({ status: 404 });
    await expect(viewer.call(instances.getInstanceState, at(other))).rejects.toMatchObject({ status: 404 });
  });

  test("[PLT-091] are found by display name, organisation name and id, in any case", async () => {
    const id = await t.build.instance({ name: "Findable" });
    const admin = t.as("ORG_ADMIN");
    for (const search of ["findable", "FINDAB", id.slice(-8), id.slice(-8).toUpperCase()]) {
      const { instances: found } = await admin.call(instances.listInstances, { query: { search } });
      expect(
        found.map((one) => one.accordId),
        search,
      ).toEqual([id]);
    }
    expect((await admin.call(instances.listInstances, { query: { search: "TEST" } })).instances.length).toBeGreaterThan(
      1,
    );
    expect((await admin.call(instances.listInstances, { query: { search: "%" } })).instances).toEqual([]);
  });

  test("[PLT-092] a display name has at most 120 characters", async () => {
    const admin = t.as("ORG_ADMIN");
    const create = (length: number) =>
      admin.send(instances.createInstance, { body: { name: `n${length}`, displayName: "x".repeat(length) } });
    expect((await create(120)).status).toBe(200);
    expect((await create(121)).body).toMatchObject({
      errors: [{ path: "displayName", message: expect.stringContaining("120") }],
    });
  });
});

describe("[PLT-046] [PLT-147] trials", () => {
  test("start with 10,000 records, 5 publishes and 15 days, and say when these are used up", async () => {
    const trial = await t.build.instance({ type: "trial" });
    const admin = t.as("ORG_ADMIN");
    const service = t.app.identity.instances.service;
    const used = { records: 0, publishes: 0 };
    service.countWith({ records: async () => used.records, publishes: async () => used.publishes });
    expect(await admin.call(instances.getInstanceState, at(trial))).toMatchObject({
      numberOfRecordsLeft: 10_000,
      numberOfPublishesLeft: 5,
      trialDaysLeft: 15,
      trialExpired: false,
      publishLimitExpired: false,
      recordLimitExpired: false,
    });
    used.publishes = 5;
    used.records = 9_999;
    expect(await admin.call(instances.getInstanceState, at(trial))).toMatchObject({
      publishLimitExpired: true,
      numberOfRecordsLeft: 1,
    });
    await expect(service.demandWithinLimits(trial, "publish")).rejects.toMatchObject({ code: "invalid_state" });
    await expect(service.demandWithinLimits(trial, "record")).resolves.toBeUndefined();
    t.clock.advance(15 * 86_400_000);
    expect(await admin.call(instances.getInstanceState, at(trial))).toMatchObject({
      trialDaysLeft: 0,
      trialExpired: true,
    });
    await expect(service.demandWithinLimits(trial, "record")).rejects.toMatchObject({ code: "invalid_state" });
    expect(await admin.call(instances.getInstanceState, at(t.instanceId))).toMatchObject({
      trialDaysLeft: null,
      trialExpired: false,
    });
  });

  test("only super administrators change limits and types", async () => {
    const trial = await t.build.instance({ type: "trial" });
    const body = { quota: [{ type: "RECORDS_LIMIT" as const, value: 50 }], version: 1 };
    await expect(t.as("ORG_ADMIN").call(instances.updateInstance, { ...at(trial), body })).rejects.toMatchObject({
      status: 403,
    });
    const changed = await t.as("SUPER_ADMIN").call(instances.updateInstance, { ...at(trial), body });
    expect(changed.quota).toContainEqual({ type: "RECORDS_LIMIT", value: 50 });
    expect(changed.quota).toContainEqual({ type: "PIPELINE_PUBLISH_LIMIT", value: 5 });
  });
});

describe("[PLT-048] features", () => {
  test("each can be read, disabled and enabled by an instance administrator, and read by others", async () => {
    const admin = t.as("INSTANCE_ADMIN");
    for (const featureName of FEATURES) {
      const one = { params: { featureName } };
      expect(await admin.call(instances.disableFeature, one)).toEqual({ name: featureName, enabled: false });
      expect(await t.as("VIEWER").call(instances.getFeature, one)).toEqual({ name: featureName, enabled: false });
      const enabled = !UNBUILT_FEATURES.has(featureName);
      expect(await admin.call(instances.enableFeature, one)).toEqual({ name: featureName, enabled });
      await expect(t.as("SYNC_MANAGER").call(instances.disableFeature, one)).rejects.toMatchObject({ status: 403 });
    }
    expect((await admin.call(instances.listFeatures)).features).toEqual(
      FEATURES.map((name) => ({ name, enabled: !UNBUILT_FEATURES.has(name) })),
    );
  });
});

test("the external view is off in a new instance until somebody enables it, the other features are on", async () => {
  const admin = t.as("INSTANCE_ADMIN", { instanceId: await t.build.instance() });
  const featuresNow = async () => (await admin.call(instances.listFeatures)).features;
  expect(await featuresNow()).toContainEqual({ name: "InsightsProvider", enabled: false });
  expect(await featuresNow()).toContainEqual({ name: "Insights", enabled: true });
  await admin.call(instances.enableFeature, { params: { featureName: "InsightsProvider" } });
  expect(await featuresNow()).toContainEqual({ name: "InsightsProvider", enabled: true });
  const made = await t
    .as("ORG_ADMIN")
    .call(instances.createInstance, { body: { name: "fresh", displayName: "Fresh" } });
  expect(made.features).toContainEqual({ name: "InsightsProvider", enabled: false });
});

test("features with nothing behind them are enabled nowhere, not even after they were", async () => {
  const admin = t.as("INSTANCE_ADMIN");
  for (const featureName of ["ABAC", "BRAND"] as const) {
    await admin.call(instances.enableFeature, { params: { featureName } });
    const { features } = await admin.call(instances.listFeatures);
    expect(features).toContainEqual({ name: featureName, enabled: false });
  }
});

describe("[PLT-050] the subscription", () => {
  test("names its instances, to organisation administrators", async () => {
    const subscription = await t.as("ORG_ADMIN").call(instances.getSubscription);
    expect(subscription).toMatchObject({ type: "standard", status: "ACTIVE", deletedAt: null });
    expect(subscription.instances.map((one) => one.accordId)).toContain(t.instanceId);
  });
});

describe("[PLT-044] [PLT-116] preferences", () => {
  test("each is kept under its place and comes back in another session", async () => {
    const userId = await t.build.user({ roles: ["VIEWER"] });
    const me = await t.asUser(userId);
    const entityId = "e".repeat(24);
    const pipelineId = "f".repeat(24);
    for (const key of preferences.PREFERENCE_KEYS)
      await me.call(preferences.setPreference, { params: { key }, body: { [key]: true } });
    await me.call(preferences.setSchemaStudioEntityColumns, { body: ["name"] });
    await me.call(preferences.setSchemaStudioFieldColumns, { body: ["type"] });
    await me.call(preferences.setDataStudioColumns, { params: { entityId }, body: ["email", "name"] });
    await me.call(preferences.setSyncStudioFieldFilters, { params: { entityId }, body: { status: ["DRAFT"] } });
    await me.call(preferences.setSyncStudioHiddenFields, { params: { entityId }, body: ["phone"] });
    await me.call(preferences.setSyncStudioViewport, { params: { pipelineId }, body: { x: 1, y: 2, zoom: 0.5 } });
    expect(await (await t.asUser(userId)).call(preferences.getPreferences)).toEqual({
      ...Object.fromEntries(preferences.PREFERENCE_KEYS.map((key) => [key, { [key]: true }])),
      schemaStudio: { allEntityColumns: ["name"], allFieldColumns: ["type"] },
      dataStudio: { allColumns: { [entityId]: ["email", "name"] } },
      syncStudio: {
        filterSelections: { [entityId]: { status: ["DRAFT"] } },
        hiddenFields: { [entityId]: ["phone"] },
        viewports: { [pipelineId]: { x: 1, y: 2, zoom: 0.5 } },
      },
    });
    const big = await me.send(preferences.setPreference, { params: { key: "home" }, body: "x".repeat(70_000) });
    expect(big.body).toMatchObject({ code: "body_too_large" });
  });
});
