/** A column that is dropped and made anew while a page is read, in a real PostgreSQL: its values are known as the old one's. */
import { type Connection, type ReadPage } from "@accord/connector-sdk";
import { connectTo, entityNamed } from "@accord/connector-sdk/test-kit";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startPostgresServer, type PostgresServer } from "../../../test-systems/postgres-server.ts";
import { postgresConnector } from "../index.ts";

let server: PostgresServer;
let client: pg.Client;
let connection: Connection;

beforeAll(async () => {
  server = await startPostgresServer();
  client = await server.client();
  connection = connectTo(postgresConnector, {
    config: { host: "127.0.0.1", port: server.port, database: "postgres", encryption: "none" },
    credentials: { username: "postgres", password: server.password },
  });
}, 60_000);
afterAll(async () => {
  await connection?.close();
  await client?.end();
  await server?.stop();
});

const ROWS = 2_000;
const FIELDS = ["code", "phone", "naïve 'Ünit'"];

async function read(cursor: ReadPage["cursor"] = null): Promise<ReadPage> {
  const found = await entityNamed(connection, "customer");
  // Of a view, people choose the id.
  const fields = found.fields.map((field) => (field.apiName === "code" ? { ...field, isIdField: true } : field));
  const entity = { ...found, fields };
  return connection.read({ entity, fields: FIELDS, cursor, mode: "changes", pageSize: ROWS });
}

/** Numbers of columns, by what the catalogue says. */
async function numbers(): Promise<Record<string, string>> {
  const { rows } = await client.query(
    "SELECT attname, attnum::text FROM pg_attribute WHERE attrelid = 'customer'::regclass AND attname = ANY ($1)",
    [FIELDS],
  );
  return Object.fromEntries(rows.map(({ attname, attnum }) => [attname, attnum]));
}

/** Waits until so many sessions wait for the table. */
async function untilWaiting(count: number): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const { rows } = await client.query(
      "SELECT count(*)::int AS n FROM pg_locks WHERE relation = 'customer'::regclass AND NOT granted",
    );
    if (rows[0].n >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`never waited for the table: ${count}`);
}

const HOLD = "BEGIN; LOCK TABLE customer IN ACCESS EXCLUSIVE MODE";

/** Lets the reader on, statement by statement, until it waits to read its rows; answers who holds the table then. */
async function handOnUntilRows([holder, next]: readonly [pg.Client, pg.Client]): Promise<pg.Client> {
  await untilWaiting(1);
  const { rows } = await client.query("SELECT query FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
  if (String(rows[0]?.query).includes('FROM "public"."customer" t')) return holder;
  const taking = next.query(HOLD);
  await untilWaiting(2);
  await holder.query("COMMIT");
  await taking;
  return handOnUntilRows([next, holder]);
}

test("a page says the numbers of the columns whose values it has, whatever becomes of them while it is on its way", async () => {
  const holders: [pg.Client, pg.Client] = [await server.client(), await server.client()];
  const changer = await server.client();
  try {
    for (let round = 0; round < 5; round += 1) {
      await client.query(`DROP TABLE IF EXISTS customer;
        CREATE TABLE customer (code text PRIMARY KEY, phone text, "naïve 'Ünit'" text, note text);
        INSERT INTO customer SELECT 'c' || n, 'phone ' || n, repeat('x', 500), 'n' FROM generate_series(1, ${ROWS}) n`);
      const before = await numbers();
      expect((await read()).fieldIds, "of a table that is left alone").toEqual(before);
      const entity = await entityNamed(connection, "customer");
      await holders[0].query(HOLD);
      const request = { entity, fields: FIELDS, cursor: null, mode: "changes" as const };
      const reading = connection.read({ ...request, pageSize: ROWS });
      const last = await handOnUntilRows(holders);
      const changing = changer.query("ALTER TABLE customer DROP COLUMN phone, ADD COLUMN phone text");
      await untilWaiting(2);
      await last.query("COMMIT");
      const page = await reading;
      await changing;
      const after = await numbers();
      expect(after["phone"]).not.toBe(before["phone"]);
      expect(page.records[0]?.values["phone"], "of the old column").toMatch(/^phone /u);
      expect(page.fieldIds).toEqual(before);
      expect((await read()).fieldIds).toEqual(after);
    }
  } finally {
    for (const holder of holders) await holder.end();
    await changer.end();
  }
}, 60_000);

test("a page without rows says the numbers too, and a view has none", async () => {
  await client.query(
    `DROP TABLE IF EXISTS customer; CREATE TABLE customer (code text PRIMARY KEY, phone text, "naïve 'Ünit'" text)`,
  );
  const page = await read();
  expect([page.records, page.fieldIds]).toEqual([[], await numbers()]);
  await client.query(`ALTER TABLE customer RENAME TO kept; INSERT INTO kept VALUES ('c1', '1', 'x');
    CREATE VIEW customer AS SELECT * FROM kept`);
  const ofView = await read();
  expect(ofView).not.toHaveProperty("fieldIds");
});
