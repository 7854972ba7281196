/** Transactions: typed and raw statements together, all or nothing. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase } from "../../../test-kit/database/database.ts";
import { transaction } from "./transaction.ts";

const databases = await testDatabase();
const { pool } = databases.data;
type Tables = { sum: { id: number; value: number } };

beforeAll(async () => {
  await pool.query("CREATE TABLE sum (id integer PRIMARY KEY, value integer NOT NULL)");
});
afterAll(databases.drop);

const count = async (): Promise<number> => (await pool.query("SELECT count(*) FROM sum")).rows[0].count;

test("typed and raw statements are one transaction", async () => {
  await expect(
    transaction(pool, async ({ db, client }) => {
      await db.withTables<Tables>().insertInto("sum").values({ id: 1, value: 1 }).execute();
      await client.query("INSERT INTO sum VALUES (2, 2)");
      expect((await sql<{ count: number }>`SELECT count(*) FROM sum`.execute(db)).rows[0]?.count).toBe(2);
      throw new Error("changed my mind");
    }),
  ).rejects.toThrow("changed my mind");
  expect(await count()).toBe(0);
});

test("a swallowed failure does not pass for a commit", async () => {
  await expect(
    transaction(pool, async ({ client }) => {
      await client.query("INSERT INTO sum VALUES (1, 1)");
      await client.query("SELECT 1 / 0").catch(() => {});
    }),
  ).rejects.toThrow("the transaction was undone");
  expect(await count()).toBe(0);
});

test("work that collides is repeated when it may be", async () => {
  await pool.query("INSERT INTO sum VALUES (1, 0)");
  const addOne = () =>
    transaction(
      pool,
      async ({ client }) => {
        const { rows } = await client.query("SELECT value FROM sum WHERE id = 1");
        await client.query("UPDATE sum SET value = $1 WHERE id = 1", [rows[0].value + 1]);
      },
      { isolation: "serializable", retries: 100 },
    );
  await Promise.all(Array.from({ length: 6 }, addOne));
  expect((await pool.query("SELECT value FROM sum WHERE id = 1")).rows[0].value).toBe(6);
});
