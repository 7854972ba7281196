/** What a webhook's connection reads from kept posts: pages bounded by bytes and records, and where history begins. */
import type { Connection, Cursor, ReadPage } from "@accord/connector-sdk";
import { connectTo, entityNamed, fieldNames } from "@accord/connector-sdk/test-kit";
import { CONNECTORS } from "@accord/connectors";
import { id } from "@accord/contracts";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { testApp, type TestApp } from "../../../../test-kit/index.ts";
import { wakeSql } from "../../sync/runs/index.ts";
import { webhookInbox } from "./inbox.store.ts";

const CONNECTOR = id("connector").parse("0123456789abcdef0123456a");
let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
beforeEach(async () => {
  await t.deps.dataPool.query(`DELETE FROM "i_${t.instanceId}".webhook_message`);
});

async function keep(body: string, receivedAt = new Date()): Promise<void> {
  await t.deps.dataPool.query(
    `INSERT INTO "i_${t.instanceId}".webhook_message (connector_id, message_id, received_at, body, status)
     VALUES ($1, $2, $3, $4, 202)`,
    [CONNECTOR, t.deps.newId(), receivedAt, body],
  );
}

function open(): Connection {
  const inbox = webhookInbox(t.deps.dataPool, t.deps.secrets, wakeSql);
  const webhook = CONNECTORS.find(({ type }) => type === "webhook");
  if (!webhook) throw new Error("There is no webhook connector.");
  return connectTo(webhook, {
    config: { sample: '{"orders":[{"id":"7","note":"x"}]}', recordSelector: "orders", idSelector: "id" },
    credentials: {},
    world: { readInbox: (request) => inbox.read(t.instanceId, CONNECTOR, { ...request, isAnswering: false }) },
  });
}

async function pages(cursor: Cursor | null, since?: Date, pageSize = 500): Promise<ReadPage[]> {
  const connection = open();
  const entity = await entityNamed(connection, "payload");
  const read: ReadPage[] = [];
  for (let next = cursor; ;) {
    const request = { entity, fields: fieldNames(entity), mode: "changes" as const, pageSize, cursor: next };
    const page = await connection.read(since ? { ...request, since } : request);
    read.push(page);
    if (page.drained) return read;
    next = JSON.parse(JSON.stringify(page.cursor)) as Cursor;
  }
}

const idsOf = (read: readonly ReadPage[]): string[] => read.flatMap(({ records }) => records.map(({ id }) => id));
const order = (id: string, note = ""): string => JSON.stringify({ orders: [{ id, note }] });

test("a page is bounded by the bytes of its posts, and all are read", async () => {
  for (let post = 1; post <= 12; post += 1) await keep(order(String(post), "x".repeat(2_000_000)));
  const read = await pages(null);
  expect(idsOf(read)).toEqual(Array.from({ length: 12 }, (_, index) => String(index + 1)));
  for (const { records } of read) expect(records.length).toBeLessThanOrEqual(5);
});

test("posts that are larger as they are stored than as they came are all read", async () => {
  const inbox = webhookInbox(t.deps.dataPool, t.deps.secrets, wakeSql);
  const place = { instanceId: t.instanceId, connectorId: CONNECTOR, address: "any" };
  for (let post = 1; post <= 400; post += 1) {
    const body = order(String(post), "x".repeat(20_000));
    const log = { headers: [], size: body.length, records: 1, replayOf: null };
    const of = { messageId: String(post), isBodyId: false, isCounted: true };
    await inbox.keep(place, { ...of, body, status: 202, holdMs: null, wakes: [], log }, 600);
  }
  const read = await pages(null);
  expect(read.length).toBeGreaterThan(1);
  expect(idsOf(read)).toEqual(Array.from({ length: 400 }, (_, index) => String(index + 1)));
});

test("a post of very many records is read in parts, each once and in order", async () => {
  await keep(order("first"));
  const ids = Array.from({ length: 12_000 }, (_, index) => `n${index}`);
  await keep(JSON.stringify({ orders: ids.map((id) => ({ id })) }));
  await keep(order("last"));
  const read = await pages(null);
  expect(idsOf(read)).toEqual(["first", ...ids, "last"]);
  for (const { records } of read) expect(records.length).toBeLessThanOrEqual(5_000);
});

test("a post that can't be used says which record of it, also in its later parts", async () => {
  const orders = Array.from({ length: 5_001 }, (_, index) => (index === 5_000 ? "no object" : { id: `n${index}` }));
  await keep(JSON.stringify({ orders }));
  const read = await pages(null);
  expect(read.flatMap(({ bad = [] }) => bad)).toMatchObject([{ place: expect.stringMatching(/record 5001$/) }]);
});

test("history begins where a first read is told to, and counts for that read alone", async () => {
  const published = new Date();
  await keep(order("old"), new Date(published.getTime() - 60_000));
  const first = await pages(null, published);
  expect(idsOf(first)).toEqual([]);
  const position = first.at(-1)?.cursor ?? null;
  await keep(order("new"), new Date(published.getTime() + 1_000));
  const second = await pages(position, published);
  expect(idsOf(second)).toEqual(["new"]);
  // Kept while nobody read, before somebody published anew.
  await keep(order("meanwhile"), new Date(published.getTime() + 2_000));
  const third = await pages(second.at(-1)?.cursor ?? null, new Date(published.getTime() + 60_000));
  expect(idsOf(third)).toEqual(["meanwhile"]);
});

test("positions of earlier versions are read on from, others are refused", async () => {
  await keep(order("one"));
  await keep(order("two"));
  const { posts } = await webhookInbox(t.deps.dataPool, t.deps.secrets, wakeSql).read(t.instanceId, CONNECTOR, {
    after: 0,
    count: 1,
    maxBytes: 1,
    isAnswering: false,
  });
  expect(idsOf(await pages(posts[0]?.number ?? 0))).toEqual(["two"]);
  await expect(pages({ nonsense: true })).rejects.toMatchObject({ kind: "configuration" });
});
