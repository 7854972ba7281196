/** Drafts of a webhook's configuration: nothing of them counts before they are published. */
import { webhookRefusals } from "@accord/contracts/messages/en/synapses/webhook-refusals";
import * as connectors from "@accord/contracts/connections/connectors";
import * as api from "@accord/contracts/connections/webhook-drafts";
import type { Id } from "@accord/contracts";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { testApp, type TestApp } from "../../../../test-kit/index.ts";

let t: TestApp;
let connectorId: Id<"connector">;
const manager = () => t.as("SYNC_MANAGER");
const params = () => ({ connectorId });

beforeAll(async () => {
  t = await testApp({ roles: ["web"] });
});
beforeEach(async () => {
  const made = await manager().call(connectors.createConnector, {
    body: {
      ...{ name: `Hook ${t.deps.newId()}`, typeId: "webhook", authType: "bearerToken", credentials: { token: "one" } },
      config: { sample: '{"id":1}', responseCode: 202 },
    },
  });
  connectorId = made.id;
});

const DEFINITION = { name: "Renamed", config: { sample: "", responseCode: 201 }, authType: "bearerToken" };
const detail = () => manager().call(connectors.getConnector, { params: params() });
const draft = async () => (await manager().call(api.getWebhookDraft, { params: params() })).draft;
const save = (more: object = {}) =>
  manager().call(api.saveWebhookDraft, {
    params: params(),
    body: { ...DEFINITION, seenSavedAt: null, ...more },
  });
/** When the present draft was saved. */
const savedAt = async () => (await draft())?.savedAt ?? "";

test("[PLT-073] a draft is created, updated and discarded, and the webhook stays as it is", async () => {
  const before = await detail();
  expect(await draft()).toBeNull();
  await save();
  await save({ config: { responseCode: 203 }, seenSavedAt: await savedAt() });
  expect(await draft()).toMatchObject({ name: "Renamed", config: { responseCode: 203 }, authType: "bearerToken" });
  expect(await detail()).toEqual(before);
  const { connectorId } = params();
  const listed = async () => (await manager().call(api.listWebhookDrafts)).drafts;
  const seenSavedAt = await savedAt();
  expect(await listed()).toContainEqual({ connectorId, savedAt: seenSavedAt });
  await manager().call(api.discardWebhookDraft, { params: params(), query: { seenSavedAt } });
  expect(await draft()).toBeNull();
  expect((await listed()).map((one) => one.connectorId)).not.toContain(connectorId);
  expect(await detail()).toEqual(before);
  // It is gone, which was asked for.
  await manager().call(api.discardWebhookDraft, { params: params(), query: { seenSavedAt } });
  const publish = { params: params(), body: { version: before.version, seenSavedAt } };
  expect((await manager().send(api.publishWebhookDraft, publish)).body).toMatchObject({
    code: "invalid_state",
    description: webhookRefusals.noDraft,
  });
});

test("[PLT-073] a published draft is the webhook's configuration; secrets that are left out stay", async () => {
  const { version } = await detail();
  await save({ name: `Published ${t.deps.newId()}` });
  const seenSavedAt = await savedAt();
  const stale = { params: params(), body: { version: version + 1, seenSavedAt } };
  expect((await manager().send(api.publishWebhookDraft, stale)).body).toMatchObject({ code: "stale_version" });
  expect(await draft()).not.toBeNull();
  await manager().call(api.publishWebhookDraft, { params: params(), body: { version, seenSavedAt } });
  expect(await draft()).toBeNull();
  expect(await detail()).toMatchObject({
    config: { responseCode: 201 },
    credentialFields: ["token"],
    version: version + 1,
  });
});

test("who did not see the newest draft neither replaces it, publishes it nor throws it away", async () => {
  const { version } = await detail();
  await save();
  const first = await savedAt();
  const theirs = { name: `Theirs ${t.deps.newId()}`, seenSavedAt: first };
  const saved = await Promise.all(
    [theirs, { ...theirs, name: `Also ${t.deps.newId()}` }].map((more) =>
      manager().send(api.saveWebhookDraft, { params: params(), body: { ...DEFINITION, ...more } }),
    ),
  );
  expect(saved.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
  const newest = await draft();
  expect(newest?.savedAt).not.toBe(first);
  const body = { ...DEFINITION, seenSavedAt: null };
  const refusals = [
    await manager().send(api.saveWebhookDraft, { params: params(), body }),
    await manager().send(api.saveWebhookDraft, { params: params(), body: { ...body, seenSavedAt: first } }),
    await manager().send(api.publishWebhookDraft, { params: params(), body: { version, seenSavedAt: first } }),
    await manager().send(api.discardWebhookDraft, { params: params(), query: { seenSavedAt: first } }),
  ];
  for (const refusal of refusals) expect(refusal.body).toMatchObject({ code: "stale_version" });
  expect(await draft()).toEqual(newest);
  expect(await detail()).toMatchObject({ version });
});

test("another way of proving is published with its secret, and refused without", async () => {
  const { version } = await detail();
  await save({ name: `Keyed ${t.deps.newId()}`, authType: "apiKey" });
  const body = { version, seenSavedAt: await savedAt() };
  const without = await manager().send(api.publishWebhookDraft, { params: params(), body });
  expect(without.body).toMatchObject({ code: "validation_failed", errors: [{ path: "credentials.key" }] });
  await manager().call(api.publishWebhookDraft, { params: params(), body: { ...body, credentials: { key: "two" } } });
  expect(await detail()).toMatchObject({ authType: "apiKey", credentialFields: ["key"] });
});

test("what is wrong with a draft is said of its field, strangers find none, and it goes with its webhook", async () => {
  const bad = { ...DEFINITION, config: { recordSelector: "a[" }, seenSavedAt: null };
  const refused = await manager().send(api.saveWebhookDraft, { params: params(), body: bad });
  expect(refused.body).toMatchObject({ code: "validation_failed", errors: [{ path: "config.recordSelector" }] });
  await save();
  const stranger = t.as("SYNC_MANAGER", { instanceId: await t.build.instance() });
  expect((await stranger.send(api.getWebhookDraft, { params: params() })).status).toBe(404);
  const query = { seenSavedAt: await savedAt() };
  expect((await stranger.send(api.discardWebhookDraft, { params: params(), query })).status).toBe(404);
  await manager().call(connectors.deleteConnector, { params: params() });
  const { rows } = await t.deps.appPool.query("SELECT FROM webhook_draft WHERE connector_id = $1", [connectorId]);
  expect(rows).toEqual([]);
});
