/** Large tables are read through for a part of the time only, whatever happens in them; nothing that changes is lost. */
import type { Connection, Cursor } from "@accord/connector-sdk";
import { connectTo, entityNamed, fieldNames } from "@accord/connector-sdk/test-kit";
import type { EntitySchema } from "@accord/contracts/data/schema";
import type pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startPostgresServer, type PostgresServer } from "../../../test-systems/postgres-server.ts";
import { postgresConnector } from "../index.ts";

const ROWS = 120_000;
const HOUR_MS = 3_600_000;

let server: PostgresServer;
let client: pg.Client;

const FILL = `SELECT n, 'as it was', repeat('x', 200)`;

beforeAll(async () => {
  server = await startPostgresServer();
  client = await server.client();
  client.on("error", () => {});
  await client.query(`CREATE TABLE other (n int);
    CREATE TABLE busy (id int PRIMARY KEY, name text, filler text);
    INSERT INTO busy ${FILL} FROM generate_series(1, ${ROWS}) n;
    CREATE TABLE stamped (id int PRIMARY KEY, name text, filler text, updated_at timestamptz DEFAULT now() - interval '1 year');
    INSERT INTO stamped ${FILL} FROM generate_series(1, ${ROWS}) n;
    CREATE INDEX stamped_updated_at ON stamped (updated_at);
    CREATE TABLE parted (id int PRIMARY KEY, name text, filler text) PARTITION BY RANGE (id);
    CREATE TABLE parted_low PARTITION OF parted FOR VALUES FROM (0) TO (60001);
    CREATE TABLE parted_high PARTITION OF parted FOR VALUES FROM (60001) TO (1000000);
    INSERT INTO parted ${FILL} FROM generate_series(1, ${ROWS}) n`);
  await client.query("VACUUM ANALYZE");
  await client.query("SELECT pg_stat_force_next_flush()");
}, 120_000);
afterAll(async () => {
  await client?.end();
  await server?.stop();
});

interface Reader {
  /** Names of what was read, by id. */
  read(): Promise<Record<string, unknown>>;
  /** The clock goes on; it stands still otherwise. */
  pass(milliseconds: number): void;
  method(): Promise<string | undefined>;
  /** How often the table, with all parts, was read through so far. */
  scans(): Promise<number>;
}

async function readerOf(
  table: string,
  { port = server.port, username = "postgres", password = server.password, statementSeconds = 60, pageSize = 500 } = {},
): Promise<Reader> {
  let now = Date.now();
  const connected = (): Connection =>
    connectTo(postgresConnector, {
      config: { host: "127.0.0.1", port, database: "postgres", encryption: "none", statementSeconds },
      credentials: { username, password },
      world: { now: () => new Date(now) },
    });
  let connection = connected();
  onTestFinished(() => connection.close());
  const entity: EntitySchema = await entityNamed(connection, table);
  let cursor: Cursor = null;
  return {
    async read() {
      const names: Record<string, unknown> = {};
      for (;;) {
        // History begins now: what is there is not read.
        const since = cursor === null ? { since: new Date(now + HOUR_MS) } : {};
        const page = await connection.read({
          entity,
          fields: fieldNames(entity),
          cursor,
          mode: "changes",
          pageSize,
          ...since,
        });
        for (const { id, values } of page.records) names[id] = values["name"];
        cursor = page.cursor;
        if (page.drained) return names;
      }
    },
    pass: (milliseconds) => void (now += milliseconds),
    method: async () => (await connection.changeDetection?.({ entity, reader: "none" }))?.method,
    async scans() {
      await connection.close();
      connection = connected();
      const at = port === server.port ? client : await replicaClient(port);
      const open = "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'accord'";
      await expect.poll(async () => (await at.query(open)).rows[0].n).toBe(0);
      const { rows } = await at.query("SELECT sum(seq_scan)::int AS n FROM pg_stat_user_tables WHERE relname ~ $1", [
        `^${table}(_|$)`,
      ]);
      return rows[0].n;
    },
  };
}

async function replicaClient(port: number): Promise<pg.Client> {
  const { Client } = (await import("pg")).default;
  const made = new Client({
    host: "127.0.0.1",
    port,
    user: "postgres",
    password: server.password,
    database: "postgres",
  });
  made.on("error", () => {});
  await made.connect();
  onTestFinished(() => made.end());
  return made;
}

/** In a session that ends, and so tells the table's counters. */
async function change(sql: string): Promise<void> {
  const session = await server.client();
  await session.query(sql);
  await session.end();
}

/** Has read the table through once, and knows what that costs. */
async function atRest(reader: Reader): Promise<number> {
  await reader.read();
  await change("INSERT INTO other VALUES (1)");
  await reader.read();
  return reader.scans();
}

test("a table that is always written to is read through at intervals, and then all of it has come", async () => {
  const reader = await readerOf("busy");
  expect(await reader.method()).toBe("counters");
  const before = await atRest(reader);
  for (let id = 1; id <= 5; id += 1) {
    await change(`UPDATE busy SET name = 'changed' WHERE id = ${id}`);
    expect(await reader.read()).toEqual({});
  }
  expect(await reader.scans()).toBe(before);
  reader.pass(HOUR_MS);
  expect(Object.keys(await reader.read())).toEqual(["1", "2", "3", "4", "5"]);
  expect(await reader.scans()).toBeGreaterThan(before);
  // Many changes are found in a pass of pages; that counts as a look too.
  await change("UPDATE busy SET name = 'many' WHERE id <= 1200");
  reader.pass(HOUR_MS);
  expect(Object.keys(await reader.read())).toHaveLength(1200);
  const after = await reader.scans();
  await change("UPDATE busy SET name = 'again' WHERE id = 7");
  expect(await reader.read()).toEqual({});
  expect(await reader.scans()).toBe(after);
  reader.pass(HOUR_MS);
  expect(await reader.read()).toEqual({ 7: "again" });
});

test("an index on the watermark brings changes meanwhile, once each; those without a stamp come with the next look", async () => {
  const reader = await readerOf("stamped");
  expect(await reader.method()).toBe("indexedWatermark");
  const before = await atRest(reader);
  await change("UPDATE stamped SET name = 'raw' WHERE id = 99");
  for (const id of [1, 2, 3]) {
    await change(`UPDATE stamped SET name = 'stamped', updated_at = now() WHERE id = ${id}`);
    expect(await reader.read()).toEqual({ [id]: "stamped" });
    await change("INSERT INTO other VALUES (1)");
    expect(await reader.read()).toEqual({});
  }
  // More than a page of them.
  await change("UPDATE stamped SET name = 'many', updated_at = now() WHERE id BETWEEN 1001 AND 2200");
  expect(Object.keys(await reader.read())).toHaveLength(1200);
  expect(await reader.read()).toEqual({});
  expect(await reader.scans()).toBe(before);
  reader.pass(HOUR_MS);
  expect(await reader.read()).toMatchObject({ 99: "raw", 1: "stamped", 1001: "many" });
  expect(await reader.read()).toEqual({});
});

test("a partitioned table counts with all of its parts", async () => {
  const reader = await readerOf("parted");
  expect(await reader.method()).toBe("counters");
  const before = await atRest(reader);
  for (let poll = 0; poll < 5; poll += 1) {
    await change("INSERT INTO other VALUES (1)");
    expect(await reader.read()).toEqual({});
  }
  expect(await reader.scans()).toBe(before);
  await change("UPDATE parted SET name = 'high' WHERE id = 100000; UPDATE parted SET name = 'low' WHERE id = 5");
  reader.pass(HOUR_MS / 60);
  expect(await reader.read()).toEqual({ 5: "low", 100000: "high" });
  await change(`CREATE TABLE parted_more (LIKE parted INCLUDING ALL); INSERT INTO parted_more VALUES (1000001, 'more', '');
    ALTER TABLE parted ATTACH PARTITION parted_more FOR VALUES FROM (1000000) TO (2000000)`);
  reader.pass(HOUR_MS / 60);
  expect(await reader.read()).toEqual({ 1000001: "more" });
});

test("a replica, which tells nothing of its tables, is read through at intervals", async () => {
  await client.end();
  const replica = await server.replica();
  client = await server.client();
  client.on("error", () => {});
  try {
    const reader = await readerOf("busy", { port: replica.port });
    expect(await reader.method()).toBe("intervalScan");
    const follows = async (): Promise<void> => {
      const at = await replicaClient(replica.port);
      const { rows } = await client.query("SELECT pg_current_wal_lsn()::text AS lsn");
      await expect
        .poll(
          async () => (await at.query("SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS ok", [rows[0].lsn])).rows[0].ok,
        )
        .toBe(true);
    };
    await reader.read();
    await change("INSERT INTO other VALUES (1)");
    await follows();
    await reader.read();
    const before = await reader.scans();
    for (let id = 21; id <= 25; id += 1) {
      await change(`UPDATE busy SET name = 'followed' WHERE id = ${id}`);
      await follows();
      expect(await reader.read()).toEqual({});
    }
    expect(await reader.scans()).toBe(before);
    reader.pass(HOUR_MS);
    expect(Object.keys(await reader.read())).toEqual(["21", "22", "23", "24", "25"]);
  } finally {
    await replica.stop();
  }
}, 60_000);

test("a table that can't be read through in the time of one statement is read in windows", async () => {
  // Two milliseconds for each hundredth row: more than two seconds for all, some 0.4 for a window.
  await client.query(`CREATE FUNCTION slow(integer) RETURNS boolean LANGUAGE plpgsql PARALLEL UNSAFE AS
      $$ BEGIN IF $1 % 100 = 0 THEN PERFORM pg_sleep(0.002); END IF; RETURN true; END $$;
    CREATE ROLE slowed LOGIN PASSWORD 'slowed-word'; GRANT SELECT ON busy TO slowed;
    ALTER TABLE busy ENABLE ROW LEVEL SECURITY; CREATE POLICY slowly ON busy FOR SELECT TO slowed USING (slow(id))`);
  const reader = await readerOf("busy", { username: "slowed", password: "slowed-word", statementSeconds: 1 });
  await reader.read();
  for (const name of ["first", "second"]) {
    await change(`UPDATE busy SET name = '${name}' WHERE id IN (3, 60000, 119999)`);
    reader.pass(HOUR_MS);
    expect(await reader.read()).toEqual({ 3: name, 60000: name, 119999: name });
  }
  await change("UPDATE busy SET name = 'third' WHERE id = 4");
  expect(await reader.read()).toEqual({});
}, 120_000);
