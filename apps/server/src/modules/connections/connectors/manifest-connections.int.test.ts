/** A connection by manifest in the product: set up on the page's calls, its streams found, its secrets kept and bound to their host. */
import * as api from "@accord/contracts/connections/connectors";
import { describeConnectorManifest } from "@accord/contracts/connections/manifest-facts";
import { SECRET, startManifestApi, type ManifestApi } from "@accord/connectors/test-systems/manifest-api";
import { PAGES } from "@accord/connectors/test-systems/manifests";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testApp, type TestApp } from "../../../../test-kit/test-app.ts";

let t: TestApp;
let system: ManifestApi;
let other: ManifestApi;

beforeAll(async () => {
  t = await testApp({ roles: ["web", "worker"], realTime: true });
  [system, other] = [await startManifestApi(5), await startManifestApi(5)];
  for (const { url } of [system, other]) t.deps.outbound.allow(new URL(url).host);
});
afterAll(async () => {
  await system.stop();
  await other.stop();
});

const bodyFor = (url: string, credentials: Record<string, string>) => ({
  typeId: "manifest",
  authType: "apiSecretKey" as const,
  config: { manifest: PAGES, inputs: JSON.stringify({ url }) },
  credentials,
});

test("its streams are entities once it is activated, and no answer shows a secret", async () => {
  const manager = t.as("SYNC_MANAGER");
  const body = bodyFor(system.url, { secrets: JSON.stringify({ api_key: SECRET }) });
  expect(await manager.call(api.testConnection, { body })).toMatchObject({ ok: true });
  const { id } = await manager.call(api.createConnector, { body: { name: "By manifest", ...body } });
  const params = { connectorId: id };
  await manager.call(api.activateConnector, { params });
  const read = () => manager.call(api.getConnector, { params });
  await expect.poll(async () => (await read()).schemaRefreshStatus).toBe("SUCCESS");
  const view = await read();
  expect(view.entities.map(({ apiName }) => apiName).sort((one, two) => (one < two ? -1 : 1))).toEqual([
    "items",
    "nothing",
  ]);
  expect(JSON.stringify(view)).not.toContain(SECRET);
  expect(system.calls.every(({ authorization }) => authorization === SECRET)).toBe(true);
});

test("an input that leads to another host asks for the secrets again: they are not sent there", async () => {
  const manager = t.as("SYNC_MANAGER");
  const body = bodyFor(system.url, { secrets: JSON.stringify({ api_key: SECRET }) });
  const { id } = await manager.call(api.createConnector, { body: { name: "Moved", ...body } });
  const params = { connectorId: id };
  const moved = await manager.send(api.testConnection, {
    body: { ...bodyFor(other.url, {}), connectorId: id },
  });
  expect(moved.body).toMatchObject({ code: "credential_host_changed" });
  expect(other.calls).toEqual([]);
  expect(await manager.call(api.getConnector, { params })).toMatchObject({ typeName: "Airbyte manifest" });
});

test("a manifest is described before anything is stored: streams, what is missing, inputs, and values of older texts", async () => {
  const manager = t.as("SYNC_MANAGER");
  const facts = await manager.call(describeConnectorManifest, {
    body: { manifest: PAGES, inputs: "url: https://api.example.com\nextra: [1]" },
  });
  expect(facts.streams).toEqual([
    { name: "items", problems: [] },
    { name: "nothing", problems: [] },
  ]);
  expect(facts.types.every(({ isSupported }) => isSupported)).toBe(true);
  expect(facts.inputs.map(({ name, secret = false }) => [name, secret])).toContainEqual(["api_key", true]);
  expect(facts.values).toEqual({ url: "https://api.example.com", extra: [1] });
});

test.each([
  ["manifest", { manifest: "streams: [" }, /not valid YAML/],
  ["inputs", { manifest: PAGES, inputs: "- a" }, /must be an object/],
])("what can't be read of a manifest is refused at its part: %s", async (path, body, message) => {
  const answer = await t.as("SYNC_MANAGER").send(describeConnectorManifest, { body });
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({ errors: [{ path, message: expect.stringMatching(message) }] });
});
