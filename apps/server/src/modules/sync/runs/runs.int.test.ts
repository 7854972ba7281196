/** Two systems kept in agreement on real PostgreSQL: quiet when nothing changes, right after workers were killed. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../../../../test-kit/database.ts";
import { contactsIn, editOutside, ENTITY, INSTANCE, makeSyncWorld, SYSTEMS } from "../../../../test-kit/sync-world.ts";
import type { Pool } from "../../../platform/db/db.ts";

const PROGRAM = new URL("../../../../test-kit/programs/sync-worker.ts", import.meta.url);
const workers = new Set<ChildProcess>();

async function startWorker(database: TestDatabase): Promise<ChildProcess> {
  const worker = fork(PROGRAM, [database.dataUrl]);
  workers.add(worker);
  await once(worker, "message");
  return worker;
}

async function kill(worker: ChildProcess): Promise<void> {
  const ended = once(worker, "exit");
  worker.kill("SIGKILL");
  await ended;
  workers.delete(worker);
}

const insert = (pool: Pool, name: (typeof SYSTEMS)[number], email: string, by: string): Promise<void> =>
  editOutside(pool, name, "INSERT INTO $table (email, name, phone, note) VALUES ($1, $2, $3, $4)", [
    email,
    `${by} name`,
    `${by} phone`,
    `${by} note`,
  ]);

interface Counts {
  ledger: number;
  writes: number;
  finished: number;
  outstanding: number;
}

async function counts(pool: Pool): Promise<Counts> {
  const { rows } = await pool.query(
    `SELECT (SELECT count(*) FROM "i_${INSTANCE}".ledger)::int AS ledger,
            (SELECT coalesce(sum(writes), 0) FROM (SELECT writes FROM outside.a UNION ALL SELECT writes FROM outside.b) w)::int
              + (SELECT count(key) FROM (SELECT key FROM outside.a UNION ALL SELECT key FROM outside.b) k)::int AS writes,
            (SELECT last_value FROM sync_cycle_number)::int AS finished,
            (SELECT count(*) FROM "i_${INSTANCE}".delivery WHERE NOT parked)::int AS outstanding`,
  );
  return rows[0];
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Wakes the worker again and again until `enough`; fails after about a minute. */
async function until(pool: Pool, enough: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    if (await enough()) return;
    await pool.query("UPDATE sync_pipeline SET poked = true, due_at = now() WHERE pipeline_id = $1", [ENTITY]);
    await pool.query("NOTIFY accord_sync");
    await pause(200);
  }
  throw new Error(`did not come to rest: ${JSON.stringify(await counts(pool))}`);
}

/** Until `cycles` cycles in a row changed nothing. */
async function settled(pool: Pool, cycles: number): Promise<Counts> {
  let last = await counts(pool);
  await until(pool, async () => {
    const now = await counts(pool);
    const isSame = now.ledger === last.ledger && now.writes === last.writes && now.outstanding === 0;
    if (!isSame) last = now;
    return isSame && now.finished >= last.finished + cycles;
  });
  return last;
}

async function inAgreement(pool: Pool): Promise<Map<string, string>> {
  const core = await contactsIn(pool, "core");
  for (const name of SYSTEMS) expect(await contactsIn(pool, name)).toEqual(core);
  return core;
}

async function inWorld(story: (database: TestDatabase) => Promise<void>): Promise<void> {
  const database = await testDatabase();
  try {
    await makeSyncWorld(database.data.pool);
    await story(database);
  } finally {
    for (const worker of workers) await kill(worker);
    await database.drop();
  }
}

test("two systems that sync both ways agree, and stay quiet over ten further cycles", () =>
  inWorld(async (database) => {
    const { pool } = database.data;
    for (let index = 0; index < 30; index += 1) await insert(pool, "a", `p${index}@example.com`, "a");
    for (let index = 15; index < 45; index += 1) await insert(pool, "b", `P${index}@example.com`, "b");
    await startWorker(database);
    const before = await settled(pool, 2);
    expect((await inAgreement(pool)).size).toBe(45);

    const after = await settled(pool, 10);
    expect(after).toEqual({ ...before, finished: expect.any(Number) });
  }));

test("the same batch read again makes no second ledger row and no second delivery", () =>
  inWorld(async (database) => {
    const { pool } = database.data;
    for (let index = 0; index < 20; index += 1) await insert(pool, "a", `p${index}@example.com`, "a");
    await startWorker(database);
    const before = await settled(pool, 2);
    await pool.query(`DELETE FROM "i_${INSTANCE}".source_position`);
    const after = await settled(pool, 4);
    expect(after).toEqual({ ...before, finished: expect.any(Number) });
  }));

test("an edit in either system reaches the other, and a deletion too", () =>
  inWorld(async (database) => {
    const { pool } = database.data;
    await insert(pool, "a", "one@example.com", "a");
    await insert(pool, "b", "two@example.com", "b");
    await startWorker(database);
    await settled(pool, 2);
    const edit = "UPDATE $table SET name = $2, change = nextval('outside.change') WHERE email = $1";
    await editOutside(pool, "b", edit, ["one@example.com", "from b"]);
    await editOutside(pool, "a", edit, ["two@example.com", "from a"]);
    await settled(pool, 2);
    const core = await inAgreement(pool);
    expect(JSON.parse(core.get("one@example.com") ?? "[]")[0]).toBe("from b");
    expect(JSON.parse(core.get("two@example.com") ?? "[]")[0]).toBe("from a");

    await editOutside(
      pool,
      "a",
      "UPDATE $table SET deleted = true, change = nextval('outside.change') WHERE email = $1",
      ["two@example.com"],
    );
    await settled(pool, 2);
    expect([...(await inAgreement(pool)).keys()]).toEqual(["one@example.com"]);
  }));

/** Kills the worker, and lets its lease end: nobody waits half a minute in a test. */
async function killUnderWay(pool: Pool, worker: ChildProcess): Promise<void> {
  await kill(worker);
  await pool.query("UPDATE sync_pipeline SET lease_until = now() WHERE owner IS NOT NULL");
}

test("workers killed with -9 and connections cut under load lose nothing and double nothing", () =>
  inWorld(async (database) => {
    const { pool } = database.data;
    for (let index = 0; index < 150; index += 1) await insert(pool, "a", `p${index}@example.com`, "a");
    for (let index = 100; index < 250; index += 1) await insert(pool, "b", `p${index}@example.com`, "b");
    const expected = new Map<string, string>();
    for (let round = 0; round < 10; round += 1) {
      const worker = await startWorker(database);
      for (let edit = 0; edit < 4; edit += 1) {
        const email = `p${round * 20 + edit}@example.com`;
        const name = `edit ${round}.${edit}`;
        // A contact is edited where it surely exists already.
        const where = round * 20 + edit < 150 ? "a" : "b";
        await editOutside(
          pool,
          where,
          "UPDATE $table SET name = $2, change = nextval('outside.change') WHERE email = $1",
          [email, name],
        );
        // Those that only one system had at first were edited by nobody else.
        if (round * 20 + edit < 100) expected.set(email, name);
        await pause(60);
      }
      if (round % 3 === 2) {
        await pool.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'sync-worker'",
        );
        await pause(80);
      }
      await killUnderWay(pool, worker);
    }
    await startWorker(database);
    await settled(pool, 3);
    const core = await inAgreement(pool);
    expect(core.size).toBe(250);
    const { rows } = await pool.query(`SELECT count(*)::int AS count FROM "i_${INSTANCE}".quarantine`);
    expect(rows[0].count).toBe(0);
    for (const [email, name] of expected)
      expect([email, JSON.parse(core.get(email) ?? "[]")[0]]).toEqual([email, name]);
  }));
