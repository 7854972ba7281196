/** What known senders need, what strangers and odd payloads cause: over real HTTP, with the log that follows. */
import { request } from "node:http";
import * as connectors from "@accord/contracts/connections/connectors";
import { WEBHOOK_SENDERS } from "@accord/contracts/connections/webhook-signing";
import * as webhooks from "@accord/contracts/connections/webhooks";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { testApp, type TestApp } from "../../../../test-kit/index.ts";
import { BEARER, openWebhook, SIGN, SIGNED, WITH_BEARER } from "../../../../test-kit/systems/open-webhook.ts";

let t: TestApp;
const manager = () => t.as("SYNC_MANAGER");

/** What a post is answered whose length alone is too much: nothing of it is sent. */
const announceLarge = (url: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const headers = { ...WITH_BEARER, "content-type": "application/json", "content-length": 6_000_000 };
    const sent = request(url, { method: "POST", headers }, (reply) => {
      resolve(reply.statusCode);
      sent.destroy();
    });
    sent.on("error", reject);
    sent.flushHeaders();
  });

beforeAll(async () => {
  t = await testApp({ roles: ["web", "worker"], realTime: true, listen: true, config: { trustProxy: 1 } });
});

test("[PLT-130] a post with names that can be no field is opened and replayed: once for each time it is asked for", async () => {
  const hook = await openWebhook(t, BEARER);
  const url = `https://shop.example/${"x".repeat(300)}`;
  expect((await hook.post(JSON.stringify({ "": 1, [url]: 2, total: 3 }), WITH_BEARER)).status).toBe(202);
  const params = { connectorId: hook.connectorId, number: await hook.newest() };
  const opened = await manager().call(webhooks.getWebhookPost, { params: { ...params, kind: "post" } });
  expect(opened.picked?.records.map(({ values }) => values["total"])).toEqual([3]);
  const again = await manager().call(webhooks.replayWebhookPost, { params, body: {} });
  expect(again).toMatchObject({ status: 202, recordCount: 1 });
  expect((await hook.log()).map(({ replayOf }) => replayOf)).toEqual([params.number, null]);
});

test("[PLT-130] Slack's question whether the address is right is answered once it is proven, and is no record", async () => {
  const hook = await openWebhook(t, SIGNED, WEBHOOK_SENDERS.slack);
  const question = JSON.stringify({ type: "url_verification", token: "old", challenge: "3eZbrw1aBm2rZg" });
  const forged = { ...SIGN.slack(question), "x-slack-signature": "v0=00" };
  expect((await hook.post(question, forged)).status).toBe(401);
  const reply = await hook.post(question, SIGN.slack(question));
  expect([reply.status, await reply.json()]).toEqual([200, { challenge: "3eZbrw1aBm2rZg" }]);
  expect((await hook.log()).map(({ outcome }) => outcome)).toEqual(["refused"]);
  const event = JSON.stringify({ type: "event_callback", event: { type: "message" } });
  expect((await hook.post(event, SIGN.slack(event))).status).toBe(202);
  // Elsewhere it is a post like all others.
  const other = await openWebhook(t, BEARER);
  expect((await other.post(question, WITH_BEARER)).status).toBe(202);
});

test("posts while a webhook is at rest, and too large ones, keep none of the sender's out", async () => {
  const hook = await openWebhook(t, BEARER);
  const params = { connectorId: hook.connectorId };
  await manager().call(connectors.deactivateConnector, { params });
  const resting: number[] = [];
  for (let index = 0; index < 130; index += 1) resting.push((await hook.post(`{"id": ${index}}`, WITH_BEARER)).status);
  expect(new Set(resting)).toEqual(new Set([404]));
  await manager().call(connectors.activateConnector, { params });
  await expect
    .poll(async () => (await hook.post('{"id": "first"}', WITH_BEARER)).status, { timeout: 20_000 })
    .toBe(202);
  for (let index = 0; index < 125; index += 1) expect(await announceLarge(hook.url)).toBe(413);
  expect((await hook.post('{"id": "last"}', WITH_BEARER)).status).toBe(202);
}, 120_000);

test("strangers of many networks make the database do little: beyond some hundreds a minute they are only counted", async () => {
  const hook = await openWebhook(t, BEARER);
  const guess = (index: number) =>
    hook.post("{}", {
      authorization: "Bearer guessed",
      "x-forwarded-for": `10.1.${index >> 8}.${index & 255}`,
    });
  const client = await t.deps.dataPool.connect();
  const query = vi.spyOn(Object.getPrototypeOf(client), "query");
  client.release();
  onTestFinished(() => query.mockRestore());
  const writes = (): number =>
    query.mock.calls.filter(([asked]) => /\b(INSERT|UPDATE|DELETE)\b/.test(JSON.stringify(asked))).length;
  const began = Math.floor(Date.now() / 60_000);
  /** What may be logged one by one, of the minutes that began since. */
  const mostLogged = (): number => 300 * (Math.floor(Date.now() / 60_000) - began + 1);
  const statuses = new Set<number>();
  let sent = 0;
  for (; sent < mostLogged() + 500; sent += 1) statuses.add((await guess(sent)).status);
  expect(statuses).toEqual(new Set([401]));
  // Two for each that is logged, and few for all others.
  expect(writes()).toBeLessThan(2 * mostLogged() + 200);
  expect((await hook.post("{}", WITH_BEARER)).status).toBe(202);
  await expect.poll(() => hook.refused(), { timeout: 20_000 }).toBe(sent);
  // One network alone is refused as ever.
  const statusesOfOne = new Set<number>();
  for (let index = 0; index < 130; index += 1) statusesOfOne.add((await guess(7)).status);
  expect(statusesOfOne).toEqual(new Set([401, 429]));
}, 120_000);

test.each(["stripe", "slack"] as const)(
  "[F7] a captured post as %s signs it is taken once, whatever came since; what is signed anew is news",
  async (sender) => {
    const hook = await openWebhook(t, SIGNED, WEBHOOK_SENDERS[sender]);
    const [on, off] = ['{"id": "1", "state": "on"}', '{"id": "1", "state": "off"}'];
    const [signedOn, signedOff] = [SIGN[sender](on, -20), SIGN[sender](off, -19)];
    for (const [body, headers] of [
      [on, signedOn],
      [off, signedOff],
      [on, signedOn],
      [off, signedOff],
      [on, signedOn],
    ] as const)
      expect((await hook.post(body, headers)).status).toBe(202);
    expect(await hook.log()).toHaveLength(2);
    // The sender's own: the state changed back, and that is repeated as its answer got lost.
    expect((await hook.post(on, SIGN[sender](on, -10))).status).toBe(202);
    expect((await hook.post(on, SIGN[sender](on, -5))).status).toBe(202);
    expect(await hook.log()).toHaveLength(3);
  },
);

test("settings that an earlier version stored go on; what is written has to be right", async () => {
  const hook = await openWebhook(t, BEARER);
  const old = { signatureHeader: "X Signature", responseTemplate: "taken: {{count}}" };
  await t.deps.appPool.query("UPDATE connector SET config = config || $1::jsonb WHERE id = $2", [
    JSON.stringify(old),
    hook.connectorId,
  ]);
  const reply = await hook.post('{"id": 1}', WITH_BEARER);
  expect([reply.status, await reply.text()]).toEqual([202, "taken: 1"]);
  const params = { connectorId: hook.connectorId };
  const { picked } = await manager().call(webhooks.getWebhookPost, {
    params: { ...params, kind: "post", number: await hook.newest() },
  });
  expect(picked?.count).toBe(1);
  const edit = async (config: Record<string, string>) => {
    const { version } = await manager().call(connectors.getConnector, { params });
    const answer = await manager().send(connectors.updateConnector, { params, body: { version, config } });
    return [answer.status, JSON.stringify(answer.body).match(/"path":"([^"]*)"/)?.[1]];
  };
  expect(await edit({ ...old, responseTemplate: "more: {{count}}" })).toEqual([400, "config.responseTemplate"]);
  expect(await edit({ ...old, apiKeyHeader: "x key" })).toEqual([400, "config.apiKeyHeader"]);
  // It would be looked at from now on.
  expect(await edit({ ...old, signature: "body" })).toEqual([400, "config.signatureHeader"]);
  expect(await edit({ ...old, idSelector: "id" })).toEqual([200, undefined]);
  const body = { name: "Wrong", typeId: "webhook", ...BEARER, config: { responseTemplate: "taken" } };
  expect((await manager().send(connectors.createConnector, { body })).status).toBe(400);
});

test("an example without any object among its records is refused before it makes a webhook that takes nothing", async () => {
  const config = { sample: '{"orders": ["A-1", "A-2"]}', recordSelector: "orders" };
  const refusals = [
    await manager().send(webhooks.tryWebhookPayload, { body: { config, payload: config.sample } }),
    await manager().send(connectors.createConnector, { body: { name: "Texts", typeId: "webhook", ...BEARER, config } }),
  ];
  for (const { status, body } of refusals) {
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: "validation_failed", errors: [{ path: "config.recordSelector" }] });
  }
});
