/** A system over HTTP that now and then asks for fewer calls, or has a bad moment: the cycle goes on all the same. */
import { randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { httpConnector } from "@accord/connectors";
import type { Connection } from "@accord/connector-sdk";
import type { CycleSummary } from "@accord/sync-engine/run";
import { contactSchema } from "@accord/sync-simulation";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../../../../../../test-kit/database/database.ts";
import { expectReconciled, type JudgedSystem, judgedSyncWorld } from "../../../../../../test-kit/reconcile.ts";
import {
  contactsIn,
  editOutside,
  ENTITY,
  INSTANCE,
  makeSyncWorld,
  syncWorldNeeds,
} from "../../../../../../test-kit/sync-world/sync-world.ts";
import { systemClock } from "../../../../../platform/clock.ts";
import { LeaseDeadline, readClocks } from "../../../../../platform/lease-deadline.ts";
import { makeNewId } from "../../../../../platform/ids.ts";
import { makeLog } from "../../../../../platform/log/log.ts";
import { makeSecrets } from "../../../../../platform/secrets/envelope.ts";
import { type WaitPolicy, rateLimits } from "../../../../connections/connectors/rate-limits/rate-limits.ts";
import { runCycle } from "../../worker/cycle.ts";
import { LEASE_MS } from "../../storage/lease-guard.store.ts";
import { databaseTime } from "../../schedule/database-time.ts";
import { pipelinePlans, type RunsDependencies } from "../../worker/plans.ts";
import { type ScheduleStore, scheduleStore } from "../../schedule/schedule.store.ts";
import { testSecrets } from "../../../../../../test-kit/test-secrets.ts";

type Row = { id: string; email: string; [field: string]: unknown };

let database: TestDatabase;
let server: Server;
let rows: Row[] = [];
/** Answers a refusal instead, or null to let the call through. Told which call it is, from 1, and its method. */
let refuse: (call: number, method: string) => { status: number; retryAfter?: string } | null = () => null;
let calls = 0;
let activities: string[] = [];
let schedule: ScheduleStore;
const log = makeLog({ logLevel: "error" });
const newId = makeNewId(systemClock);
const secrets = makeSecrets([{ id: "test", key: randomBytes(32) }]);

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const method = request.method ?? "GET";
    let text = "";
    for await (const part of request) text += String(part);
    calls += 1;
    const refusal = refuse(calls, method);
    if (refusal) {
      response.writeHead(refusal.status, refusal.retryAfter ? { "retry-after": refusal.retryAfter } : {}).end("{}");
      return;
    }
    const json = (body: unknown): void =>
      void response.setHeader("content-type", "application/json").end(JSON.stringify(body));
    const url = new URL(request.url ?? "", "http://host");
    if (method === "GET") {
      const from = (Number(url.searchParams.get("page")) - 1) * 10;
      json(rows.slice(from, from + 10));
    } else if (method === "POST") {
      rows.push({ ...JSON.parse(text), id: String(rows.length + 1) });
      json(rows.at(-1));
    } else {
      const row = rows.find(({ id }) => url.pathname.endsWith(`/${id}`))!;
      json(Object.assign(row, JSON.parse(text)));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
beforeEach(async () => {
  database = await testDatabase();
  await makeSyncWorld(database.data.pool);
  schedule = scheduleStore(database.data.pool);
  rows = [];
  calls = 0;
  activities = [];
  refuse = () => null;
  return () => database.drop();
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const base = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** The world in which system `b` is behind HTTP and under its rate budget. */
function needs(): RunsDependencies {
  const { pool } = database.data;
  const tables = syncWorldNeeds(pool);
  const limits = rateLimits({ clock: systemClock, dataPool: pool, log, secrets });
  return {
    ...tables,
    connectors: {
      ...tables.connectors,
      openConnection: async (at, id, options) =>
        id === "b" ? openHttp(options?.patience) : tables.connectors.openConnection(at, id, options),
    },
  };
  function openHttp(patience: WaitPolicy | undefined): Connection {
    const { signal } = new AbortController();
    const fields = contactSchema.fields.map((field) => ({ ...field, path: "" }));
    const list = { path: "/contacts", paging: { kind: "page", size: 10 }, pagesAhead: 2 };
    const entity = { apiName: "contact", displayName: "Contact", fields, idField: "id", list };
    const writing = {
      create: { method: "POST", path: "/contacts" },
      update: { method: "PATCH", path: "/contacts/{{id}}" },
    };
    return httpConnector.connect({
      config: { baseUrl: base(), entities: [{ ...entity, ...writing }] },
      authType: "none",
      credentials: {},
      send: limits.guard(
        { at: INSTANCE, credentials: {}, signal, patience },
        async ({ method, url, headers, body }) => {
          const answer = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) });
          const bytes = new Uint8Array(await answer.arrayBuffer());
          return { status: answer.status, headers: Object.fromEntries(answer.headers), body: bytes };
        },
      ),
      resolveHost: (address, port) => Promise.resolve({ address, port }),
      resolveFolder: (path) => Promise.resolve(path),
      now: () => new Date(),
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      signal,
      log: () => {},
    });
  }
}

/** The system behind HTTP, asked by the test itself. */
const judgedHttp = (): JudgedSystem => ({
  connectorId: "b",
  fields: { email: "email", name: "name", phone: "phone", note: "note" },
  isComplete: true,
  async read() {
    const found = new Map<string, Row>();
    for (let page = 1; ; page += 1) {
      const answer = await fetch(`${base()}/contacts?page=${page}`);
      const items = (await answer.json()) as Row[];
      for (const item of items) found.set(item.id, item);
      if (items.length === 0) return found;
    }
  },
});

async function expectAgreement(): Promise<void> {
  refuse = () => null;
  await expectReconciled(judgedSyncWorld(database.data.pool, [judgedHttp()]));
}

async function cycle(): Promise<CycleSummary | null> {
  const { pool } = database.data;
  const world = needs();
  await schedule.requestCycle(INSTANCE, ENTITY);
  const acquired = await schedule.acquire("test", []);
  const pipeline = await pipelinePlans({ dataPool: pool, secrets: testSecrets }, world, schedule).load(
    INSTANCE,
    ENTITY,
  );
  const sources = pipeline.plan.sources.map(({ nodeId }) => ({
    nodeId,
    cursor: null,
    isComplete: false,
    since: null,
    due: true,
    replay: [],
  }));
  const summary = await runCycle({
    deps: { clock: systemClock, newId, log },
    needs: world,
    schedule,
    pipeline,
    acquired: acquired!,
    lease: new LeaseDeadline(systemClock, LEASE_MS, readClocks(systemClock)),
    time: databaseTime(acquired!.acquiredAt, systemClock),
    start: { cycleId: "one", epoch: acquired!.epoch, sources, resync: null, failures: {} },
    onProgress: (_, activity) => activities.push(activity),
    onCommitted: () => {},
    signal: new AbortController().signal,
  });
  await pool.query("UPDATE sync_pipeline SET owner = NULL, lease_until = NULL");
  return summary;
}

async function contactsInA(count: number): Promise<void> {
  const text = "INSERT INTO $table (email, name) SELECT 'a' || i || '@example.com', 'a' FROM generate_series(1, $1) i";
  await editOutside(database.data.pool, "a", text, [count]);
}

const contact = (index: number): Row => ({
  id: String(index + 1),
  email: `b${index}@example.com`,
  name: "b",
  phone: null,
  note: null,
});

test("[F3] reads and writes that are refused for a while are made again in the same cycle, and nobody sees an error", async () => {
  rows = Array.from({ length: 35 }, (_, index) => contact(index));
  await contactsInA(25);
  refuse = (call) => (call % 7 === 3 ? { status: 429, retryAfter: "0.1" } : null);
  const summary = await cycle();
  expect(summary).toMatchObject({ outcome: "finished", problems: [], failures: {} });
  expect(rows).toHaveLength(60);
  expect(new Set(rows.map(({ email }) => email)).size).toBe(60);
  expect((await contactsIn(database.data.pool, "core")).size).toBe(60);
  expect(activities).toContain("Waiting until b takes calls again");
  const { rows: waiting } = await database.data.pool.query(`SELECT FROM "i_${INSTANCE}".delivery WHERE attempts > 0`);
  expect(waiting).toEqual([]);
  await expectAgreement();
});

test("[F3] a bad moment of a system is waited out within the cycle, a lasting one ends it", async () => {
  rows = [contact(0)];
  refuse = (call) => (call <= 2 ? { status: 500 } : null);
  expect(await cycle()).toMatchObject({ outcome: "finished", problems: [] });

  calls = 0;
  refuse = () => ({ status: 500 });
  expect(await cycle()).toMatchObject({ outcome: "failed", problems: [{ code: "unavailable", severity: "error" }] });
  expect(calls).toBe(3);
  await expectAgreement();
});

test("a pause is heard while a system is waited for", async () => {
  rows = [contact(0)];
  refuse = () => ({ status: 429, retryAfter: "100" });
  const under = cycle();
  await expect.poll(() => activities).toContain("Waiting until b takes calls again");
  await schedule.pause(INSTANCE, ENTITY, "Ada");
  expect(await under).toMatchObject({ outcome: "paused", problems: [] });
  const { rows: held } = await database.data.pool.query("SELECT activity FROM sync_pipeline");
  expect(held[0].activity).toBe("Waiting until b takes calls again");
  refuse = () => null;
  // The time that the system asked for is over.
  await database.data.pool.query("DELETE FROM rate_budget");
  await schedule.resume(INSTANCE, ENTITY);
  expect(await cycle()).toMatchObject({ outcome: "finished", problems: [] });
  await expectAgreement();
});

test("a system that wants to be left alone for longer is asked again then; the cycle has not failed", async () => {
  rows = [contact(0)];
  refuse = () => ({ status: 429, retryAfter: "600" });
  const summary = await cycle();
  expect(summary).toMatchObject({ outcome: "finished", problems: [{ severity: "warning", code: "rateLimited" }] });
  expect(summary!.nextAt! - Date.now()).toBeGreaterThan(300_000);
  expect(Object.values(summary!.failures)).toEqual([expect.objectContaining({ isPatience: true })]);
});
