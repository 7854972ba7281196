/** Migrations: in order, once, as a whole or not at all, and never edited afterwards. */
import { createHash } from "node:crypto";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "../../../test-kit/database/database.ts";
import { applyMigrations, type Migration, readMigrations } from "./migrations.ts";

const databases = await testDatabase();
const { pool } = databases.data;
afterAll(databases.drop);

const migration = (name: string, sql: string): Migration => ({
  name,
  sql,
  checksum: createHash("sha256").update(sql).digest("hex"),
});
const CREATE = migration("0001-create", "CREATE TABLE thing (id integer PRIMARY KEY)");
const FILL = migration("0002-fill", "INSERT INTO thing SELECT generate_series(1, 5)");

let schema = "";
let count = 0;
beforeEach(() => {
  schema = `s_${++count}`;
});

const tables = async (): Promise<string[]> =>
  (
    await pool.query("SELECT relname FROM pg_class WHERE relnamespace = $1::regnamespace AND relkind = 'r'", [schema])
  ).rows
    .map((row) => row.relname)
    .toSorted((one, other) => (one < other ? -1 : 1));

test("each migration is applied once, in the order of the numbers", async () => {
  expect(await applyMigrations(pool, [CREATE, FILL], schema)).toEqual(["0001-create", "0002-fill"]);
  expect(await applyMigrations(pool, [CREATE, FILL], schema)).toEqual([]);
  expect((await pool.query(`SELECT count(*) FROM ${schema}.thing`)).rows[0].count).toBe(5);
});

test("servers that start at the same moment take turns", async () => {
  const done = await Promise.all([1, 2, 3].map(() => applyMigrations(pool, [CREATE, FILL], schema)));
  expect(done.flat().toSorted()).toEqual(["0001-create", "0002-fill"]);
});

describe("[F19] a migration of several statements that dies between them", () => {
  const STATEMENTS = [
    "CREATE TABLE one (id integer)",
    "CREATE TABLE two (id integer)",
    "INSERT INTO one VALUES (1)",
    "ALTER TABLE one ADD COLUMN extra text",
  ];

  test.each(STATEMENTS.map((_, index) => index + 1))(
    "leaves the old state when the server is killed after statement %i",
    async (after) => {
      // The backend ends itself, as when the process or the machine dies at this point.
      const sql = STATEMENTS.toSpliced(after, 0, "SELECT pg_terminate_backend(pg_backend_pid())").join(";\n");
      await applyMigrations(pool, [CREATE], schema);
      await expect(applyMigrations(pool, [CREATE, migration("0002-broken", sql)], schema)).rejects.toThrow(/terminat/);
      expect(await tables()).toEqual(["migration", "thing"]);

      await applyMigrations(pool, [CREATE, migration("0002-broken", STATEMENTS.join(";\n"))], schema);
      expect(await tables()).toEqual(["migration", "one", "thing", "two"]);
    },
  );

  test("says which migration failed and why", async () => {
    const broken = migration("0002-broken", `${STATEMENTS.join(";\n")};\nSELECT 1 / 0`);
    await expect(applyMigrations(pool, [broken], schema)).rejects.toThrow(
      "The migration 0002-broken failed and left nothing behind: division by zero",
    );
  });
});

test("a schema that was empty has all migrations or none", async () => {
  const broken = migration("0003-broken", "SELECT 1 / 0");
  await expect(applyMigrations(pool, [CREATE, FILL, broken], schema)).rejects.toThrow(
    "The migration 0003-broken failed and left nothing behind: division by zero",
  );
  expect((await pool.query("SELECT 1 FROM pg_namespace WHERE nspname = $1", [schema])).rowCount).toBe(0);
});

test("an edited migration is refused", async () => {
  await applyMigrations(pool, [CREATE], schema);
  const edited = migration("0001-create", `${CREATE.sql} -- better`);
  await expect(applyMigrations(pool, [edited], schema)).rejects.toThrow(
    "0001-create was edited after it had been applied",
  );
});

test("an older version of Accord refuses the database of a newer one", async () => {
  await applyMigrations(pool, [CREATE, FILL], schema);
  await expect(applyMigrations(pool, [CREATE], schema)).rejects.toThrow("newer version of Accord");
});

test("all migrations of the product have names and numbers of their own", async () => {
  for (const set of ["app", "data", "instance"] as const) await readMigrations(set);
});
