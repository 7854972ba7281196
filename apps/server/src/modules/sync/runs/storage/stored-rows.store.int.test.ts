/** Records that a change locks: in one order, so that two changes of the same records never wait for each other. */
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../../../test-kit/database/database.ts";
import { newId, pageOf, storeWorld } from "../../../../../test-kit/replay/store-world.ts";
import { transaction } from "../../../../platform/db/transaction.ts";

test("records are locked oldest first, whatever order they are named in: who waits for one holds no younger one", async () => {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { pool, storage, run, schema } = await storeWorld(database);
  const page = pageOf("a", "b", "c");
  await storage.commit(run, page, newId);
  const [first = "", second = "", third = ""] = page.creates.map(({ recordId }) => recordId).toSorted();
  const records = `${schema}."r_Customer"`;
  const isFree = async (id: string): Promise<boolean> => {
    const { rows } = await pool.query(`SELECT FROM ${records} WHERE accord_id = $1 FOR UPDATE SKIP LOCKED`, [id]);
    return rows.length === 1;
  };
  const waiting = async (): Promise<number> => {
    const { rows } = await pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows.length;
  };
  const locking = Promise.withResolvers<string[]>();
  await transaction(pool, async ({ client }) => {
    await client.query(`SELECT FROM ${records} WHERE accord_id = $1 FOR UPDATE`, [second]);
    void transaction(pool, async (other) => storage.lockRecords(other.client, [third, first, second])).then(
      (rows) => locking.resolve(rows.map(({ recordId }) => recordId)),
      locking.reject,
    );
    await expect.poll(waiting, { timeout: 30_000 }).toBe(1);
    expect([await isFree(first), await isFree(third)]).toEqual([false, true]);
  });
  expect(await locking.promise).toEqual([first, second, third]);
});
