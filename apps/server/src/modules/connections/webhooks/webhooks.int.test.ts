/** Webhooks over real HTTP: forged, late and repeated posts, durable before the answer, synced at once, answered by a pipeline. */
import * as connectors from "@accord/contracts/connections/connectors";
import { listWebhookLog, makeWebhookAddress } from "@accord/contracts/connections/webhooks";
import { listRecords } from "@accord/contracts/data/records";
import { pausePipeline, resumePipeline } from "@accord/contracts/sync/monitoring/runs";
import { expect, test } from "vitest";
import { eventually } from "../../../../test-kit/sync-world/working-world.ts";
import type { RetentionModule } from "../../sync/retention/index.ts";
import { wakeSql } from "../../sync/runs/index.ts";
import { webhookInbox } from "./inbox.store.ts";
import {
  SECRET,
  t,
  connectorId,
  manager,
  makeWebhook,
  addressOf,
  post,
  order,
  kept,
  publishOrders,
  setUp,
} from "./fixtures/webhooks.ts";

setUp();

test("a post with a wrong signature, another body, no id or an old time leaves nothing behind", async () => {
  const before = await kept();
  const now = Math.floor(Date.now() / 1000);
  expect((await post(order("1", "Eve"), { secret: "guessed" })).status).toBe(401);
  expect((await post(order("1", "Eve"), { sent: order("1", "Eva") })).status).toBe(401);
  expect((await post(order("1", "Eve"), { time: now - 310 })).status).toBe(401);
  expect((await post(order("1", "Eve"), { time: now + 400 })).status).toBe(401);
  expect((await post(order("1", "Eve"), { id: "" })).status).toBe(400);
  expect((await post("{ not json")).status).toBe(400);
  expect((await post('{"__proto__": {"polluted": 1}}')).status).toBe(400);
  expect((await post(order("1", "Eve"), { to: `${t.address}/webhooks/${"A".repeat(32)}` })).status).toBe(404);
  expect(await kept()).toBe(before);
  const log = await manager().call(listWebhookLog, { params: { connectorId } });
  expect(log.entries.slice(0, 7).map(({ code }) => code)).toEqual([
    "malformed_body",
    "malformed_body",
    "id_missing",
    "time_wrong",
    "time_wrong",
    "signature_wrong",
    "signature_wrong",
  ]);
  expect(JSON.stringify(log)).not.toContain(SECRET);
});

test("[F7] many times the same post, side by side, is one row; its answer is the same", async () => {
  const before = await kept();
  const body = order("dup", "Ada");
  const answers: string[] = [];
  for (let round = 0; round < 20; round += 1) {
    const replies = await Promise.all(Array.from({ length: 25 }, () => post(body, { id: "same-id" })));
    for (const reply of replies) answers.push(`${reply.status} ${await reply.text()}`);
  }
  expect(new Set(answers)).toEqual(new Set(['202 {"received": 1}']));
  expect(await kept()).toBe(before + 1);
});

test("[F7] without ids of the sender's, what is said again after something else is news, and what is repeated is not", async () => {
  const token = "ring-ring-ring-ring";
  const id = await makeWebhook("Bell", { postsPerMinute: 1000 }, { authType: "bearerToken", credentials: { token } });
  const to = await addressOf(id);
  const send = (body: string) =>
    fetch(to, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body,
    });
  for (const buyer of ["on", "off", "off", "on"]) expect((await send(order("1", buyer))).status).toBe(202);
  expect(await kept(id)).toBe(3);
});

test("more posts than a webhook takes in a minute are refused", async () => {
  const id = await makeWebhook("Narrow", { postsPerMinute: 5 });
  const to = await addressOf(id);
  const statuses: number[] = [];
  // Twice the limit and one, so that a minute may end in between.
  for (let index = 0; index < 11; index += 1) statuses.push((await post(order("x", "y"), { to })).status);
  expect(statuses.slice(0, 5)).toEqual([202, 202, 202, 202, 202]);
  expect(statuses).toContain(429);
});

test("posts that prove nothing use up a limit of their network, never the sender's", async () => {
  const id = await makeWebhook("Known to many", { postsPerMinute: 5 });
  const to = await addressOf(id);
  const forged = async (index: number) =>
    (await post(order("1", "Eve"), index % 2 === 0 ? { to, secret: "guessed" } : { to, id: "" })).status;
  for (let index = 0; index < 12; index += 1) expect(await forged(index)).toBe(index % 2 === 0 ? 401 : 400);
  for (let index = 0; index < 3; index += 1) expect((await post(order("1", "Ada"), { to })).status).toBe(202);
  expect(await kept(id)).toBe(3);

  const many = await Promise.all(Array.from({ length: 260 }, () => forged(0)));
  expect(many.filter((status) => status === 429).length).toBeGreaterThan(0);
  // Nobody guesses on: not even a right one is looked at for a while. Other webhooks are not concerned.
  expect((await post(order("1", "Ada"), { to })).status).toBe(429);
  expect((await post(order("1", "Ada"))).status).toBe(202);
  const { entries } = await manager().call(listWebhookLog, { params: { connectorId: id }, query: { count: 200 } });
  expect(entries.filter(({ kind }) => kind === "refusal").length).toBeLessThan(260);
});

test("a post is kept while a cycle of its reader holds on to the pipeline, and lets it run in the same statement else", async () => {
  const id = await makeWebhook("Busy");
  // Another worker's for a day: those of this server leave it alone once it is due, so that its row stays as it is told.
  const { rows } = await t.deps.dataPool.query(
    `INSERT INTO sync_pipeline (instance_id, pipeline_id, version_id, version_number, due_at, owner, lease_until)
     VALUES ($1, $2, $2, 1, now() + interval '1 day', 'another worker', now() + interval '1 day') RETURNING pipeline_id`,
    [t.instanceId, t.deps.newId()],
  );
  const pipelineId: string = rows[0].pipeline_id;
  const inbox = webhookInbox(t.deps.dataPool, t.deps.secrets, wakeSql);
  const place = { instanceId: t.instanceId, connectorId: id, address: "busy" };
  const keep = (messageId: string, most = 10) => {
    const how = { isBodyId: false, isCounted: false, status: 202, holdMs: null, wakes: [pipelineId] };
    const log = { headers: [], size: 10, records: 1, replayOf: null };
    return inbox.keep(place, { messageId, body: order("1", "Ada"), ...how, log }, most);
  };
  const state = async (): Promise<unknown> => {
    const text = "SELECT poked, due_at <= now() AS due FROM sync_pipeline WHERE pipeline_id = $1";
    return (await t.deps.dataPool.query(text, [pipelineId])).rows[0];
  };
  const client = await t.deps.dataPool.connect();
  await client.query("BEGIN");
  await client.query("SELECT FROM sync_pipeline WHERE pipeline_id = $1 FOR UPDATE", [pipelineId]);
  expect(await keep("first")).toEqual({ isTooMany: false, number: expect.any(Number), woken: [] });
  await client.query("ROLLBACK");
  client.release();
  // The same once more is no news, and neither is one too many.
  expect(await keep("first")).toEqual({ isTooMany: false, number: null, woken: [] });
  expect(await keep("second", 2)).toEqual({ isTooMany: true, number: null, woken: [] });
  expect(await state()).toEqual({ poked: false, due: false });
  expect(await keep("second")).toEqual({ isTooMany: false, number: expect.any(Number), woken: [pipelineId] });
  expect(await state()).toEqual({ poked: true, due: true });
  expect(await kept(id)).toBe(2);
  await t.deps.dataPool.query("DELETE FROM sync_pipeline WHERE pipeline_id = $1", [pipelineId]);
});

test("a new address ends the old one at once, and only for its own instance", async () => {
  const id = await makeWebhook("Moved");
  const old = await addressOf(id);
  expect(await addressOf(id)).toBe(old);
  expect((await post(order("1", "a"), { to: old })).status).toBe(202);
  const fresh = await addressOf(id, true);
  expect(fresh).not.toBe(old);
  expect((await post(order("1", "a"), { to: old })).status).toBe(404);
  expect((await post(order("1", "a"), { to: fresh })).status).toBe(202);
  const other = await t.build.instance();
  const stranger = t.as("SYNC_MANAGER", { instanceId: other });
  const call = { params: { connectorId: id }, body: {} };
  expect((await stranger.send(makeWebhookAddress, call)).status).toBe(404);
});

/** Processor time that `work` takes in this process, in milliseconds. */
async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

test("posts are forgotten some time after every pipeline has read them, and those of a deleted webhook altogether", async () => {
  const id = await makeWebhook("Forgetful");
  const to = await addressOf(id);
  const entityId = await publishOrders({
    connectorId: id,
    apiName: "Old",
    realtime: false,
    response: { responseCode: 200, responseTemplate: "{}" },
  });
  const send = (buyer: string) => post(order(buyer, buyer), { to });
  for (const buyer of ["One", "Two", "Three"]) await send(buyer);
  const bought = async () => (await manager().call(listRecords, { params: { entityId } })).records.length;
  await eventually("three orders", async () => ((await bought()) === 3 ? true : undefined));
  await manager().call(pausePipeline, { params: { entityId }, body: {} });
  await eventually("a pipeline at rest", async () => {
    const { rows } = await t.deps.dataPool.query(
      "SELECT owner IS NULL AS rests FROM sync_pipeline WHERE pipeline_id = $1",
      [entityId],
    );
    return rows[0]?.rests ? true : undefined;
  });
  for (const buyer of ["Four", "Five"]) await send(buyer);
  const table = `"i_${t.instanceId}".webhook_message`;
  const age = (days: number, body: string) =>
    t.deps.dataPool.query(
      `UPDATE ${table} SET received_at = now() - $1 * interval '1 day' WHERE connector_id = $2 AND number IN (
         SELECT number FROM ${table} WHERE connector_id = $2 ORDER BY number OFFSET $3 LIMIT 1)`,
      [days, id, ["One", "Two", "Three", "Four", "Five"].indexOf(body)],
    );
  await age(31, "One");
  await age(29, "Two");
  await age(400, "Four");
  const { forgetOld } = t.module<RetentionModule>("sync/retention");
  await forgetOld();
  expect(await kept(id)).toBe(4);

  await manager().call(resumePipeline, { params: { entityId }, body: {} });
  await eventually("five orders", async () => ((await bought()) === 5 ? true : undefined));
  await manager().call(pausePipeline, { params: { entityId }, body: {} });
  await forgetOld();
  expect(await kept(id)).toBe(3);

  const other = await makeWebhook("Unused");
  const unused = await addressOf(other);
  await post(order("1", "Ada"), { to: unused });
  await manager().call(connectors.deleteConnector, { params: { connectorId: other } });
  expect(await kept(other)).toBe(1);
  await forgetOld();
  expect(await kept(other)).toBe(0);
  const { rows } = await t.deps.dataPool.query("SELECT FROM webhook_endpoint WHERE connector_id = $1", [other]);
  expect(rows).toEqual([]);
});

test("a post of very many small values keeps the server busy no longer than a few readings of it", async () => {
  const to = await addressOf(await makeWebhook("Many"));
  const body = JSON.stringify({ orders: Array.from({ length: 1_000_000 }, (_, index) => [index % 10]) });
  const reading = Math.min(...[await cpuMs(() => JSON.parse(body)), await cpuMs(() => JSON.parse(body))]);
  let status = 0;
  const spent = await cpuMs(async () => (status = (await post(body, { to })).status));
  expect(status).toBe(202);
  expect(spent / reading).toBeLessThan(15);
});
