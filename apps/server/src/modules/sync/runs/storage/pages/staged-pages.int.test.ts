/** Pages whose rows go in while the page before is committed: nobody sees them before their turn, and some never come. */
import { setFlagsFromString } from "node:v8";
import { setTimeout } from "node:timers/promises";
import { runInNewContext } from "node:vm";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../../../../test-kit/database/database.ts";
import { CUSTOMER, newId, pageOf, storeWorld } from "../../../../../../test-kit/replay/store-world.ts";
import { runStorage } from "../run-storage.store.ts";

async function world(database: TestDatabase) {
  const { pool, storage, run, schema } = await storeWorld(database);

  /** What everybody sees: external ids by table, and where reading goes on. */
  async function seen() {
    const { rows } = await pool.query(
      `SELECT (SELECT coalesce(json_agg(name ORDER BY name), '[]') FROM ${schema}."r_Customer") AS records,
              (SELECT coalesce(json_agg(external_id ORDER BY external_id), '[]') FROM ${schema}.link) AS links,
              (SELECT coalesce(json_agg(external_id ORDER BY external_id), '[]') FROM ${schema}.ledger) AS ledger,
              (SELECT cursor->>'after' FROM ${schema}.source_position) AS position`,
    );
    return rows[0];
  }
  /** Transactions of this database that wait for their turn. */
  async function waiting(): Promise<number> {
    const { rows } = await pool.query(
      `SELECT count(*)::int AS count FROM pg_stat_activity
       WHERE datname = current_database() AND state LIKE 'idle in transaction%' AND query LIKE '%COPY%'`,
    );
    return rows[0].count;
  }
  return { pool, storage, run, seen, waiting, table: `${schema}."r_Customer"` };
}

const agreeing = (...ids: string[]) => ({ records: ids, links: ids, ledger: ids, position: ids.at(-1) ?? null });
const LONG_TIMEOUT = { timeout: 30_000 };
const DONE = { status: "done", signal: "none" };

test("[F1] a page goes in while the one before is committed, is seen by nobody, and ends when its turn has come", async () => {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { storage, run, seen, waiting } = await world(database);
  const [first, second, third] = [pageOf("a", "b"), pageOf("c"), pageOf("d")];

  const committing = storage.commit(run, first, newId);
  storage.prepare(run, second);
  storage.prepare(run, third);
  expect(await committing).toEqual(DONE);
  await expect.poll(waiting, LONG_TIMEOUT).toBe(2);
  expect(await seen()).toEqual(agreeing("a", "b"));

  expect(await storage.commit(run, second, newId)).toEqual(DONE);
  expect(await seen()).toEqual(agreeing("a", "b", "c"));
  expect(await storage.commit(run, third, newId)).toEqual(DONE);
  expect(await seen()).toEqual(agreeing("a", "b", "c", "d"));
  expect(await waiting()).toBe(0);
});

test("[F1] a page goes in while the one before changes records that it still waits for", async () => {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { pool, storage, run, seen, waiting, table } = await world(database);
  const known = pageOf("a");
  expect(await storage.commit(run, known, newId)).toEqual(DONE);
  const recordId = known.creates[0]?.recordId ?? "";
  const editor = await pool.connect();
  onTestFinished(() => editor.release(true));
  await editor.query(`BEGIN; SELECT FROM ${table} FOR UPDATE`);

  const [changing, second] = [pageOf("b"), pageOf("c")];
  changing.updates.push({ ...{ recordId, expectedVersion: 1, deleted: false }, values: { name: "z" }, origin: {} });
  changing.ledger.push({
    ...{ recordId, externalId: "a", operation: "update", refused: null },
    changes: { name: ["a", "z"] },
  });
  const committing = storage.commit(run, changing, newId);
  storage.prepare(run, second);
  await expect.poll(waiting, LONG_TIMEOUT).toBe(1);
  await editor.query("COMMIT");

  expect(await committing).toEqual(DONE);
  expect(await storage.commit(run, second, newId)).toEqual(DONE);
  expect((await seen()).records).toEqual(["b", "c", "z"]);
});

test("a page that can't be begun keeps none behind it waiting", async () => {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { instanceId, pipelineId, run } = await storeWorld(database);
  const { connectionString } = database.data.pool.options;
  const closed = new pg.Pool({ connectionString });
  await closed.end();
  const storage = runStorage(closed, {
    ...{ instanceId, pipelineId, entityNumber: 1, entity: CUSTOMER },
    referrers: async () => [],
  });
  const committing = storage.commit(run, pageOf("a"), newId);
  storage.prepare(run, pageOf("b"));
  await expect(committing).rejects.toThrow("after calling end");
  const dropped = storage.dropPrepared(run).then(() => "dropped");
  await expect(Promise.race([dropped, setTimeout(5_000, "still waiting")])).resolves.toBe("dropped");
});

test("[F13] [F14] a lease that is lost meanwhile takes every page with it that went in early", async () => {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { pool, storage, run, seen, waiting } = await world(database);
  const [first, second, third] = [pageOf("a"), pageOf("b"), pageOf("c")];

  const committing = storage.commit(run, first, newId);
  storage.prepare(run, second);
  storage.prepare(run, third);
  await committing;
  await expect.poll(waiting, LONG_TIMEOUT).toBe(2);
  await pool.query("UPDATE sync_pipeline SET epoch = epoch + 1");

  expect(await storage.commit(run, second, newId)).toEqual({ status: "lost" });
  expect(await storage.commit(run, third, newId)).toEqual({ status: "lost" });
  expect(await seen()).toEqual(agreeing("a"));
  expect(await waiting()).toBe(0);
});

test("[F1] when a page has to be looked at again, those behind it are taken out and go in once more", async () => {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { storage, run, seen, waiting } = await world(database);
  await storage.commit(run, pageOf("a"), newId);
  const [taken, second, third] = [pageOf("a", "b"), pageOf("c"), pageOf("d")];

  const committing = storage.commit(run, taken, newId);
  storage.prepare(run, second);
  storage.prepare(run, third);
  expect(await committing).toEqual({ status: "conflict" });
  expect(await waiting()).toBe(0);
  expect(await storage.commit(run, pageOf("b"), newId)).toEqual(DONE);
  await expect.poll(waiting, LONG_TIMEOUT).toBe(2);
  expect(await storage.commit(run, second, newId)).toEqual(DONE);
  expect(await storage.commit(run, third, newId)).toEqual(DONE);
  expect(await seen()).toEqual(agreeing("a", "b", "c", "d"));
});

test("[F1] a page that adds nothing goes in at its turn alone; those behind it keep their places and go in beside it", async () => {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { storage, run, seen, waiting } = await world(database);
  const [first, empty, third] = [pageOf("a"), pageOf(), pageOf("c")];

  const committing = storage.commit(run, first, newId);
  storage.prepare(run, empty);
  storage.prepare(run, third);
  expect(await committing).toEqual(DONE);
  expect(await waiting(), "nobody is passed by").toBe(0);
  expect(await storage.commit(run, empty, newId)).toEqual(DONE);
  await expect.poll(waiting, LONG_TIMEOUT).toBe(1);
  expect(await storage.commit(run, third, newId)).toEqual(DONE);
  expect(await seen()).toEqual(agreeing("a", "c"));
});

test("[F1] a page whose connection breaks while it waits is committed all the same, once", async () => {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { pool, storage, run, seen, waiting } = await world(database);
  const [first, second] = [pageOf("a"), pageOf("b")];

  const committing = storage.commit(run, first, newId);
  storage.prepare(run, second);
  await committing;
  await expect.poll(waiting, LONG_TIMEOUT).toBe(1);
  await pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND state LIKE 'idle in transaction%'`);
  await expect.poll(waiting, LONG_TIMEOUT).toBe(0);

  expect(await storage.commit(run, second, newId)).toEqual(DONE);
  expect(await seen()).toEqual(agreeing("a", "b"));
});

test("[F14] a change of the table that comes between two pages waits for the first and lets the second go on", async () => {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { pool, storage, run, seen, waiting, table } = await world(database);
  const [first, second, third] = [pageOf("a"), pageOf("b"), pageOf("c")];
  const isWaiting = async (): Promise<boolean> => {
    const { rows } = await pool.query("SELECT count(*)::int AS count FROM pg_locks WHERE NOT granted");
    return rows[0].count > 0;
  };

  const committing = storage.commit(run, first, newId);
  storage.prepare(run, second);
  await committing;
  await expect.poll(waiting, LONG_TIMEOUT).toBe(1);
  const changing = pool.query(`ALTER TABLE ${table} ADD COLUMN more text`);
  await expect.poll(isWaiting, LONG_TIMEOUT).toBe(true);
  storage.prepare(run, third);

  expect(await storage.commit(run, second, newId)).toEqual(DONE);
  await changing;
  expect(await storage.commit(run, third, newId)).toEqual(DONE);
  expect(await seen()).toEqual(agreeing("a", "b", "c"));
});

test("[F1] a run that ends leaves nothing waiting", async () => {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { pool, storage, run, seen, waiting } = await world(database);
  const committing = storage.commit(run, pageOf("a"), newId);
  storage.prepare(run, pageOf("b"));
  storage.prepare(run, pageOf("c"));
  await committing;
  await storage.dropPrepared(run);
  expect(await waiting()).toBe(0);
  expect(await seen()).toEqual(agreeing("a"));
  // A page that is made ready only now stays out: nobody would ever end it.
  storage.prepare(run, pageOf("d"));
  await pool.query("SELECT pg_sleep(0.3)");
  expect(await waiting()).toBe(0);
});

test("[F1] pages that are through are let go while those behind them go on", async () => {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { storage, run, seen, waiting } = await world(database);
  setFlagsFromString("--expose-gc");
  const collectGarbage: () => void = runInNewContext("gc");
  const ids = Array.from({ length: 12 }, (_, index) => `p${String(index).padStart(2, "0")}`);
  const pages = ids.map((id) => pageOf(id));
  const gone = pages.slice(0, 9).map((page) => new WeakRef(page));

  for (let at = 0; at < ids.length - 1; at += 1) {
    const [page, next] = [pages.shift(), pages[0]];
    if (!page || !next) throw new Error("there are no pages left");
    const committing = storage.commit(run, page, newId);
    storage.prepare(run, next);
    expect(await committing).toEqual(DONE);
  }
  await expect.poll(waiting, LONG_TIMEOUT).toBe(1);
  await expect
    .poll(() => {
      collectGarbage();
      return gone.filter((page) => page.deref()).length;
    }, LONG_TIMEOUT)
    .toBe(0);
  const [last] = pages;
  if (last) await storage.commit(run, last, newId);
  expect(await seen()).toEqual(agreeing(...ids));
});
