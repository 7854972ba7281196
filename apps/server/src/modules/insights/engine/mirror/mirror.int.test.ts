/** Whatever happens to the columnar mirror, somebody answers, with all that was committed before the question. */
import { mkdtemp, readdir, rm, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Id } from "@accord/contracts";
import { type CardConfigurationInput, previewDataCard } from "@accord/contracts/insights/cards";
import { getMirrorStatus } from "@accord/contracts/insights/mirror";
import { afterAll, beforeAll, expect, test } from "vitest";
import { columnCard, makeDataset, makeDeals } from "../../../../../test-kit/fixtures/insights.ts";
import { type Place, testApp, type TestApp } from "../../../../../test-kit/index.ts";
import { instanceSchema } from "../../../../platform/db/db.ts";
import { withClient } from "../../../../platform/db/transaction.ts";
import type { MirrorModule } from "../../mirror-module.ts";
import { mirrorFolder } from "./mirror-folder.ts";
import { stopCapture } from "./change-capture.store.ts";

let t: TestApp;
let home: string;
const settings = { isOn: true, memoryMb: 128, diskMb: 500, minRecords: 0 };
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "accord-mirror-"));
  t = await testApp({ config: { home, mirror: settings } });
}, 60_000);
afterAll(async () => {
  await t.close();
  await rm(home, { recursive: true, force: true });
});

const mirror = () => {
  const found = t.module<MirrorModule>("insights/mirror").mirror;
  if (!found) throw new Error("the mirror is off");
  return found;
};
const refused = (reason: "disk_limit" | "column_unfit" | "small"): number => mirror().status().refused[reason] ?? 0;

async function ask(datasetId: Id<"dataset">, card: Partial<CardConfigurationInput> = {}, at: Place = t) {
  // Past what is kept of answers.
  t.clock.advance(6 * 60_000);
  const { contents } = await t.as("SYNC_MANAGER", at).call(previewDataCard, {
    body: { datacard: { contents: { configuration: columnCard(datasetId, card) } }, dataset: {} },
  });
  return contents.data;
}

/** Asks until the mirror answers. */
async function askMirror(datasetId: Id<"dataset">, card: Partial<CardConfigurationInput> = {}, at: Place = t) {
  const answers: Awaited<ReturnType<typeof ask>>[] = [];
  await expect
    .poll(
      async () => {
        const { answered } = mirror().status();
        answers.push(await ask(datasetId, card, at));
        return mirror().status().answered > answered;
      },
      { timeout: 90_000 },
    )
    .toBe(true);
  return answers.at(-1);
}

const COUNT: Partial<CardConfigurationInput> = {
  vizType: "METRIC",
  columns: [{ column: "pieces", name: "pieces", aggregate: "count", displayFormat: "number" }],
};

/** An entity of deals, its dataset and its table. */
async function deals(at: Place = t) {
  const entityId = await makeDeals(t, at);
  const datasetId = await makeDataset(t, at, {}, entityId);
  const { rows } = await t.deps.dataPool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE nspname = $1 AND relkind = 'r' AND relname LIKE 'r\\_Deal%' ORDER BY c.oid DESC LIMIT 1`,
    [instanceSchema(at.instanceId)],
  );
  return { datasetId, table: `"${instanceSchema(at.instanceId)}"."${rows[0]?.name}"` };
}

const addMany = (table: string, count: number) =>
  t.deps.dataPool.query(
    `INSERT INTO ${table} (accord_id, "status", "amount", "pieces")
     SELECT md5(random()::text || n), 's' || n % 7, n / 100.0, n FROM generate_series(1, $1::int) n`,
    [count],
  );
const total = async (table: string): Promise<number> => {
  const { rows } = await t.deps.dataPool.query(
    `SELECT count("pieces")::int AS n FROM ${table} WHERE NOT accord_deleted`,
  );
  return rows[0]?.n;
};

test("an answer has what was committed before the question: what is new, changed, merged away and deleted", async () => {
  const { datasetId, table } = await deals();
  expect((await askMirror(datasetId))?.rows).toEqual([
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
    const { answered } = mirror().status();
    expect((await ask(datasetId)).rows).toEqual(rows.map(([x, y0]) => ({ x, y0, other: false })));
    expect(mirror().status().answered).toBe(answered + 1);
  }
}, 180_000);

test("what commits late is not missed, although it began before others that the mirror has", async () => {
  const { datasetId, table } = await deals();
  await askMirror(datasetId, COUNT);
  await withClient(t.deps.dataPool, async (late) => {
    await late.query("BEGIN");
    await late.query(`INSERT INTO ${table} (accord_id, "pieces") VALUES ('late', 1)`);
    await addMany(table, 10);
    expect((await askMirror(datasetId, COUNT))?.rows).toEqual([{ c0: 14 }]);
    await late.query("COMMIT");
  });
  const { answered } = mirror().status();
  expect((await ask(datasetId, COUNT)).rows).toEqual([{ c0: 15 }]);
  expect(mirror().status().answered).toBe(answered + 1);
}, 180_000);

test("answers are never older than the question while others write", async () => {
  const { datasetId, table } = await deals();
  await askMirror(datasetId, COUNT);
  for (let round = 0; round < 20; round += 1) {
    const writing = addMany(table, 50);
    const before = await total(table);
    const [found] = (await ask(datasetId, COUNT)).rows;
    await writing;
    const after = await total(table);
    expect(Number(found?.["c0"])).toBeGreaterThanOrEqual(before);
    expect(Number(found?.["c0"])).toBeLessThanOrEqual(after);
  }
  expect((await askMirror(datasetId, COUNT))?.rows).toEqual([{ c0: await total(table) }]);
}, 180_000);

test("a value that the mirror can't keep exactly leaves its column to PostgreSQL", async () => {
  const { datasetId, table } = await deals();
  await askMirror(datasetId);
  await t.deps.dataPool.query(`UPDATE ${table} SET "amount" = 'NaN' WHERE "status" = 'open'`);
  // The first question finds the value, those after it know of it.
  expect((await ask(datasetId)).rows[0]).toMatchObject({ x: "open", y0: "NaN" });
  const before = refused("column_unfit");
  expect((await ask(datasetId)).rows[0]).toMatchObject({ x: "open", y0: "NaN" });
  expect(refused("column_unfit")).toBe(before + 1);
}, 180_000);

test("killed while it copies and while it answers, the mirror is begun again; its broken file is none", async () => {
  const { datasetId, table } = await deals();
  await addMany(table, 60_000);
  const expected = [{ c0: await total(table) }];
  expect((await ask(datasetId, COUNT)).rows).toEqual(expected);
  for (const isCopying of [true, false]) {
    if (isCopying)
      await expect
        .poll(
          () =>
            mirror()
              .status()
              .tables.find(({ table: name }) => table.includes(name))?.state,
          { interval: 5, timeout: 20_000 },
        )
        .toBe("building");
    const { pid } = mirror();
    if (pid !== undefined) process.kill(pid, "SIGKILL");
    expect((await ask(datasetId, COUNT)).rows).toEqual(expected);
    expect((await askMirror(datasetId, COUNT))?.rows).toEqual(expected);
  }
  const folder = join(mirrorFolder(home), instanceSchema(t.instanceId));
  expect(await readdir(folder)).toContain("mirror.duckdb");
  const { pid } = mirror();
  await truncate(join(folder, "mirror.duckdb"), 100);
  if (pid !== undefined) process.kill(pid, "SIGKILL");
  expect((await askMirror(datasetId, COUNT))?.rows).toEqual(expected);
}, 180_000);

test("beyond its limit of the disk the mirror leaves the table to PostgreSQL, and says so", async () => {
  const cramped = await testApp({ config: { home: join(home, "cramped"), mirror: { ...settings, diskMb: 1 } } });
  const whole = t;
  t = cramped;
  try {
    const { datasetId, table } = await deals();
    await addMany(table, 150_000);
    await expect
      .poll(
        async () => (
          await ask(datasetId, { xaxis: { column: "pieces", name: "pieces", displayFormat: "text" } }),
          refused("disk_limit")
        ),
        {
          timeout: 30_000,
        },
      )
      .toBeGreaterThan(0);
    expect((await ask(datasetId, COUNT)).rows).toEqual([{ c0: await total(table) }]);
    expect(mirror().status().tables).toMatchObject([{ state: "disk_limit" }]);
  } finally {
    t = whole;
    await cramped.close();
  }
}, 180_000);

test("each instance has a file of its own, and sees no other", async () => {
  const other = { ...t, instanceId: await t.build.instance({ name: "other" }) };
  const place: Place = { organisationId: other.organisationId, instanceId: other.instanceId };
  const [mine, theirs] = [await deals(), await deals(place)];
  await t.deps.dataPool.query(`UPDATE ${theirs.table} SET "status" = 'theirs'`);
  await askMirror(mine.datasetId);
  expect((await askMirror(theirs.datasetId, {}, place))?.rows).toMatchObject([{ x: "theirs" }]);
  expect((await askMirror(mine.datasetId))?.rows.map(({ x }) => x)).not.toContain("theirs");
  expect(await readdir(mirrorFolder(home))).toEqual(
    expect.arrayContaining([instanceSchema(t.instanceId), instanceSchema(place.instanceId)]),
  );
}, 180_000);

test("it says which entities of the instance it has copied", async () => {
  const { datasetId, table } = await deals();
  await askMirror(datasetId);
  const status = await t.as("SYNC_MANAGER").call(getMirrorStatus);
  expect(status.state).toBe("ready");
  const apiName = /r_(\w+)/.exec(table)?.[1];
  await expect
    .poll(async () =>
      (await t.as("SYNC_MANAGER").call(getMirrorStatus)).entities.find((one) => one.apiName === apiName),
    )
    .toEqual({ apiName, state: "ready", records: 4 });
}, 180_000);

test("few records are left to PostgreSQL", async () => {
  const { datasetId } = await deals();
  settings.minRecords = 1_000;
  try {
    const { answered, refused: before } = mirror().status();
    await ask(datasetId);
    expect(mirror().status()).toMatchObject({ answered, refused: before });
  } finally {
    settings.minRecords = 0;
  }
}, 180_000);

test("switched off, PostgreSQL answers, and changes are noted no more", async () => {
  const { datasetId, table } = await deals();
  await askMirror(datasetId);
  const off = { ...t.deps, config: { ...t.deps.config, mirror: { ...settings, isOn: false } } };
  const triggers = async () =>
    (await t.deps.dataPool.query("SELECT FROM pg_trigger WHERE tgname LIKE 'accord\\_mirror\\_%'")).rowCount;
  expect(await triggers()).toBeGreaterThan(0);
  const { mirrorModule } = await import("../../mirror-module.ts");
  const module = mirrorModule(off, {
    timeoutMs: 1_000,
    parallel: 2,
    parallelPerInstance: 1,
    workMemMb: 4,
    waiting: 1,
    maxBytes: 1_000,
    allowsSql: false,
  });
  expect(module.mirror).toBeNull();
  await module.start?.();
  expect(await triggers()).toBe(0);
  // Copies that nothing is noted for any more are not answered from.
  await t.deps.dataPool.query(`UPDATE ${table} SET "status" = 'changed'`);
  expect((await ask(datasetId)).rows).toMatchObject([{ x: "changed" }]);
  expect(await stopCapture(t.deps.dataPool)).toBe(true);
}, 60_000);
