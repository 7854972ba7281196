/** What a person sees of posts to a webhook: each kind of proof by the shown line, refusals and their bounds, one again. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as connectors from "@accord/contracts/connections/connectors";
import { WEBHOOK_SENDERS, curlLine, type CurlSettings } from "@accord/contracts/connections/webhook-signing";
import * as webhooks from "@accord/contracts/connections/webhooks";
import type { CallInput, Id } from "@accord/contracts";
import { beforeAll, expect, test } from "vitest";
import { instanceSchema } from "../../../platform/db/db.ts";
import { testApp, type TestApp } from "../../../../test-kit/index.ts";
import { eventually } from "../../../../test-kit/sync-world/working-world.ts";
import { passwordWebhook } from "../../../../test-kit/systems/password-webhook.ts";
import { postLog } from "./post-log.store.ts";

const run = promisify(execFile);
const SECRET = 'it\'s a "secret" with $HOME in it';
const TOKEN = "canary-token-of-the-sender";

let t: TestApp;
const manager = () => t.as("SYNC_MANAGER");

interface Hook {
  connectorId: Id<"connector">;
  url: string;
}

async function makeWebhook(
  auth: { authType: string; credentials: Record<string, string> },
  config: object = {},
): Promise<Hook> {
  const sample = JSON.stringify({ orders: [{ id: "7", buyer: "Ada" }] });
  const { id: connectorId } = await manager().call(connectors.createConnector, {
    body: {
      ...{ name: `Hook ${t.deps.newId()}`, typeId: "webhook", ...auth },
      config: { sample, recordSelector: "orders", idSelector: "id", ...config },
    },
  });
  const params = { connectorId };
  await manager().call(connectors.activateConnector, { params });
  await eventually("an active webhook", async () => {
    const { status } = await manager().call(connectors.getConnector, { params });
    return status === "ACTIVE" ? status : undefined;
  });
  expect((await t.as("VIEWER").call(webhooks.getWebhookAddress, { params })).url).toBeNull();
  const { url } = await manager().call(webhooks.makeWebhookAddress, { params, body: {} });
  expect((await t.as("VIEWER").call(webhooks.getWebhookAddress, { params })).url).toBe(url);
  return { connectorId, url: `${t.address}${new URL(url).pathname}` };
}

const bearer = { authType: "bearerToken", credentials: { token: TOKEN } };
const order = (id: string): string => JSON.stringify({ orders: [{ id, buyer: `Ada ${id}` }] });

async function post({ url }: Hook, body: string, headers: Record<string, string> = {}): Promise<number> {
  const reply = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${TOKEN}`, ...headers },
    body,
  });
  await reply.text();
  return reply.status;
}

const logOf = (
  { connectorId }: Hook,
  query: Partial<CallInput<typeof webhooks.listWebhookLog>["query"]> = {},
  who = manager(),
) => who.call(webhooks.listWebhookLog, { params: { connectorId }, query });

beforeAll(async () => {
  t = await testApp({ roles: ["web", "worker"], realTime: true, listen: true });
});

const KINDS: { name: string; settings: Partial<CurlSettings>; credentials: Record<string, string> }[] = [
  { name: "Standard Webhooks", settings: WEBHOOK_SENDERS.standard, credentials: { secret: SECRET } },
  {
    name: "Standard Webhooks with a key in base64",
    settings: WEBHOOK_SENDERS.standard,
    credentials: { secret: `whsec_${Buffer.from("thirty-two bytes of a secret key").toString("base64")}` },
  },
  { name: "GitHub", settings: WEBHOOK_SENDERS.github, credentials: { secret: SECRET } },
  { name: "Stripe", settings: WEBHOOK_SENDERS.stripe, credentials: { secret: SECRET } },
  { name: "Shopify", settings: WEBHOOK_SENDERS.shopify, credentials: { secret: SECRET } },
  { name: "Slack", settings: WEBHOOK_SENDERS.slack, credentials: { secret: SECRET } },
  {
    name: "a hash of another kind",
    settings: { signature: "body", signatureHeader: "x-own", signatureHash: "sha512", signatureEncoding: "base64" },
    credentials: { secret: SECRET },
  },
  { name: "a bearer token", settings: { authType: "bearerToken" }, credentials: { token: TOKEN } },
  {
    name: "an API key in a header of its own",
    settings: { authType: "apiKey", apiKeyHeader: "x-shop-key" },
    credentials: { key: TOKEN },
  },
  {
    name: "user and password",
    settings: { authType: "userPassword", user: "o'brien" },
    credentials: { user: "o'brien", password: SECRET },
  },
];

test.each(KINDS)(
  "[PLT-130] the line that is shown posts a sample with $name; the same with another secret is refused",
  async ({ settings, credentials }) => {
    const { authType = "apiSecretKey", user: _, apiKeyHeader, ...signing } = settings;
    const hook = await makeWebhook(
      { authType, credentials },
      { ...(signing.signature ? signing : {}), ...(apiKeyHeader ? { apiKeyHeader } : {}) },
    );
    const line = curlLine(
      { authType, apiKeyHeader: "x-api-key", user: "", ...WEBHOOK_SENDERS.github, ...settings },
      hook.url,
      JSON.stringify({ orders: [{ id: "7", buyer: "O'Hara $HOME" }] }),
    );
    const { secret = "", token = "", key = "", password = "" } = credentials;
    const shell = async (given: string): Promise<string> =>
      (await run("sh", ["-c", line], { env: { ...process.env, SECRET: given } })).stdout;
    expect(await shell(secret || token || key || password)).toMatch(/^HTTP\/1\.1 202 /);
    expect(await shell("another secret")).toMatch(/^HTTP\/1\.1 401 /);
    const { entries } = await logOf(hook);
    expect(entries.map(({ outcome, code, recordCount }) => [outcome, code, recordCount])).toEqual([
      ["refused", "signature_wrong", null],
      ["accepted", null, 1],
    ]);
  },
);

test("a signed time that is too old is refused, by the tolerance that is set", async () => {
  const hook = await makeWebhook(
    { authType: "apiSecretKey", credentials: { secret: SECRET } },
    { ...WEBHOOK_SENDERS.stripe, toleranceSeconds: 10 },
  );
  const settings = { authType: "apiSecretKey", apiKeyHeader: "", user: "", ...WEBHOOK_SENDERS.stripe };
  const late = curlLine(settings, hook.url, order("1")).replace("TIME=$(date +%s)", "TIME=$(( $(date +%s) - 60 ))");
  const { stdout } = await run("sh", ["-c", late], { env: { ...process.env, SECRET } });
  expect(stdout).toMatch(/^HTTP\/1\.1 401 /);
  expect((await logOf(hook)).entries[0]).toMatchObject({ code: "time_wrong" });
});

test("[PLT-130] the log is read page by page both ways, and by outcome", async () => {
  const hook = await makeWebhook(bearer);
  for (const id of ["1", "2", "3"]) expect(await post(hook, order(id))).toBe(202);
  expect(await post(hook, '{"items": []}')).toBe(202);
  expect(await post(hook, "no json")).toBe(400);
  expect(await post(hook, order("5"), { authorization: "Bearer guessed" })).toBe(401);
  const outcomes = async (query: Parameters<typeof logOf>[1]) =>
    (await logOf(hook, query)).entries.map(({ outcome, code }) => code ?? outcome);
  const all = ["signature_wrong", "malformed_body", "noRecords", "accepted", "accepted", "accepted"];
  expect(await outcomes({})).toEqual(all);
  expect(await outcomes({ outcome: "refused" })).toEqual(["signature_wrong", "malformed_body"]);
  expect(await outcomes({ outcome: "noRecords" })).toEqual(["noRecords"]);
  expect(await outcomes({ outcome: "accepted" })).toEqual(["accepted", "accepted", "accepted"]);

  const first = await logOf(hook, { count: 2 });
  expect([first.entries.length, first.page.previousCursor]).toEqual([2, null]);
  const second = await logOf(hook, { count: 2, cursor: first.page.nextCursor ?? "" });
  const third = await logOf(hook, { count: 2, cursor: second.page.nextCursor ?? "" });
  expect(third.page.nextCursor).toBeNull();
  expect([...first.entries, ...second.entries, ...third.entries].map(({ code, outcome }) => code ?? outcome)).toEqual(
    all,
  );
  const back = await logOf(hook, { count: 2, cursor: third.page.previousCursor ?? "", direction: "previous" });
  expect(back.entries).toEqual(second.entries);
  const start = await logOf(hook, { count: 2, cursor: back.page.previousCursor ?? "", direction: "previous" });
  expect([start.entries, start.page.previousCursor]).toEqual([first.entries, null]);
  const bad = { params: { connectorId: hook.connectorId }, query: { cursor: "nonsense" } };
  const refused = await manager().send(webhooks.listWebhookLog, bad);
  expect([refused.status, refused.body]).toMatchObject([400, { errors: [{ path: "cursor" }] }]);
});

test("[PLT-055] a post shows headers without what proves its sender, its body, and what the paths pick from it", async () => {
  const hook = await makeWebhook(bearer);
  const body = JSON.stringify({ orders: [{ id: "1", buyer: "Ada" }, { buyer: "nobody" }] });
  const odd = { "x-github-event": "push", "x-own-pass": "canary-of-a-header", "x-copy-topic": `has ${TOKEN}` };
  expect(await post(hook, body, odd)).toBe(202);
  const [entry] = (await logOf(hook)).entries;
  expect(entry).toMatchObject({ size: body.length, status: 202, recordCount: 2, kind: "post" });
  const params = { connectorId: hook.connectorId, kind: "post" as const, number: entry?.number ?? 0 };
  const found = await t.as("VIEWER").call(webhooks.getWebhookPost, { params });
  const valueOf = (name: string) => found.headers.find((header) => header.name === name)?.value;
  expect([valueOf("x-github-event"), valueOf("content-type")]).toEqual(["push", "application/json"]);
  expect(["authorization", "x-own-pass", "x-copy-topic"].map(valueOf)).toEqual([null, null, null]);
  expect(found).toMatchObject({ body, isCut: false, isHidden: false });
  expect(found.picked).toMatchObject({
    count: 2,
    records: [{ id: "1", values: { buyer: "Ada" } }],
    bad: [{ place: "payload, record 2", message: "It has nothing at id." }],
  });
  expect(JSON.stringify(found)).not.toMatch(/canary/);
  const { rows } = await t.deps.dataPool.query(
    `SELECT body, headers FROM "${instanceSchema(t.instanceId)}".webhook_message WHERE connector_id = $1`,
    [hook.connectorId],
  );
  expect(JSON.stringify(rows)).not.toMatch(/Ada|push/);
});

test("of a large body the list shows the beginning, and the post itself more of it", async () => {
  const hook = await makeWebhook(bearer);
  const body = JSON.stringify({ orders: [{ id: "1", buyer: "€".repeat(250_000) }] });
  expect(await post(hook, body)).toBe(202);
  const [entry] = (await logOf(hook)).entries;
  expect(entry).toMatchObject({ body: body.slice(0, 300), size: Buffer.byteLength(body) });
  const params = { connectorId: hook.connectorId, kind: "post" as const, number: entry?.number ?? 0 };
  const found = await manager().call(webhooks.getWebhookPost, { params });
  expect(found).toMatchObject({ isCut: true, body: body.slice(0, 200_000), picked: { count: 1 } });
});

test("a refused post is kept with its beginning; too large ones, and those to a webhook at rest, as well", async () => {
  const hook = await makeWebhook(bearer);
  const wrong = { authorization: "Bearer guessed" };
  expect(await post(hook, `"${"x".repeat(9_000)}"`, wrong)).toBe(401);
  expect(await post(hook, `"${"x".repeat(6_000_000)}"`)).toBe(413);
  await manager().call(connectors.deactivateConnector, { params: { connectorId: hook.connectorId } });
  expect(await post(hook, order("1"))).toBe(404);
  const { entries } = await logOf(hook);
  expect(entries.map(({ code, status }) => [code, status])).toEqual([
    ["not_active", 404],
    ["body_too_large", 413],
    ["signature_wrong", 401],
  ]);
  expect(entries[1]?.size).toBeGreaterThan(6_000_000);
  const params = { connectorId: hook.connectorId, kind: "refusal" as const, number: entries[2]?.number ?? 0 };
  const found = await manager().call(webhooks.getWebhookPost, { params });
  expect(found).toMatchObject({ isCut: true, picked: null, size: 9_002 });
  expect(found.body).toHaveLength(4_000);
  const again = await manager().send(webhooks.replayWebhookPost, {
    params: { connectorId: hook.connectorId, number: 1 },
    body: {},
  });
  expect(again.body).toMatchObject({ code: "connector_not_active" });
});

test("strangers push out neither posts that came nor refusals of the sender, and what was cut is counted", async () => {
  const hook = await makeWebhook(bearer);
  expect(await post(hook, order("1"))).toBe(202);
  expect(await post(hook, "no json")).toBe(400);
  const log = postLog(t.deps.dataPool, t.deps.secrets);
  const place = { instanceId: t.instanceId, connectorId: hook.connectorId };
  const stranger = { code: "signature_wrong", status: 401, isProven: false, headers: [] };
  const refuse = (count: number, body: string) =>
    Promise.all(Array.from({ length: count }, () => log.noteRefusal(place, { ...stranger, body, size: body.length })));
  await refuse(20, "x");
  for (let round = 0; round < 26; round += 1) await refuse(20, "x");
  const inBytes = async () => {
    const { rows } = await t.deps.dataPool.query(
      `SELECT count(*)::int AS rows, sum(kept_bytes)::int AS bytes FROM "${instanceSchema(t.instanceId)}".webhook_refusal
       WHERE connector_id = $1 AND NOT is_proven`,
      [hook.connectorId],
    );
    return rows[0];
  };
  // Side by side, a few more may stay until the next one.
  await refuse(1, "x");
  expect((await inBytes()).rows).toBeLessThanOrEqual(500);
  for (let round = 0; round < 15; round += 1) await refuse(20, "y".repeat(20_000));
  await refuse(1, "z");
  const kept = await inBytes();
  expect(kept.bytes).toBeLessThanOrEqual(1_000_000);
  const { cut } = await logOf(hook);
  expect(cut + kept.rows).toBe(20 + 26 * 20 + 1 + 15 * 20 + 1);
  expect((await logOf(hook, { outcome: "accepted" })).entries).toHaveLength(1);
  const refusals = await logOf(hook, { outcome: "refused", count: 200 });
  expect(refusals.entries.at(-1)).toMatchObject({ code: "malformed_body" });

  await t.deps.dataPool.query(
    `UPDATE "${instanceSchema(t.instanceId)}".webhook_refusal SET at = now() - interval '8 days' WHERE connector_id = $1`,
    [hook.connectorId],
  );
  expect((await logOf(hook, { outcome: "refused" })).entries).toEqual([]);
});

test("posts beyond what a webhook takes in a minute are one entry with their number", async () => {
  const hook = await makeWebhook(bearer, { postsPerMinute: 1 });
  const statuses: number[] = [];
  for (let index = 0; index < 8; index += 1) statuses.push(await post(hook, order(String(index))));
  const refused = statuses.filter((status) => status === 429).length;
  expect(refused).toBeGreaterThan(4);
  await eventually("all of them counted", async () => {
    const { entries } = await logOf(hook, { outcome: "refused" });
    const times = entries.map((entry) => entry.times).reduce((sum, one) => sum + one, 0);
    expect(entries.length).toBeLessThanOrEqual(2);
    return times === refused && entries.every(({ code }) => code === "too_many_posts") ? entries : undefined;
  });
});

test("[PLT-130] a post is processed again: kept anew, with what its sender would be answered now", async () => {
  const hook = await makeWebhook(bearer, { responseTemplate: '{"taken": {{count}}, "as": "{{id}}"}' });
  expect(await post(hook, order("9"))).toBe(202);
  const number = (await logOf(hook)).entries[0]?.number ?? 0;
  const replay = () =>
    manager().call(webhooks.replayWebhookPost, { params: { connectorId: hook.connectorId, number }, body: {} });
  const [once, twice] = [await replay(), await replay()];
  expect(once).toMatchObject({ status: 202, recordCount: 1, pipelineCount: 0 });
  expect(JSON.parse(once.answer ?? "")).toEqual({ taken: 1, as: expect.stringMatching(/^replay-/) });
  const { entries } = await logOf(hook);
  expect(entries.map((entry) => [entry.number, entry.replayOf])).toEqual([
    [twice.number, number],
    [once.number, number],
    [number, null],
  ]);
  const missing = { params: { connectorId: hook.connectorId, number: 999_999 }, body: {} };
  expect((await manager().send(webhooks.replayWebhookPost, missing)).status).toBe(404);
  const viewer = { params: { connectorId: hook.connectorId, number }, body: {} };
  expect((await t.as("VIEWER").send(webhooks.replayWebhookPost, viewer)).status).toBe(403);
});

test("nobody of another instance sees an address, a log or a post, or has one processed again", async () => {
  const hook = await makeWebhook(bearer);
  expect(await post(hook, order("1"))).toBe(202);
  const number = (await logOf(hook)).entries[0]?.number ?? 0;
  const stranger = t.as("SYNC_MANAGER", { instanceId: await t.build.instance() });
  const params = { connectorId: hook.connectorId };
  const statuses = [
    await stranger.send(webhooks.getWebhookAddress, { params }),
    await stranger.send(webhooks.listWebhookLog, { params, query: {} }),
    await stranger.send(webhooks.getWebhookPost, { params: { ...params, kind: "post", number } }),
    await stranger.send(webhooks.replayWebhookPost, { params: { ...params, number }, body: {} }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([404, 404, 404, 404]);
  // Nor a post of another webhook of the same instance.
  const other = await makeWebhook(bearer);
  const elsewhere = { params: { connectorId: other.connectorId, kind: "post" as const, number } };
  expect((await manager().send(webhooks.getWebhookPost, elsewhere)).status).toBe(404);
});

test("where a payload may hold values of password fields, its body, records and answer are shown to nobody", async () => {
  const { connectorId, post: send } = await passwordWebhook(t, []);
  const body = JSON.stringify({ logins: [{ id: "7", name: "Ada", pin: "canary-4711" }] });
  expect(await send(body)).toBe(202);
  const { entries } = await manager().call(webhooks.listWebhookLog, { params: { connectorId }, query: {} });
  const number = entries[0]?.number ?? 0;
  const found = await manager().call(webhooks.getWebhookPost, { params: { connectorId, kind: "post", number } });
  expect(found).toMatchObject({ isHidden: true, body: null, picked: null, recordCount: 1 });
  const again = await manager().call(webhooks.replayWebhookPost, { params: { connectorId, number }, body: {} });
  expect(again).toMatchObject({ status: 202, answer: null, pipelineCount: 1 });
  expect(JSON.stringify([entries, found, again])).not.toContain("canary");
});

test("[PLT-039] a payload is tried with nothing stored: its records, its fields, and the answer", async () => {
  const payload = JSON.stringify({ orders: [{ id: 1, total: 2.5 }, { total: 3 }] });
  const attempt = (config: object, text = payload) =>
    manager().send(webhooks.tryWebhookPayload, { body: { config: JSON.parse(JSON.stringify(config)), payload: text } });
  const tried = await attempt({ recordSelector: "orders", idSelector: "id", responseCode: 201 });
  expect(tried.body).toMatchObject({
    count: 2,
    records: [{ id: "1", values: { id: 1, total: 2.5 } }],
    bad: [{ place: "payload, record 2" }],
    recordSelectors: ["orders"],
    inferred: [
      { apiName: "id", dataType: "integer" },
      { apiName: "total", dataType: "double" },
    ],
    answer: { status: 201, body: '{"received": 2}' },
  });
  const refusals = [
    await attempt({ recordSelector: "a[" }),
    await attempt({ responseTemplate: '{"total": {{total}}}' }),
    await attempt({ responseTemplate: "taken" }),
    await attempt({ signatureHeader: "x header" }),
    await attempt({}, "no json"),
  ];
  expect(refusals.map(({ body }) => JSON.stringify(body).match(/"path":"([^"]*)"/)?.[1])).toEqual([
    "config.recordSelector",
    "config.responseTemplate",
    "config.responseTemplate",
    "config.signatureHeader",
    "payload",
  ]);
});

test("[PLT-039] fields that a person settled are the entity's, and a webhook may begin without an example", async () => {
  const fields = [{ apiName: "total", displayName: "Sum", dataType: "decimal" }];
  const settled = await makeWebhook(bearer, { fields });
  const at = { connectorId: settled.connectorId, entityApiName: "payload" };
  const entity = await manager().call(connectors.getConnectorEntity, { params: at });
  expect(entity.schema.fields.map(({ apiName, dataType }) => [apiName, dataType])).toEqual([
    ["webhookRecordId", "string"],
    ["total", "decimal"],
  ]);
  const bare = await makeWebhook(bearer, { sample: "" });
  expect(await post(bare, order("1"))).toBe(202);
  expect((await logOf(bare)).entries[0]).toMatchObject({ outcome: "accepted", recordCount: 1 });
});
