/** A process is notified when a pipeline is due, on a connection of its own that is replaced when it breaks. */
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../../../../test-kit/database/database.ts";
import { openDatabase } from "../../../../../platform/db/db.ts";
import { makeLog } from "../../../../../platform/log/log.ts";
import { WAKE_CHANNEL } from "../cycle-requests.store.ts";
import { listenForWork } from "./work-listener.store.ts";

async function listening() {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { pool } = database.data;
  const log = makeLog({ logLevel: "silent" });
  const own = openDatabase({ url: database.dataUrl, name: "listener", connections: 2, log });
  let received = 0;
  const stop = await listenForWork(own.pool, log, () => (received += 1));
  onTestFinished(() => own.close());
  const wake = () => pool.query(`NOTIFY ${WAKE_CHANNEL}`);
  /** Processes of PostgreSQL that listen. */
  const listeners = async (): Promise<number[]> => {
    const { rows } = await pool.query(
      `SELECT pid FROM pg_stat_activity WHERE query = 'LISTEN ${WAKE_CHANNEL}' AND datname = current_database()`,
    );
    return rows.map(({ pid }) => pid);
  };
  return { pool, own, stop, wake, listeners, received: () => received };
}

test("it receives each notification once, until it stops", async () => {
  const { own, stop, wake, listeners, received } = await listening();
  await wake();
  await expect.poll(received).toBe(1);
  await wake();
  await expect.poll(received).toBe(2);
  expect(await listeners()).toHaveLength(1);
  await stop();
  await expect.poll(listeners).toEqual([]);
  expect(own.pool.totalCount, "its connection is closed").toBe(0);
  await wake();
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect([received(), await listeners()]).toEqual([2, []]);
});

test("it listens again after its connection broke, on one new connection", async () => {
  const { pool, stop, wake, listeners, received } = await listening();
  const [first] = await listeners();
  await pool.query("SELECT pg_terminate_backend($1)", [first]);
  await expect.poll(listeners).not.toContain(first);
  await expect.poll(async () => (await listeners()).length).toBe(1);
  await wake();
  await expect.poll(received).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect([received(), (await listeners()).length]).toEqual([1, 1]);
  await stop();
});

test("one that stops while its connection is broken connects no more", async () => {
  const { pool, stop, listeners } = await listening();
  const [first] = await listeners();
  await pool.query("SELECT pg_terminate_backend($1)", [first]);
  await expect.poll(listeners).toEqual([]);
  await stop();
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(await listeners()).toEqual([]);
});
