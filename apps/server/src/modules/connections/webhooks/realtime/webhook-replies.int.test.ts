/** Who answers a post: a realtime pipeline, the webhook itself, or nobody in time. */
import { syncRefusals } from "@accord/contracts/messages/en/sync/run/refusals";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { listWebhookLog } from "@accord/contracts/connections/webhooks";
import { listRecords } from "@accord/contracts/data/records";
import { pausePipeline, resumePipeline, startResync } from "@accord/contracts/sync/monitoring/runs";
import { fastify } from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../../../test-kit/sync-world/working-world.ts";
import { wakeSql } from "../../../sync/runs/index.ts";
import { webhookInbox } from "../inbox.store.ts";
import { postLog } from "../post-log.store.ts";
import { serveWebhooks } from "../receiver.ts";
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
} from "../fixtures/webhooks.ts";

setUp();

const GREETING = {
  responseCode: 201,
  headers: [{ name: "x-buyer", value: "{{Shop.payload.buyer}}" }],
  responseTemplate: '{"hello": "{{Shop.payload.buyer}}", "total": {{Shop.payload.total}}}',
};

test("a realtime pipeline answers the caller itself, its record is there at once, and it can't be paused or resynced", async () => {
  const entityId = await publishOrders({ connectorId, apiName: "Order", realtime: true, response: GREETING });
  const answer = await post(order("77", 'Grace "G" Hopper'));
  expect(answer.status).toBe(201);
  expect(answer.headers.get("x-buyer")).toBe('Grace "G" Hopper');
  expect(await answer.json()).toEqual({ hello: 'Grace "G" Hopper', total: 3 });
  const { entries } = await manager().call(listWebhookLog, { params: { connectorId }, query: { count: 1 } });
  expect(entries).toMatchObject([{ outcome: "accepted", status: 201 }]);
  const record = await eventually("the order", async () => {
    const { records } = await manager().call(listRecords, { params: { entityId } });
    return records.find(({ values }) => values["webhookRecordId"] === "77");
  });
  expect(record.values).toMatchObject({ buyer: 'Grace "G" Hopper', total: 3 });
  const params = { entityId };
  const refused = [
    await manager().send(pausePipeline, { params, body: {} }),
    await manager().send(resumePipeline, { params, body: {} }),
    await manager().send(startResync, { params, body: { scope: "all", sourceEntityIds: ["shop"] } }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([409, 409, 409]);
  for (const { body } of refused) expect(body).toMatchObject({ description: syncRefusals.isRealtime });
});

test("a disabled Respond to Webhook answers nobody: the webhook does, and the record is there all the same", async () => {
  const id = await makeWebhook("Quiet");
  const to = await addressOf(id);
  const entityId = await publishOrders({
    ...{ connectorId: id, apiName: "Note", realtime: true, response: GREETING, isDisabled: true },
  });
  const answer = await post(order("5", "Ada"), { to });
  expect([answer.status, answer.headers.get("x-buyer")]).toEqual([202, null]);
  await eventually("the note", async () => {
    const { records } = await manager().call(listRecords, { params: { entityId } });
    return records.find(({ values }) => values["webhookRecordId"] === "5");
  });
});

test("the answer holds what an action on its way found out, and that is asked once for each post", async () => {
  const asked: string[] = [];
  const server = createServer((request, reply) => {
    asked.push(request.url ?? "");
    reply.setHeader("content-type", "application/json").end('{"discount": 12}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  t.deps.outbound.allow(`127.0.0.1:${port}`);
  const id = await makeWebhook("Counter");
  const to = await addressOf(id);
  const entityId = await publishOrders({
    connectorId: id,
    apiName: "Sale",
    realtime: true,
    before: [
      {
        id: "price",
        apiName: "httpRequest",
        configuration: { method: "GET", url: `http://127.0.0.1:${port}/{{Counter.payload.buyer}}` },
      },
    ],
    response: { responseCode: 200, responseTemplate: '{"discount": {{Action Result From price.discount}}}' },
  });
  for (const buyer of ["Ada", "Grace"]) {
    const answer = await post(order(buyer, buyer), { to });
    expect([answer.status, await answer.json()]).toEqual([200, { discount: 12 }]);
  }
  await eventually("both sales", async () => {
    const { records } = await manager().call(listRecords, { params: { entityId } });
    return records.length === 2 ? records : undefined;
  });
  expect(asked).toEqual(["/Ada", "/Grace"]);
});

test("where no pipeline answers, the webhook does with 202; where one takes too long, 504, and the post is kept all the same", async () => {
  const id = await makeWebhook("Silent");
  const to = await addressOf(id);
  expect((await post(order("1", "Ada"), { to })).status).toBe(202);

  const slow = fastify();
  onTestFinished(() => slow.close());
  const parts = {
    deps: t.deps,
    inbox: webhookInbox(t.deps.dataPool, t.deps.secrets, wakeSql),
    log: postLog(t.deps.dataPool, t.deps.secrets),
    answerMs: 20,
  };
  const facts = {
    status: "ACTIVE",
    config: { sample: "{}" },
    authType: "apiSecretKey",
    credentials: { secret: SECRET },
  };
  const readers = {
    mayAnswer: true,
    answer: () => new Promise<never>(() => {}),
    pipelineIds: [],
    wake: async () => {},
  };
  serveWebhooks(slow, { ...parts, findWebhook: async () => facts, findReaders: async () => readers });
  const address = await slow.listen({ host: "127.0.0.1", port: 0 });
  const late = await post(order("2", "Grace"), { to: `${address}${new URL(to).pathname}` });
  expect([late.status, await late.json()]).toEqual([504, { accepted: true }]);
  expect(await kept(id)).toBe(2);
});
