/** What may go wrong about the columnar mirror: other servers, long transactions, restores, bad questions, broken steps. */
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mirrorName } from "@accord/analytics-engine";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testSuperuserUrl } from "../../../../../test-kit/database/test-cluster.ts";
import { testApp, type TestApp } from "../../../../../test-kit/index.ts";
import {
  addMany,
  askCard,
  askMirror,
  captureTriggers,
  COUNT,
  mirrorOf,
  mirroredDeals,
  mirrorSettings,
} from "../../../../../test-kit/mirror/ask-mirror.ts";
import { instanceSchema } from "../../../../platform/db/db.ts";
import { withClient } from "../../../../platform/db/transaction.ts";
import { CaptureOwner } from "./capture-owner.store.ts";
import { OWN_COLUMNS } from "./cells.ts";
import { prune, startCapture, stopCapture } from "./change-capture.store.ts";
import { copyTable } from "./copy-table.ts";
import { openMirrorDatabase } from "./mirror-database.store.ts";
import { emptyFolder, removeStale } from "./mirror-folder.ts";
import { readChanges, readShape } from "./mirror-source.store.ts";
import { MirrorOfInstance } from "./mirror-of-instance.ts";
import { Mirrors } from "./mirrors.ts";
import type { MirrorQuestion } from "./protocol.ts";
import { inSnapshot } from "./snapshot.store.ts";

let t: TestApp;
let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "accord-mirror-"));
  t = await testApp({ config: { home, mirror: mirrorSettings() } });
}, 60_000);
afterAll(async () => {
  await t.close();
  await rm(home, { recursive: true, force: true });
});

const LIMITS = { memoryMb: 64, diskMb: 100, threads: 1, instances: 1, maxGroups: 100 };
const ignore = (): void => {};

test("a copy is none unless all changes of its table are noted", async () => {
  const { dataPool: pool } = t.deps;
  const place = { organisationId: t.organisationId, instanceId: await t.build.instance() };
  const { schema, name } = await mirroredDeals(t, place);
  const database = await openMirrorDatabase(join(home, "by-hand"), LIMITS);
  const context = {
    pool,
    schema,
    limits: LIMITS,
    log: ignore,
    now: () => 0,
    onChange: ignore,
    onStuck: ignore,
    onBroken: ignore,
  };
  const copy = () =>
    copyTable(database, context, { table: name, wanted: OWN_COLUMNS, isClosed: () => false, onRecords: ignore });
  try {
    await expect(copy()).rejects.toThrow("not noted");
    const bare = await readShape(pool, schema, name);
    const { rows } = await pool.query<{ now: string }>("SELECT pg_current_snapshot()::text AS now");
    const state = { table: name, oid: bare?.oid ?? "", signature: bare?.signature ?? "", snapshot: rows[0]?.now ?? "" };
    expect((await readChanges(pool, schema, [state])).tables).toMatchObject([{ isSame: false }]);
    expect(await startCapture(pool, schema, name)).toBe(true);
    const made = await copy();
    expect(made.records).toBe(4);
    expect((await readChanges(pool, schema, [made])).tables).toMatchObject([{ isSame: true, count: 0 }]);
    await pool.query(`DROP TRIGGER accord_mirror_delete ON "${schema}"."${name}"`);
    expect((await readChanges(pool, schema, [made])).tables).toMatchObject([{ isSame: false }]);
  } finally {
    await database.close();
    await stopCapture(pool, schema);
  }
}, 60_000);

test("what TRUNCATE takes away and what sessions in the role of a replica write is seen", async () => {
  const { datasetId, table } = await mirroredDeals(t);
  await askMirror(t, datasetId, COUNT);
  const { rows } = await t.deps.dataPool.query<{ name: string }>("SELECT current_database() AS name");
  const replica = new pg.Client({ connectionString: await testSuperuserUrl(rows[0]?.name ?? "") });
  await replica.connect();
  await replica.query("SET session_replication_role = replica");
  await replica.query(`INSERT INTO ${table} (accord_id, "pieces") VALUES ('replicated', 1)`);
  await replica.end();
  const { answered } = mirrorOf(t).status();
  expect((await askCard(t, datasetId, COUNT)).rows).toEqual([{ c0: 5 }]);
  expect(mirrorOf(t).status().answered).toBe(answered + 1);
  await t.deps.dataPool.query(`TRUNCATE ${table}`);
  expect((await askCard(t, datasetId, COUNT)).rows).toEqual([{ c0: 0 }]);
  expect((await askMirror(t, datasetId, COUNT))?.rows).toEqual([{ c0: 0 }]);
}, 120_000);

test("a transaction that is open for long keeps no copy from being of use", async () => {
  const { datasetId, schema, table } = await mirroredDeals(t);
  const { dataPool } = t.deps;
  await askMirror(t, datasetId, COUNT);
  await withClient(dataPool, async (long) => {
    await long.query("BEGIN");
    await long.query(`INSERT INTO ${table} (accord_id, "pieces") VALUES ('long', 1)`);
    await addMany(t, table, 10);
    await prune(dataPool, schema, 0);
    expect((await askMirror(t, datasetId, COUNT))?.rows).toEqual([{ c0: 14 }]);
    await long.query("COMMIT");
  });
  expect((await askMirror(t, datasetId, COUNT))?.rows).toEqual([{ c0: 15 }]);
}, 180_000);

test("what a restored dump says of the transactions of another database counts for nothing", async () => {
  const { datasetId, schema, table } = await mirroredDeals(t);
  await t.deps.dataPool.query(
    `INSERT INTO "${schema}".mirror_pruned (relation, through) VALUES ($1::regclass, '9000000000000000000'::xid8)`,
    [table],
  );
  const { pid } = mirrorOf(t);
  if (pid !== undefined) process.kill(pid, "SIGKILL");
  expect((await askMirror(t, datasetId, COUNT))?.rows).toEqual([{ c0: 4 }]);
}, 180_000);

test("a question that DuckDB can't answer costs the copies of nobody", async () => {
  const { datasetId, schema, name } = await mirroredDeals(t);
  await askMirror(t, datasetId, COUNT);
  const { pid } = mirrorOf(t);
  const text = "SELECT CAST(CAST('2024-13-45' AS DATE) AS VARCHAR)";
  for (let time = 0; time < 3; time += 1)
    expect(await askRaw({ schema, text, reads: [{ table: name, columns: [] }] })).toEqual({ refusal: "failed" });
  const { answered } = mirrorOf(t).status();
  expect((await askCard(t, datasetId, COUNT)).rows).toEqual([{ c0: 4 }]);
  expect(mirrorOf(t).status().answered).toBe(answered + 1);
  expect(mirrorOf(t).pid).toBe(pid);
}, 120_000);

test("questions that take too long, or that nobody waits for, are ended and cost others nothing", async () => {
  const { datasetId, schema, name } = await mirroredDeals(t);
  await askMirror(t, datasetId, COUNT);
  const { pid } = mirrorOf(t);
  const reads = [{ table: name, columns: [] }];
  const text = "SELECT CAST(sum(hash(range)) AS VARCHAR) FROM range(1000000000000)";
  const long = Array.from({ length: 4 }, (_, at) => ({ schema, text: `${text} -- ${at}`, reads }));
  const late = await Promise.all(long.map((question) => askRaw({ ...question, timeoutMs: 300 })));
  expect(late).toEqual(long.map(() => ({ refusal: "late" })));
  const ending = new AbortController();
  const left = Promise.allSettled(long.map((question) => askRaw({ ...question, timeoutMs: 120_000 }, ending.signal)));
  // Before they have begun, or after: it makes no difference.
  await new Promise((resolve) => setTimeout(resolve, 200));
  ending.abort();
  expect(await left).toMatchObject(long.map(() => ({ status: "rejected" })));
  expect((await askMirror(t, datasetId, COUNT))?.rows).toEqual([{ c0: 4 }]);
  expect(mirrorOf(t).pid).toBe(pid);
}, 120_000);

function askRaw(question: Partial<MirrorQuestion>, signal = new AbortController().signal) {
  const rest = { schema: "", text: "", params: [], reads: [], ages: [], timeoutMs: 5_000 };
  return mirrorOf(t).ask({ ...rest, ...question }, signal);
}

test("a copy goes on answering, and is ready, while one with more columns can't be made; its problem ends with the next one", async () => {
  const { dataPool: pool } = t.deps;
  const place = { organisationId: t.organisationId, instanceId: await t.build.instance() };
  const { schema, name } = await mirroredDeals(t, place);
  const database = await openMirrorDatabase(join(home, "more"), LIMITS);
  let isFull = false;
  let now = 0;
  const context = { pool, schema, limits: LIMITS, log: ignore, now: () => now, onChange: ignore, onStuck: ignore };
  const mirror = new MirrorOfInstance(
    { ...context, onBroken: ignore },
    {
      ...database,
      async createCopy(columns) {
        if (isFull) throw new Error("Out of Memory Error: failed to allocate");
        return database.createCopy(columns);
      },
    },
  );
  const text = `SELECT CAST(count(*) AS VARCHAR) FROM "${mirrorName(name)}"`;
  const ask = (columns: MirrorQuestion["reads"][number]["columns"]) => {
    const question = { schema, text, params: [], reads: [{ table: name, columns }], ages: [], timeoutMs: 5_000 };
    return mirror.ask(question, new AbortController().signal).then(
      (answer) => answer.columns,
      (error: unknown) => String(error),
    );
  };
  const more = [{ name: "status", type: "text", isFolded: false }] as const;
  try {
    await expect.poll(() => ask([])).toEqual([["4"]]);
    isFull = true;
    expect(await ask([...more])).toContain("building");
    await expect.poll(() => mirror.tables()).toMatchObject([{ state: "ready", records: 4, problem: "memory" }]);
    expect(await ask([])).toEqual([["4"]]);
    isFull = false;
    now += 200_000;
    await expect.poll(() => ask([...more])).toEqual([["4"]]);
    expect(mirror.tables()).toMatchObject([{ state: "ready", records: 4, problem: null }]);
  } finally {
    await mirror.close();
    await stopCapture(pool, schema);
  }
}, 60_000);

test("a new copy and the end of the former one are one step", async () => {
  const database = await openMirrorDatabase(join(home, "steps"), LIMITS);
  try {
    const former = await database.createCopy(OWN_COLUMNS);
    await database.append(former, [["one", "f", null]]);
    await database.publish("deals", former, undefined);
    const next = await database.createCopy(OWN_COLUMNS);
    await expect(database.publish("deals", next, { ...former, name: "no such name" })).rejects.toThrow("syntax error");
    const read = await database.beginRead("deals");
    const text = `SELECT CAST(count(*) AS VARCHAR) FROM "${mirrorName("deals")}"`;
    expect((await read.run({ text, params: [], ages: [], maxGroups: 1 })).columns).toEqual([["1"]]);
  } finally {
    await database.close();
  }
}, 60_000);

test("whoever waits for a table that is being read gets it, and a read ends after its time", async () => {
  const { dataPool } = t.deps;
  const { schema, name, table } = await mirroredDeals(t);
  const read = (maxMs: number) =>
    inSnapshot(dataPool, { schema, tables: [name], maxMs, isOver: () => false }, ({ client }) =>
      client.query("SELECT pg_sleep(60)"),
    );
  const gaveWay = expect(read(60_000)).rejects.toThrow("somebody else waits");
  await expect
    .poll(async () => {
      const { rowCount } = await dataPool.query(
        "SELECT FROM pg_locks WHERE relation = $1::regclass AND mode = 'AccessShareLock' AND granted",
        [table],
      );
      return rowCount;
    })
    .toBeGreaterThan(0);
  await dataPool.query(`ALTER TABLE ${table} ADD COLUMN waited int`);
  await gaveWay;
  await expect(read(1)).rejects.toThrow("longer than");
}, 60_000);

test("mirrors are opened and closed in turns, each with its own files", async () => {
  const { dataPool: pool } = t.deps;
  const [one, other] = [instanceSchema(await t.build.instance()), instanceSchema(await t.build.instance())];
  const folder = join(home, "turns");
  const mirrors = new Mirrors({
    ...{ pool, folder, limits: LIMITS, say: ignore, onChange: ignore, onStuck: ignore },
    onFailure(error) {
      throw error;
    },
  });
  const [first, same] = await Promise.all([mirrors.of(one), mirrors.of(one)]);
  expect(same).toBe(first);
  const closing = mirrors.drop(one);
  const [again] = await Promise.all([mirrors.of(one), mirrors.of(other), mirrors.of(other), closing]);
  expect(again).not.toBe(first);
  expect(await readdir(folder)).toEqual([`${other}-3`]);
  expect(await mirrors.of(one)).not.toBe(again);
  expect(await readdir(folder)).toEqual([`${one}-4`]);
  await mirrors.drop(one);
  expect(await readdir(folder)).toEqual([]);
}, 60_000);

test("changes are noted no more for a server that is gone, and still for one that lives", async () => {
  const { dataPool: pool } = t.deps;
  await mirrorOf(t).stop();
  await expect.poll(async () => (await stopCapture(pool), captureTriggers(t)), { timeout: 10_000 }).toBe(0);
  const { schema, name } = await mirroredDeals(t);
  expect(await startCapture(pool, schema, name)).toBe(true);
  const living = new CaptureOwner(pool);
  await living.hold(schema);
  const mirrors = new Mirrors({
    ...{ pool, folder: join(home, "none"), limits: LIMITS, say: ignore },
    ...{ onChange: ignore, onStuck: ignore, onFailure: ignore },
  });
  try {
    await mirrors.tend(true);
    expect(await captureTriggers(t)).toBe(3);
  } finally {
    await living.release(schema);
  }
  await mirrors.tend(true);
  expect(await captureTriggers(t)).toBe(0);
}, 60_000);

test("folders of processes that are gone are removed, those in use are left", async () => {
  const folder = join(home, "shared", "mine");
  for (const name of ["dead", "living"]) {
    await mkdir(join(home, "shared", name), { recursive: true });
    await writeFile(join(home, "shared", name, "alive"), "");
  }
  await utimes(join(home, "shared", "dead", "alive"), 0, 0);
  await emptyFolder(folder);
  await removeStale(folder);
  expect((await readdir(join(home, "shared"))).toSorted()).toEqual(["living", "mine"]);
});
