/** Slow statements of one instance keep nobody else waiting, and end when those who asked for them leave. */
import { type ClientRequest, request } from "node:http";
import type { AddressInfo } from "node:net";
import { API_PREFIX, type AnyEndpoint, CSRF, type Id } from "@accord/contracts";
import { DatasetConfig } from "@accord/contracts/insights/dataset-config";
import { dataCardData } from "@accord/contracts/insights/cards";
import { previewDataset } from "@accord/contracts/insights/datasets";
import { afterEach, beforeAll, expect, test } from "vitest";
import { dealsConfig, makeCard, makeDataset, makeDeals } from "../../../../test-kit/fixtures/insights.ts";
import { type Place, testApp, type TestApp } from "../../../../test-kit/index.ts";
import { instanceSchema } from "../../../platform/db/db.ts";
import { sessionCookieName } from "../../../platform/http/request/session-cookie.ts";

let t: TestApp;
let sibling: Place;
let slowEntity: Id<"entity">;
const unlocks: (() => Promise<void>)[] = [];

beforeAll(async () => {
  t = await testApp({ listen: true });
  sibling = { organisationId: t.organisationId, instanceId: await t.build.instance() };
  slowEntity = await makeDeals(t, t);
});
afterEach(async () => {
  for (const unlock of unlocks.splice(0)) await unlock();
});

/** From now on every statement on the records of the instance takes until the end of the test. */
async function slowDown(instanceId: string): Promise<void> {
  const client = await t.deps.dataPool.connect();
  const { rows } = await client.query<{ name: string }>(
    "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = $1 AND tablename LIKE 'r\\_Deal%'",
    [instanceSchema(instanceId)],
  );
  await client.query(`BEGIN; LOCK TABLE ${rows.map(({ name }) => name).join(", ")} IN ACCESS EXCLUSIVE MODE`);
  unlocks.push(async () => {
    await client.query("ROLLBACK");
    client.release();
  });
}

/** Statements in PostgreSQL that wait for the records. */
async function waitingStatements(like = "%"): Promise<number> {
  const { rows } = await t.deps.dataPool.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND wait_event_type = 'Lock' AND query LIKE $1",
    [like],
  );
  return rows[0]?.count ?? 0;
}

const preview = (entityId: string) => ({ body: { datasetConfig: dealsConfig(entityId) } });

interface Browser {
  /** Begins a call over a connection of its own; `leave` closes it. */
  open(endpoint: AnyEndpoint, path: string, body: unknown): { status: Promise<number | "left">; leave(): void };
}

/** A preview of a statement that reads the entity. */
async function written(entityId: Id<"entity">) {
  const { rows } = await t.deps.appPool.query<{ name: string }>(
    "SELECT api_name AS name FROM core_entity WHERE id = $1",
    [entityId],
  );
  return { datasetConfig: DatasetConfig.parse({ configMode: "SQL", sql: `SELECT status FROM "${rows[0]?.name}"` }) };
}

async function browserOf(userId: Id<"user">): Promise<Browser> {
  const { baseUrl } = t.deps.config;
  const { token, sessionId } = await t.asUser(userId);
  const { port } = t.app.http.server.address() as AddressInfo;
  const headers = {
    host: `localhost:${port}`,
    origin: baseUrl,
    cookie: `${sessionCookieName(baseUrl)}=${token}`,
    "content-type": "application/json",
    [CSRF.header]: t.forgery.token(sessionId),
  };
  return {
    open({ method }, path, body) {
      let call: ClientRequest | undefined;
      const status = new Promise<number | "left">((resolve) => {
        const options = { port, host: "127.0.0.1", path: `${API_PREFIX}${path}`, method, headers, agent: false };
        call = request(options, (reply) => {
          reply.resume();
          reply.on("end", () => resolve(reply.statusCode ?? 0));
        });
        call.on("error", () => resolve("left"));
        call.end(JSON.stringify(body));
      });
      return { status, leave: () => call?.destroy() };
    },
  };
}

test("fifty slow statements of one instance keep the others' from waiting no moment", async () => {
  const others = await makeDeals(t, sibling);
  await slowDown(t.instanceId);
  const ada = await browserOf(await t.build.user({ roles: ["VIEWER"] }));
  const flood = Array.from({ length: 50 }, () =>
    ada.open(previewDataset, previewDataset.path, preview(slowEntity).body),
  );
  await expect.poll(() => waitingStatements()).toBe(3);
  const answers = Array.from({ length: 3 }, () => t.as("VIEWER", sibling).send(previewDataset, preview(others)));
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await waitingStatements()).toBe(3);
  for (const one of flood) one.leave();
});

test("[T16] written statements leave a place of their instance to the others, and another instance's run at once", async () => {
  const others = await makeDeals(t, sibling);
  const theirs = await written(others);
  const slow = await written(slowEntity);
  // The columns are asked for before: that waits for the records as well.
  await slowDown(t.instanceId);
  const ada = await browserOf(await t.build.user({ roles: ["SYNC_MANAGER"] }));
  const flood = Array.from({ length: 20 }, () => ada.open(previewDataset, previewDataset.path, slow));
  await expect.poll(() => waitingStatements()).toBe(2);
  const basic = ada.open(previewDataset, previewDataset.path, preview(slowEntity).body);
  await expect.poll(() => waitingStatements()).toBe(3);
  expect(await waitingStatements("%/* written */%")).toBe(2);
  const answer = await t.as("SYNC_MANAGER", sibling).send(previewDataset, { body: theirs });
  expect(answer.status).toBe(200);
  expect(await waitingStatements()).toBe(3);
  for (const one of [...flood, basic]) one.leave();
  await expect.poll(() => waitingStatements()).toBe(0);
});

test("statements end with the connection of who asked for them, those that wait for their turn too", async () => {
  await slowDown(t.instanceId);
  const ada = await browserOf(await t.build.user({ roles: ["VIEWER"] }));
  const calls = Array.from({ length: 10 }, () =>
    ada.open(previewDataset, previewDataset.path, preview(slowEntity).body),
  );
  await expect.poll(() => waitingStatements()).toBe(3);
  for (const call of calls) call.leave();
  await Promise.all(calls.map(({ status }) => status));
  await expect.poll(() => waitingStatements()).toBe(0);
  // Nothing of them is left in the line either.
  const again = ada.open(previewDataset, previewDataset.path, preview(slowEntity).body);
  await expect.poll(() => waitingStatements()).toBe(1);
  for (const unlock of unlocks.splice(0)) await unlock();
  expect(await again.status).toBe(200);
});

test("a card that several wait for is worked out until the last of them has left", async () => {
  // Answers are shared under one version of the data: PostgreSQL counts the rows of the fixture some time later.
  const counted = async () => {
    const { rows } = await t.deps.dataPool.query<{ rows: number }>(
      "SELECT sum(n_tup_ins)::int AS rows FROM pg_stat_user_tables WHERE schemaname = $1 AND relname LIKE 'r\\_Deal%'",
      [instanceSchema(t.instanceId)],
    );
    return rows[0]?.rows;
  };
  await expect.poll(counted).toBe(4);
  const cardId = await makeCard(t, t, await makeDataset(t, t, {}, slowEntity));
  const path = dataCardData.path.replace(":id", cardId);
  const body = { variablesMap: {}, refresh: false };
  await slowDown(t.instanceId);
  const people = await Promise.all(
    ["ada", "grace"].map(async () => browserOf(await t.build.user({ roles: ["VIEWER"] }))),
  );
  const both = () => people.map((person) => person.open(dataCardData, path, body));
  const left = both();
  await expect.poll(() => waitingStatements()).toBe(2);
  for (const call of left) call.leave();
  await expect.poll(() => waitingStatements()).toBe(0);

  const [leaving, staying] = both();
  await expect.poll(() => waitingStatements()).toBe(2);
  leaving?.leave();
  expect(await leaving?.status).toBe("left");
  for (const unlock of unlocks.splice(0)) await unlock();
  expect(await staying?.status).toBe(200);
});
