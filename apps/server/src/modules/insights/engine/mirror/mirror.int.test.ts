/** Whatever happens to the columnar mirror, somebody answers, with all that was committed before the question. */
import { mkdtemp, readdir, rm, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getMirrorStatus } from "@accord/contracts/insights/mirror";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Place, testApp, type TestApp } from "../../../../../test-kit/index.ts";
import {
  addMany,
  askCard,
  askMirror,
  captureTriggers,
  COUNT,
  mirrorOf,
  mirroredDeals,
  mirrorSettings,
  totalOf,
} from "../../../../../test-kit/mirror/ask-mirror.ts";
import { instanceSchema } from "../../../../platform/db/db.ts";
import { withClient } from "../../../../platform/db/transaction.ts";
import { stopCapture } from "./change-capture.store.ts";

let t: TestApp;
let home: string;
const settings = mirrorSettings();
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "accord-mirror-"));
  t = await testApp({ config: { home, mirror: settings } });
}, 60_000);
afterAll(async () => {
  await t.close();
  await rm(home, { recursive: true, force: true });
});

const refused = (reason: "disk_limit" | "column_unfit" | "small"): number => mirrorOf(t).status().refused[reason] ?? 0;

/** Deleted ones too. */
async function allOf(table: string): Promise<number> {
  const { rows } = await t.deps.dataPool.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`);
  return rows[0]?.count ?? -1;
}

/** Files of the mirrors of an instance. */
async function filesOf(place: Place): Promise<string[]> {
  const names = await readdir(join(home, "mirror"), { recursive: true });
  const file = new RegExp(`/${instanceSchema(place.instanceId)}-\\d+/mirror\\.duckdb$`);
  return names.filter((name) => file.test(name)).map((name) => join(home, "mirror", name));
}

test("an answer has what was committed before the question: what is new, changed, merged away and deleted", async () => {
  const { datasetId, table } = await mirroredDeals(t);
  expect((await askMirror(t, datasetId))?.rows).toEqual([
    { x: "paid", y0: "25.25", other: false },
    { x: "open", y0: "10.50", other: false },
    { x: "lost", y0: null, other: false },
  ]);
  const steps: [sql: string, rows: [string, string | null][]][] = [
    [
      `UPDATE ${table} SET "amount" = 7.5 WHERE "status" = 'lost'`,
      [
        ["paid", "25.25"],
        ["open", "10.50"],
        ["lost", "7.5"],
      ],
    ],
    [
      `UPDATE ${table} SET accord_deleted = true WHERE "status" = 'open'`,
      [
        ["paid", "25.25"],
        ["lost", "7.5"],
      ],
    ],
    [`DELETE FROM ${table} WHERE "status" = 'lost'`, [["paid", "25.25"]]],
    [`INSERT INTO ${table} (accord_id, "status", "amount") VALUES ('new', 'paid', 1)`, [["paid", "26.25"]]],
  ];
  for (const [sql, rows] of steps) {
    await t.deps.dataPool.query(sql);
    const { answered } = mirrorOf(t).status();
    expect((await askCard(t, datasetId)).rows).toEqual(rows.map(([x, y0]) => ({ x, y0, other: false })));
    expect(mirrorOf(t).status().answered).toBe(answered + 1);
  }
}, 180_000);

test("what commits late is not missed, although it began before others that the mirror has", async () => {
  const { datasetId, table } = await mirroredDeals(t);
  await askMirror(t, datasetId, COUNT);
  await withClient(t.deps.dataPool, async (late) => {
    await late.query("BEGIN");
    await late.query(`INSERT INTO ${table} (accord_id, "pieces") VALUES ('late', 1)`);
    await addMany(t, table, 10);
    expect((await askMirror(t, datasetId, COUNT))?.rows).toEqual([{ c0: 14 }]);
    await late.query("COMMIT");
  });
  const { answered } = mirrorOf(t).status();
  expect((await askCard(t, datasetId, COUNT)).rows).toEqual([{ c0: 15 }]);
  expect(mirrorOf(t).status().answered).toBe(answered + 1);
}, 180_000);

test("answers are never older than the question while others write", async () => {
  const { datasetId, table } = await mirroredDeals(t);
  await askMirror(t, datasetId, COUNT);
  for (let round = 0; round < 20; round += 1) {
    const writing = addMany(t, table, 50);
    const before = await totalOf(t, table);
    const [found] = (await askCard(t, datasetId, COUNT)).rows;
    await writing;
    const after = await totalOf(t, table);
    expect(Number(found?.["c0"])).toBeGreaterThanOrEqual(before);
    expect(Number(found?.["c0"])).toBeLessThanOrEqual(after);
  }
  expect((await askMirror(t, datasetId, COUNT))?.rows).toEqual([{ c0: await totalOf(t, table) }]);
}, 180_000);

test("its page counts what a copy has now, and names the fields that it leaves to PostgreSQL", async () => {
  const { datasetId, table } = await mirroredDeals(t);
  await askMirror(t, datasetId);
  const apiName = /r_(\w+)/.exec(table)?.[1];
  const found = async () =>
    (await t.as("SYNC_MANAGER").call(getMirrorStatus)).entities.find((one) => one.apiName === apiName);
  const poll = { timeout: 15_000 };
  await expect.poll(found, poll).toMatchObject({ state: "ready", records: 4, unfitFields: [] });
  await addMany(t, table, 10);
  await t.deps.dataPool.query(`UPDATE ${table} SET "amount" = 3 WHERE "status" = 'paid'`);
  await expect.poll(found, poll).toMatchObject({ state: "ready", records: 14 });
  await t.deps.dataPool.query(`DELETE FROM ${table} WHERE "status" = 'open'`);
  await t.deps.dataPool.query(`UPDATE ${table} SET "amount" = 'NaN' WHERE "status" = 'paid'`);
  const records = await allOf(table);
  expect(records).toBeLessThan(14);
  await expect.poll(found, poll).toMatchObject({ state: "ready", records, unfitFields: ["amount"] });
}, 180_000);

test("a value that the mirror can't keep exactly leaves its column to PostgreSQL", async () => {
  const { datasetId, table } = await mirroredDeals(t);
  await askMirror(t, datasetId);
  await t.deps.dataPool.query(`UPDATE ${table} SET "amount" = 'NaN' WHERE "status" = 'open'`);
  // The first question finds the value, those after it know of it.
  expect((await askCard(t, datasetId)).rows[0]).toMatchObject({ x: "open", y0: "NaN" });
  const before = refused("column_unfit");
  expect((await askCard(t, datasetId)).rows[0]).toMatchObject({ x: "open", y0: "NaN" });
  expect(refused("column_unfit")).toBe(before + 1);
}, 180_000);

test("killed while it copies and while it answers, the mirror is begun again; its broken file is none", async () => {
  const { datasetId, table } = await mirroredDeals(t);
  await addMany(t, table, 60_000);
  const expected = [{ c0: await totalOf(t, table) }];
  expect((await askCard(t, datasetId, COUNT)).rows).toEqual(expected);
  for (const isCopying of [true, false]) {
    if (isCopying)
      await expect
        .poll(
          () =>
            mirrorOf(t)
              .status()
              .tables.find(({ table: name }) => table.includes(name))?.state,
          { interval: 5, timeout: 20_000 },
        )
        .toBe("building");
    const { pid } = mirrorOf(t);
    if (pid !== undefined) process.kill(pid, "SIGKILL");
    expect((await askCard(t, datasetId, COUNT)).rows).toEqual(expected);
    expect((await askMirror(t, datasetId, COUNT))?.rows).toEqual(expected);
  }
  const [file = ""] = await filesOf(t);
  const { pid } = mirrorOf(t);
  await truncate(file, 100);
  if (pid !== undefined) process.kill(pid, "SIGKILL");
  expect((await askMirror(t, datasetId, COUNT))?.rows).toEqual(expected);
}, 180_000);

test("beyond its limit of the disk the mirror leaves the table to PostgreSQL, and says so", async () => {
  const cramped = await testApp({ config: { home: join(home, "cramped"), mirror: { ...settings, diskMb: 1 } } });
  const whole = t;
  t = cramped;
  try {
    const { datasetId, table } = await mirroredDeals(t);
    await addMany(t, table, 150_000);
    await expect
      .poll(
        async () => (
          await askCard(t, datasetId, { xaxis: { column: "pieces", name: "pieces", displayFormat: "text" } }),
          refused("disk_limit")
        ),
        {
          timeout: 30_000,
        },
      )
      .toBeGreaterThan(0);
    expect((await askCard(t, datasetId, COUNT)).rows).toEqual([{ c0: await totalOf(t, table) }]);
    expect(mirrorOf(t).status().tables).toMatchObject([{ state: "disk_limit" }]);
  } finally {
    t = whole;
    await cramped.close();
  }
}, 180_000);

test("each instance has a file of its own, and sees no other", async () => {
  const other = { ...t, instanceId: await t.build.instance({ name: "other" }) };
  const place: Place = { organisationId: other.organisationId, instanceId: other.instanceId };
  const [mine, theirs] = [await mirroredDeals(t), await mirroredDeals(t, place)];
  await t.deps.dataPool.query(`UPDATE ${theirs.table} SET "status" = 'theirs'`);
  await askMirror(t, mine.datasetId);
  expect((await askMirror(t, theirs.datasetId, {}, place))?.rows).toMatchObject([{ x: "theirs" }]);
  expect((await askMirror(t, mine.datasetId))?.rows.map(({ x }) => x)).not.toContain("theirs");
  expect([await filesOf(t), await filesOf(place)]).toMatchObject([{ length: 1 }, { length: 1 }]);
}, 180_000);

test("it says which entities of the instance it has copied", async () => {
  const { datasetId, table } = await mirroredDeals(t);
  await askMirror(t, datasetId);
  const status = await t.as("SYNC_MANAGER").call(getMirrorStatus);
  expect(status.state).toBe("ready");
  const apiName = /r_(\w+)/.exec(table)?.[1];
  await expect
    .poll(async () =>
      (await t.as("SYNC_MANAGER").call(getMirrorStatus)).entities.find((one) => one.apiName === apiName),
    )
    .toMatchObject({ apiName, state: "ready", records: 4, problem: null });
  const found = (await t.as("SYNC_MANAGER").call(getMirrorStatus)).entities.find((one) => one.apiName === apiName);
  const now = t.clock.now().getTime();
  expect(Date.parse(found?.answeredAt ?? "")).toBeLessThanOrEqual(now);
  expect(Date.parse(found?.freshAt ?? "")).toBeLessThanOrEqual(now);
  await expect.poll(async () => (await t.as("SYNC_MANAGER").call(getMirrorStatus)).bytes).toBeGreaterThan(0);
}, 180_000);

test("an entity without a copy is too small for one, or nobody has asked a card of it yet", async () => {
  const { name } = await mirroredDeals(t);
  const stateOf = async (): Promise<string | undefined> => {
    const { entities } = await t.as("SYNC_MANAGER").call(getMirrorStatus);
    return entities.find(({ apiName }) => `r_${apiName}` === name)?.state;
  };
  expect(await stateOf()).toBe("unasked");
  settings.minRecords = 1_000;
  try {
    expect(await stateOf()).toBe("small");
  } finally {
    settings.minRecords = 0;
  }
}, 180_000);

test("few records are left to PostgreSQL", async () => {
  const { datasetId } = await mirroredDeals(t);
  settings.minRecords = 1_000;
  try {
    const { answered, refused: before } = mirrorOf(t).status();
    await askCard(t, datasetId);
    expect(mirrorOf(t).status()).toMatchObject({ answered, refused: before });
  } finally {
    settings.minRecords = 0;
  }
}, 180_000);

test("another server that is switched off leaves alone what this one needs; nobody mirrors, and changes are noted no more", async () => {
  const { datasetId, table } = await mirroredDeals(t);
  await askMirror(t, datasetId);
  const off = { ...t.deps, config: { ...t.deps.config, mirror: { ...settings, isOn: false } } };
  const { mirrorModule } = await import("../../mirror-module.ts");
  const module = mirrorModule(off, {
    timeoutMs: 1_000,
    parallel: 2,
    parallelPerInstance: 1,
    workMemMb: 4,
    waiting: 1,
    maxBytes: 1_000,
    allowsSql: false,
    schema: { listEntities: async () => [] },
  });
  expect(module.mirror).toBeNull();
  expect(await stopCapture(t.deps.dataPool)).toEqual({ isBusy: false, isOwned: true });
  await t.deps.dataPool.query(`UPDATE ${table} SET "status" = 'noted'`);
  const { answered } = mirrorOf(t).status();
  expect((await askCard(t, datasetId)).rows).toMatchObject([{ x: "noted" }]);
  expect(mirrorOf(t).status().answered).toBe(answered + 1);
  await mirrorOf(t).stop();
  await module.start?.();
  await expect.poll(() => captureTriggers(t), { timeout: 10_000 }).toBe(0);
  await t.deps.dataPool.query(`UPDATE ${table} SET "status" = 'changed'`);
  expect((await askCard(t, datasetId)).rows).toMatchObject([{ x: "changed" }]);
}, 60_000);
