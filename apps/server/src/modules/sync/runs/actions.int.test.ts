/** Actions of a running pipeline on real PostgreSQL: once for each coming of a record, whatever breaks in between. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Id } from "@accord/contracts";
import { Graph } from "@accord/contracts/sync/graph";
import type { ActionCall, HttpWork } from "@accord/sync-engine/actions";
import type { CycleSummary } from "@accord/sync-engine/run";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../../../../test-kit/database/database.ts";
import {
  contactsIn,
  editOutside,
  ENTITY,
  INSTANCE,
  makeSyncWorld,
  syncWorldNeeds,
} from "../../../../test-kit/sync-world/sync-world.ts";
import { systemClock } from "../../../platform/clock.ts";
import { LeaseDeadline, readClocks } from "../../../platform/lease-deadline.ts";
import type { Deps } from "../../../platform/deps.ts";
import { makeNewId } from "../../../platform/ids.ts";
import { makeLog } from "../../../platform/log/log.ts";
import { outbound } from "../../../platform/outbound/guard.ts";
import { actionsModule } from "../actions/index.ts";
import { openedOutcome } from "../actions/sealed-work.ts";
import { runCycle } from "./worker/cycle.ts";
import { LEASE_MS } from "./storage/lease-guard.store.ts";
import { databaseTime } from "./schedule/database-time.ts";
import { pipelinePlans, type RunsDependencies } from "./worker/plans.ts";
import { type ScheduleStore, scheduleStore } from "./schedule/schedule.store.ts";
import { testSecrets } from "../../../../test-kit/test-secrets.ts";

let database: TestDatabase;
let server: Server;
let schedule: ScheduleStore;
/** Bodies of the calls, in their order. */
let calls: { body: string; key: string }[] = [];
let statusOf: (call: number) => number = () => 200;
/** What people were told. */
const tellings: string[] = [];
const log = makeLog({ logLevel: "error" });
const newId = makeNewId(systemClock);
const egress = outbound({ allow: ["127.0.0.1"] });

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += String(part);
    calls.push({ body, key: String(request.headers["idempotency-key"]) });
    response.writeHead(statusOf(calls.length), { "content-type": "application/json" });
    response.end(JSON.stringify({ note: `about ${body}` }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
beforeEach(async () => {
  database = await testDatabase();
  await makeSyncWorld(database.data.pool);
  schedule = scheduleStore(database.data.pool);
  calls = [];
  statusOf = () => 200;
  return () => database.drop();
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await egress.close();
});

const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

/** The actions as they are, without what these tests never reach. */
function makeActions() {
  const deps = {
    dataPool: database.data.pool,
    appDb: database.app.db,
    clock: systemClock,
    newId,
    log,
    outbound: egress,
    secrets: testSecrets,
  };
  return actionsModule(deps as unknown as Deps, {
    schema: { listEntities: async () => [], getEntity: async () => null },
    connectors: syncWorldNeeds(database.data.pool).connectors,
    organisationOf: async () => null,
    notify: async (told) => void tellings.push(told.message),
  });
}

/** The two-systems pipeline with nodes put between `a` and the core, or beside it. */
async function needsWith(nodes: object[], edges: [from: string, to: string][]): Promise<RunsDependencies> {
  const world = syncWorldNeeds(database.data.pool);
  const version = (await world.pipelines.publishedVersion(INSTANCE, ENTITY))!;
  const cut = nodes.length > 0 && edges.some(([, to]) => to === "core-node-000");
  const kept = version.graph.edges.filter(
    ({ source, destination }) => !cut || source.nodeId !== "attach-a" || destination.nodeId !== "core-node-000",
  );
  const graph = Graph.parse({
    nodes: [...version.graph.nodes, ...nodes],
    edges: [
      ...kept,
      ...edges.map(([from, to]) => ({
        id: `${from}-${to}-edge`,
        source: { nodeId: from },
        destination: { nodeId: to },
      })),
    ],
  });
  return {
    ...world,
    answers: makeActions().service,
    pipelines: { ...world.pipelines, publishedVersion: async () => ({ ...version, graph }) },
  };
}

async function cycle(world: RunsDependencies): Promise<CycleSummary | null> {
  const { pool } = database.data;
  await schedule.requestCycle(INSTANCE, ENTITY);
  const acquired = await schedule.acquire("test", []);
  const pipeline = await pipelinePlans({ dataPool: pool, secrets: testSecrets }, world, schedule).load(
    INSTANCE,
    ENTITY,
  );
  const sources = pipeline.plan.sources.map(({ nodeId }) => {
    return { nodeId, cursor: null, isComplete: false, since: null, due: true, replay: [] };
  });
  const summary = await runCycle({
    deps: { clock: systemClock, newId, log },
    needs: world,
    schedule,
    pipeline,
    acquired: acquired!,
    lease: new LeaseDeadline(systemClock, LEASE_MS, readClocks(systemClock)),
    time: databaseTime(acquired!.acquiredAt, systemClock),
    start: { cycleId: "one", epoch: acquired!.epoch, sources, resync: null, failures: {} },
    onProgress: () => {},
    onCommitted: () => {},
    signal: new AbortController().signal,
  });
  await pool.query("UPDATE sync_pipeline SET owner = NULL, lease_until = NULL");
  return summary;
}

const contacts = (count: number) =>
  editOutside(
    database.data.pool,
    "a",
    "INSERT INTO $table (email, name) SELECT 'p' || i || '@example.com', 'n' || i FROM generate_series(1, $1) i",
    [count],
  );

async function actions(): Promise<{ state: string; attempts: number; action: string; key: string | null }[]> {
  const { rows } = await database.data.pool.query("SELECT state, attempts, action, key FROM sync_action ORDER BY id");
  return rows;
}

const action = (id: string, apiName: string, configuration: object) => ({
  id,
  label: id,
  nodeType: "ACTION",
  apiName,
  configuration,
});
const ask = () => action("enrich", "httpRequest", { url: url(), body: "{{previous.values.email}}", retries: 0 });
const take = {
  id: "take",
  label: "take",
  nodeType: "FUNCTION",
  apiName: "setValue",
  configuration: { field: "note", value: "{{Action Result From enrich.note}}" },
};
const AWAITED: [string, string][] = [
  ["attach-a", "enrich"],
  ["enrich", "take"],
  ["take", "core-node-000"],
];

async function until(enough: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    if (await enough()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`did not come to rest: ${JSON.stringify(await actions())}`);
}

test("what an action answers is there for the next node, and it is performed once for each record", async () => {
  await contacts(30);
  const world = await needsWith([ask(), take], AWAITED);
  expect(await cycle(world)).toMatchObject({ outcome: "finished", problems: [] });
  const core = await contactsIn(database.data.pool, "core");
  expect(JSON.parse(core.get("p7@example.com") ?? "[]")[2]).toBe("about p7@example.com");
  expect(calls).toHaveLength(30);
  expect(new Set(calls.map(({ key }) => key)).size).toBe(30);
  // Read again, nothing has changed: nobody is called again.
  await cycle(world);
  expect(calls).toHaveLength(30);
  expect((await actions()).every(({ state, key }) => state === "DONE" && key === null)).toBe(true);
});

test("a failing action is a warning on its record; the record goes on, and so do the others", async () => {
  statusOf = (call) => (call === 2 ? 404 : 200);
  await contacts(3);
  const summary = await cycle(await needsWith([ask(), take], AWAITED));
  expect(summary?.problems).toMatchObject([{ severity: "warning", nodeId: "enrich", code: "http_404" }]);
  expect(summary?.outcome).toBe("finished");
  expect((await contactsIn(database.data.pool, "core")).size).toBe(3);
});

test("[SYN-059] a side path that ends in an action: it is performed once the page is safe", async () => {
  await contacts(5);
  const note = action("note", "logMessage", { text: "Saw {{previous.values.email}}" });
  await cycle(await needsWith([note], [["source-a", "note"]]));
  expect((await contactsIn(database.data.pool, "core")).size).toBe(5);
  expect((await actions()).map(({ state }) => state)).toEqual(Array(5).fill("DUE"));

  const stop = (await makeActions().startWorker?.())!;
  await until(async () => (await actions()).every(({ state }) => state === "DONE"));
  await stop();
  // Some may be sealed by now: the pipeline of an action that nobody knows any more may have had secret fields.
  const { rows } = await database.data.pool.query("SELECT outcome FROM sync_action ORDER BY id");
  const texts = rows.map(({ outcome }) => openedOutcome(testSecrets, INSTANCE, outcome)?.body);
  expect(texts).toContainEqual({ text: "Saw p1@example.com", level: "info" });
});

test("an action behind the core that leads to no destination is performed for every change", async () => {
  await contacts(4);
  const notify = action("tell", "httpRequest", { url: url(), body: "{{previous.values.email}}", retries: 0 });
  const world = await needsWith([notify], [["core-node-000", "tell"]]);
  await cycle(world);
  const stop = (await makeActions().startWorker?.())!;
  await until(async () => calls.length === 4 && (await actions()).every(({ state }) => state === "DONE"));
  const change = "UPDATE $table SET name = 'new', change = nextval('outside.change') WHERE email = 'p1@example.com'";
  await editOutside(database.data.pool, "a", change, []);
  await cycle(world);
  await until(async () => calls.length === 5);
  await stop();
  expect(calls.at(-1)?.body).toBe("p1@example.com");
});

test("an action nobody waits for is tried again after a failure that may pass, under the same key", async () => {
  statusOf = (call) => (call === 1 ? 503 : 200);
  await contacts(1);
  const notify = action("tell", "httpRequest", { url: url(), body: "x", retries: 0 });
  await cycle(await needsWith([notify], [["source-a", "tell"]]));
  const stop = (await makeActions().startWorker?.())!;
  await until(async () => calls.length === 1 && (await actions())[0]?.state === "DUE");
  await database.data.pool.query("UPDATE sync_action SET due_at = now()");
  await until(async () => (await actions())[0]?.state === "DONE");
  await stop();
  expect(new Set(calls.map(({ key }) => key)).size).toBe(1);
  expect(await actions()).toMatchObject([{ state: "DONE", attempts: 2 }]);
});

const httpCall = (change: Partial<HttpWork> = {}): ActionCall => ({
  key: "node 1 abc",
  nodeId: "node",
  label: "Tell",
  action: "httpRequest",
  externalId: "1",
  recordId: null,
  work: {
    kind: "http",
    method: "POST",
    url: url(),
    headers: {},
    body: "x",
    timeoutMs: 30_000,
    retries: 0,
    isRepeatable: false,
    ...change,
  },
});
const pipeline = {
  instanceId: INSTANCE,
  pipelineId: ENTITY as Id<"entity">,
  versionNumber: 1,
  connect: () => Promise.reject(new Error("no system is asked")),
};

test("a page that comes again after a crash finds what was done: the outcome is given, nothing is repeated", async () => {
  const { service } = makeActions();
  const dataRequest = { kind: "action", call: httpCall(), later: false } as const;
  const first = await service.answer(pipeline, [dataRequest]);
  const again = await makeActions().service.answer(pipeline, [dataRequest]);
  expect(again).toEqual(first);
  expect(calls).toHaveLength(1);
});

test("an action begun by a worker that vanished is repeated only where that does no harm; else it says it is unknown", async () => {
  for (const isRepeatable of [false, true]) {
    calls = [];
    const call = { ...httpCall({ isRepeatable }), key: `node 1 ${isRepeatable}` };
    await database.data.pool.query(
      `INSERT INTO sync_action (id, instance_id, pipeline_id, version_number, node_id, label, action, key, external_id, work, state, attempts, held_until)
       VALUES ($1, $2, $3, 1, 'node', 'Tell', 'httpRequest', $4, '1', $5, 'BEGUN', 1, now() - interval '1 second')`,
      [newId(), INSTANCE, ENTITY, call.key, JSON.stringify(call.work)],
    );
    const [answer] = await makeActions().service.answer(pipeline, [{ kind: "action", call, later: false }]);
    expect(answer).toMatchObject({ ok: true, found: [{ succeeded: isRepeatable }] });
    expect(calls).toHaveLength(isRepeatable ? 1 : 0);
  }
});

test("while the worker that began an action may still be at it, nobody else touches it", async () => {
  const call = httpCall();
  await database.data.pool.query(
    `INSERT INTO sync_action (id, instance_id, pipeline_id, version_number, node_id, label, action, key, external_id, work, state, attempts, held_until)
     VALUES ($1, $2, $3, 1, 'node', 'Tell', 'httpRequest', $4, '1', $5, 'BEGUN', 1, now() + interval '1 minute')`,
    [newId(), INSTANCE, ENTITY, call.key, JSON.stringify(call.work)],
  );
  const asked = makeActions().service.answer(pipeline, [{ kind: "action", call, later: false }]);
  await expect(asked).rejects.toMatchObject({ kind: "unavailable" });
  expect(calls).toEqual([]);
});

test("[F1] an action that was being performed when the server died is taken up again, and holds up nobody", async () => {
  const began = (key: string | null, awaited: boolean, call: ActionCall) =>
    database.data.pool.query(
      `INSERT INTO sync_action (id, instance_id, pipeline_id, version_number, node_id, label, action, key, external_id,
         work, state, attempts, held_until, awaited)
       VALUES ($1, $2, $3, 1, 'node', 'Tell', 'httpRequest', $4, $5, $6, 'BEGUN', 1, now() - interval '1 second', $7)`,
      [newId(), INSTANCE, ENTITY, key, call.externalId, JSON.stringify(call.work), awaited],
    );
  // Behind the core, written down under its key; and one whose page never came back for it, with another behind it.
  await began("node r1 1", false, httpCall({ isRepeatable: true, body: "written" }));
  await began("node 2 abc", true, { ...httpCall({ body: "awaited" }), externalId: "2" });
  await makeActions().service.answer(pipeline, [
    { kind: "action", call: { ...httpCall({ body: "behind" }), key: "node 2 abd", externalId: "2" }, later: true },
  ]);
  const stop = (await makeActions().startWorker?.())!;
  await until(async () => calls.length === 2);
  await stop();
  expect(calls.map(({ body }) => body).sort()).toEqual(["behind", "written"]);
});
