/** Runs every golden statement on a real database and compares with rows worked out by hand. */
import { CASES, CUSTOMER_ROWS, ORDER_ROWS, SHOP_SCHEMA } from "@accord/analytics-engine/golden";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../../test-kit/database/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  const { pool } = database.data;
  await pool.query(`CREATE SCHEMA "${SHOP_SCHEMA}"`);
  await pool.query(`CREATE TABLE "${SHOP_SCHEMA}"."Customer"
    ("accord_id" text COLLATE "C", "name" text, "country" text, "status" text)`);
  await pool.query(`CREATE TABLE "${SHOP_SCHEMA}"."Order" ("accord_id" text COLLATE "C", "customer" text COLLATE "C",
    "status" text, "amount" numeric, "quantity" bigint, "placedAt" timestamptz, "labels" jsonb)`);
  for (const row of CUSTOMER_ROWS)
    await pool.query(`INSERT INTO "${SHOP_SCHEMA}"."Customer" VALUES ($1, $2, $3, $4)`, [...row]);
  for (const row of ORDER_ROWS)
    await pool.query(`INSERT INTO "${SHOP_SCHEMA}"."Order" VALUES ($1, $2, $3, $4, $5, $6, $7)`, [...row]);
}, 60_000);
afterAll(() => database?.drop());

const IDS: Record<string, string> = {
  "filter-tree": "[INS-071] ",
  "join-inner": "[INS-070] ",
  "join-left": "[INS-070] ",
  "join-right": "[INS-070] ",
  "join-full": "[INS-070] ",
  "group-sort-limit": "[INS-067][INS-072] ",
  "dataset-on-dataset": "[INS-066] ",
  calculated: "[INS-069] ",
  "variable-list": "[INS-064] ",
  "variable-group-and-limit": "[INS-074] ",
};

for (const { name, statement, rows } of CASES)
  test(`${IDS[name] ?? ""}${name} gives the rows worked out by hand`, async () => {
    const reply = await database.data.pool.query({ text: statement.text, values: statement.params, rowMode: "array" });
    expect(reply.rows).toEqual(rows);
  });
