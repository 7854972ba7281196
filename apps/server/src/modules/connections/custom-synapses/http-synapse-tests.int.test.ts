/** Calls that are tried while an HTTP synapse is described: what is shown of them, and what never is. */
import { API_KEY, type JsonApi, startJsonApi } from "@accord/connectors/test-systems/json-api";
import { companies } from "@accord/connectors/test-systems/json-api-entities";
import type { Values } from "@accord/contracts/data/values";
import * as tests from "@accord/contracts/connections/http-synapse-tests";
import * as api from "@accord/contracts/connections/http-synapses";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { testApp, type TestApp } from "../../../../test-kit/index.ts";
import { makeSynapse, portOf } from "../../../../test-kit/systems/http-synapse.ts";

let t: TestApp;
let register: JsonApi;
beforeAll(async () => {
  t = await testApp({ roles: ["web"], realTime: true });
  register = await startJsonApi(25);
  t.deps.outbound.allow(new URL(register.url).host);
});
afterAll(() => register.stop());
beforeEach(() => void register.calls.splice(0));

const admin = () => t.as("INSTANCE_ADMIN");
const PAGED = JSON.parse(JSON.stringify(companies("page", { kind: "page", sizeParam: "size", size: 10 }))) as Values;

const settings = (more: object = {}) => ({
  displayName: "Register",
  endpoint: "http://127.0.0.1:{{variable.port}}",
  testPath: "/page/nothing",
  authType: "apiKey" as const,
  variables: [{ name: "port", required: true }],
  ...more,
});
const tried = (call: tests.SynapseReadTest, more: object = {}) =>
  admin().call(tests.testHttpSynapse, {
    body: {
      settings: settings(),
      variableValues: { port: portOf(register) },
      credentials: { apiKey: API_KEY },
      call,
      ...more,
    },
  });
const written = (call: tests.SynapseWriteTest) =>
  admin().call(tests.testHttpSynapseWrite, {
    body: {
      settings: settings(),
      variableValues: { port: portOf(register) },
      credentials: { apiKey: API_KEY },
      call,
    },
  });

test("[PLT-038] the test call shows request and answer with the secret masked", async () => {
  const result = await tried({ kind: "check" });
  expect(result).toMatchObject({ ok: true, problem: null, exchanges: [{ answer: { status: 200 } }] });
  expect(result.exchanges[0]?.request).toMatchObject({
    method: "GET",
    url: `${register.url}/page/nothing`,
    body: null,
  });
  expect(result.exchanges[0]?.request.headers).toContainEqual({ name: "x-api-key", value: "•••" });
  expect(JSON.stringify(result)).not.toContain(API_KEY);
  const inQuery = { authConfig: { apiKeyPlace: "query", apiKeyName: "key" } };
  const other = await tried({ kind: "check" }, { settings: settings(inQuery) });
  expect([other.ok, other.exchanges[0]?.request.url]).toEqual([true, `${register.url}/page/nothing?key=•••`]);
  expect(register.calls.at(-1)).toContain(API_KEY);
});

test("[PLT-038] a refusal is shown as it came, with what it means", async () => {
  const result = await tried({ kind: "check" }, { credentials: { apiKey: "wrong-key" } });
  expect(result).toMatchObject({
    ok: false,
    problem: { kind: "authentication", message: expect.stringContaining("Who are you?") },
    exchanges: [{ answer: { status: 401, body: expect.stringContaining("Who are you?") } }],
  });
  const missing = await admin().send(tests.testHttpSynapse, {
    body: { settings: settings(), call: { kind: "check" } },
  });
  expect(missing.body).toMatchObject({ errors: [{ path: "variableValues.port" }] });
  const secret = await admin().send(tests.testHttpSynapse, {
    body: { settings: settings(), variableValues: { port: portOf(register) }, call: { kind: "check" } },
  });
  expect(secret.body).toMatchObject({ errors: [{ path: "credentials.apiKey" }] });
});

test("[PLT-038] addresses inside the server's network are refused", async () => {
  const refused = await admin().send(tests.testHttpSynapse, {
    body: {
      settings: settings({ endpoint: "http://127.0.0.1:1", variables: [] }),
      credentials: { apiKey: "k" },
      call: { kind: "check" },
    },
  });
  expect(refused.body).toMatchObject({ code: "outbound_refused" });
});

test.each([
  ["next", { kind: "nextLink", linkSelector: "next" }],
  ["link", { kind: "linkHeader" }],
  ["cursor", { kind: "cursor", cursorSelector: "paging.cursor", cursorParam: "cursor" }],
  ["page", { kind: "page", pageParam: "page", sizeParam: "size" }],
  ["offset", { kind: "offset", offsetParam: "offset", limitParam: "limit" }],
])(
  "[PLT-041] the answer of a list with %s paging proposes fields and that paging, and a second page proves it",
  async (style, paging) => {
    const query = { page: "?page=1&size=10", offset: "?offset=0&limit=10" }[style] ?? "?size=10";
    const list = { path: `/${style}/companies${query}`, recordSelector: "" };
    const result = await tried({ kind: "list", entity: { list } });
    expect(result).toMatchObject({ ok: true, recordSelectors: ["items"], pages: [{ count: 10 }] });
    expect(result.fields.map(({ apiName }) => apiName)).toContain("address_city");
    const proposal = result.paging.find((one) => one.paging["kind"] === paging.kind);
    expect(proposal?.paging).toMatchObject(paging);
    const path = `/${style}/companies`;
    const size = style === "offset" ? {} : { sizeParam: "size" };
    const entity = {
      ...PAGED,
      list: { path, recordSelector: "items", paging: { ...proposal?.paging, ...size, size: 10 } as Values },
    };
    const second = await tried({ kind: "secondPage", entity });
    expect(second).toMatchObject({ ok: true, pages: [{ count: 10 }, {}] });
    expect(second.pages[1]?.ids[0]).not.toBe(second.pages[0]?.ids[0]);
    expect(second.exchanges.length).toBeGreaterThanOrEqual(2);
  },
);

test("[PLT-041] changes since a moment are asked for, and one record by its id", async () => {
  const since = new Date(Date.now() - 10_000).toISOString();
  register.touch(3, { name: "Just changed" });
  const changed = await tried({ kind: "changes", entity: PAGED, since });
  expect(changed.pages[0]?.ids).toContain("3");
  expect(changed.exchanges[0]?.request.url).toContain("updated_after=");
  const one = await tried({ kind: "get", entity: PAGED, recordId: "3" });
  expect(one).toMatchObject({ ok: true, sample: [{ name: "Just changed" }] });
  const none = await tried({ kind: "get", entity: PAGED, recordId: "999" });
  expect(none).toMatchObject({ ok: false, problem: { message: expect.stringContaining("999") } });
});

test("[PLT-041] a record is created, changed and deleted in the system; who only may test can't", async () => {
  const made = await written({ kind: "create", entity: PAGED, values: { name: "Tried", email: "tried@example.com" } });
  const recordId = String(made.outcome?.id);
  expect(made).toMatchObject({ ok: true, outcome: { status: "done" } });
  expect(register.companies.get(Number(recordId))?.name).toBe("Tried");
  await written({ kind: "update", entity: PAGED, recordId, values: { name: "Changed" } });
  expect(register.companies.get(Number(recordId))?.name).toBe("Changed");
  const gone = await written({ kind: "delete", entity: PAGED, recordId });
  expect([gone.ok, register.companies.has(Number(recordId))]).toEqual([true, false]);
  const refused = await written({ kind: "create", entity: PAGED, values: { name: "" } });
  expect(refused).toMatchObject({ ok: false, problem: { message: expect.stringContaining("needs a name") } });
  const body = { settings: settings(), call: { kind: "delete" as const, entity: PAGED, recordId: "1" } };
  const tester = t.as(["READ_CONNECTOR", "TEST_CONNECTION"]);
  expect((await tester.send(tests.testHttpSynapseWrite, { body })).status).toBe(403);
});

test("[PLT-038] values and secrets are kept for the next test, sealed, and only for the address they were entered for", async () => {
  const metadataId = await makeSynapse(t);
  const params = { metadataId };
  const { revision } = await admin().call(api.getHttpSynapse, { params });
  const stored = await admin().call(api.updateSynapseDraft, {
    params,
    body: {
      revision,
      settings: settings(),
      variableValues: { port: portOf(register) },
      credentials: { apiKey: API_KEY },
    },
  });
  expect(stored).toMatchObject({ variableValues: { port: portOf(register) }, credentialFields: ["apiKey"] });
  expect(JSON.stringify(stored)).not.toContain(API_KEY);
  const { rows } = await t.deps.appPool.query("SELECT s::text AS row FROM http_synapse s WHERE id = $1", [metadataId]);
  expect(rows[0].row).not.toContain(API_KEY);
  const again = await tried({ kind: "check" }, { metadataId, variableValues: {}, credentials: {} });
  expect(again.ok).toBe(true);
  const other = await startJsonApi(1);
  t.deps.outbound.allow(new URL(other.url).host);
  const elsewhere = await admin().send(tests.testHttpSynapse, {
    body: { metadataId, settings: settings(), variableValues: { port: portOf(other) }, call: { kind: "check" } },
  });
  expect(elsewhere.body).toMatchObject({ code: "credential_host_changed" });
  expect(other.calls).toEqual([]);
  await other.stop();
});
