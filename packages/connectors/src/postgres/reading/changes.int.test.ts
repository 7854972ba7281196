/** Changes of tables are found whatever their time stamps, clocks and transactions, once each, and cheaply. */
import type { Connection, Cursor, ReadRequest, SourceRecord } from "@accord/connector-sdk";
import { connectTo, entityNamed, readToEnd } from "@accord/connector-sdk/test-kit";
import type { EntitySchema } from "@accord/contracts/data/schema";
import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { startPostgresServer, type PostgresServer } from "../../../test-systems/postgres-server.ts";
import { postgresConnector } from "../index.ts";

let server: PostgresServer;
let client: pg.Client;

beforeAll(async () => {
  server = await startPostgresServer();
  client = await server.client();
  client.on("error", () => {});
}, 60_000);
afterAll(async () => {
  await client?.end();
  await server?.stop();
});

/** A session of its own, ended with the test. */
async function session(): Promise<pg.Client> {
  const opened = await server.client();
  opened.on("error", () => {});
  onTestFinished(() => opened.end());
  return opened;
}

const connect = (clockAheadMs = 0): Connection =>
  connectTo(postgresConnector, {
    config: { host: "127.0.0.1", port: server.port, database: "postgres", encryption: "none" },
    credentials: { username: "postgres", password: server.password },
    world: { now: () => new Date(Date.now() + clockAheadMs) },
  });

/** A reader that goes on from where it stopped, as the engine does. */
async function readerOf(table: string, options: { since?: Date; clockAheadMs?: number; pageSize?: number } = {}) {
  let connection = connect(options.clockAheadMs);
  onTestFinished(() => connection.close());
  const entity: EntitySchema = await entityNamed(connection, table);
  let cursor: Cursor | null = null;
  const { pageSize = 1_000 } = options;
  return {
    /** Sessions that end tell the counters of their tables. */
    async reconnect() {
      await connection.close();
      connection = connect(options.clockAheadMs);
    },
    async read(request: Partial<ReadRequest> = {}): Promise<SourceRecord[]> {
      const since = request.since ?? options.since;
      const pass = await readToEnd(connection, { entity, cursor, pageSize, ...(since && { since }), ...request });
      cursor = pass.cursor;
      return pass.records;
    },
    cursor: () => cursor,
  };
}
const ids = (records: readonly SourceRecord[]) => records.map(({ id }) => id).toSorted();

beforeEach(async () => {
  await client.query(`DROP TABLE IF EXISTS stamped, bare;
    CREATE TABLE stamped (id int PRIMARY KEY, name text, updated_at timestamptz DEFAULT now());
    CREATE TABLE bare (id int PRIMARY KEY, name text);
    INSERT INTO stamped SELECT n, 'as it was', now() - interval '1 year' FROM generate_series(1, 10) n;
    INSERT INTO bare SELECT n, 'as it was' FROM generate_series(1, 10) n`);
});

describe("time stamps", () => {
  test("a change is found whose time stamp was left alone, is old, or went back", async () => {
    const reader = await readerOf("stamped", { since: new Date() });
    expect(await reader.read()).toEqual([]);
    await client.query("UPDATE stamped SET name = 'raw' WHERE id = 1");
    await client.query("INSERT INTO stamped VALUES (11, 'imported', now() - interval '2 days')");
    await client.query("UPDATE stamped SET name = 'restored', updated_at = now() - interval '3 years' WHERE id = 3");
    expect(ids(await reader.read())).toEqual(["1", "11", "3"]);
    expect(await reader.read()).toEqual([]);
  });

  test("a later beginning of history, as of a new version, hides nothing from a reader that has a position", async () => {
    const reader = await readerOf("stamped", { since: new Date() });
    await reader.read();
    await client.query("UPDATE stamped SET name = 'while paused', updated_at = now() WHERE id = 3");
    await client.query("INSERT INTO stamped VALUES (12, 'while paused', now())");
    expect(ids(await reader.read({ since: new Date(Date.now() + 60_000) }))).toEqual(["12", "3"]);
  });

  test("the first read brings what changed since history begins, though the source's clock is slow", async () => {
    const clockAheadMs = 600_000;
    const since = new Date(Date.now() + clockAheadMs);
    await client.query("UPDATE stamped SET name = 'new', updated_at = now() WHERE id = 2");
    const reader = await readerOf("stamped", { since, clockAheadMs });
    expect(ids(await reader.read())).toEqual(["2"]);
    await client.query("UPDATE stamped SET name = 'newer', updated_at = now() WHERE id = 4");
    expect(ids(await reader.read())).toEqual(["4"]);
  });

  test("a table without time stamps begins where it is first looked at; without a beginning, with all there is", async () => {
    const reader = await readerOf("bare", { since: new Date() });
    expect(await reader.read()).toEqual([]);
    await client.query("UPDATE bare SET name = 'new' WHERE id = 2");
    expect(ids(await reader.read())).toEqual(["2"]);
    const other = await readerOf("bare");
    expect(await other.read()).toHaveLength(10);
  });

  test("a position of an earlier version of the product goes on without a gap", async () => {
    const connection = connect();
    const entity = await entityNamed(connection, "stamped");
    const { rows } = await client.query(`SELECT 'stamped'::regclass::oid::text AS oid,
      pg_snapshot_xmin(pg_current_snapshot())::text AS transaction, clock_timestamp()::text AS time`);
    await client.query("UPDATE stamped SET name = 'raw' WHERE id = 1");
    const pass = await readToEnd(connection, { entity, cursor: { seen: rows[0], pass: null }, pageSize: 10 });
    expect(ids(pass.records)).toEqual(["1"]);
    await connection.close();
  });
});

describe("transactions", () => {
  test("an open transaction anywhere costs no repeated reading, and its own rows come once it commits", async () => {
    const reader = await readerOf("stamped");
    await reader.read();
    const slow = await session();
    await slow.query("BEGIN; SAVEPOINT a; UPDATE stamped SET name = 'late' WHERE id = 1; RELEASE a; SAVEPOINT b");
    await slow.query("UPDATE stamped SET name = 'later' WHERE id = 2");
    await client.query("INSERT INTO stamped SELECT n, 'bulk' FROM generate_series(101, 600) n");
    expect(await reader.read()).toHaveLength(500);
    await client.query("UPDATE stamped SET name = 'between' WHERE id = 5");
    expect(ids(await reader.read())).toEqual(["5"]);
    expect(await reader.read()).toEqual([]);
    await slow.query("COMMIT");
    expect(ids(await reader.read())).toEqual(["1", "2"]);
    expect(await reader.read()).toEqual([]);
  });

  test("more changes than a page come in pages, few of many rows and nearly all", async () => {
    await client.query("INSERT INTO bare SELECT n, 'more' FROM generate_series(11, 3000) n");
    const reader = await readerOf("bare", { pageSize: 100 });
    expect(await reader.read()).toHaveLength(3_000);
    await client.query("UPDATE bare SET name = 'changed' WHERE id % 7 = 0");
    expect(new Set(ids(await reader.read())).size).toBe(428);
    expect(await reader.read()).toEqual([]);
  });

  test("commits, savepoints, rollbacks and long transactions race with reading, and nothing is missed", async () => {
    await client.query("INSERT INTO bare SELECT n, '' FROM generate_series(11, 400) n");
    const reader = await readerOf("bare", { pageSize: 50 });
    const known = new Map<string, string>();
    const note = (records: SourceRecord[]) =>
      records.forEach(({ id, values }) => known.set(id, String(values["name"])));
    note(await reader.read());
    const writers = Array.from({ length: 4 }, (_, index) => writeAtRandom(index, 70));
    let isOver = false;
    const all = Promise.all(writers).finally(() => (isOver = true));
    let passes = 0;
    while (!isOver) {
      note(await reader.read());
      passes += 1;
    }
    await all;
    note(await reader.read());
    const { rows } = await client.query("SELECT id::text, name FROM bare");
    const missed = rows.filter(({ id, name }) => known.get(id) !== name);
    expect(missed).toEqual([]);
    expect(passes).toBeGreaterThan(5);
    expect(await reader.read()).toEqual([]);
  });
});

/** A session that changes rows of its own in every way a transaction may take. */
async function writeAtRandom(writer: number, transactions: number): Promise<void> {
  const writing = await server.client();
  let seed = writer + 1;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const change = () =>
    writing.query("UPDATE bare SET name = $2 WHERE id = $1", [1 + writer * 100 + random(100), `${writer}/${seed}`]);
  for (let count = 0; count < transactions; count += 1) {
    await writing.query("BEGIN");
    for (let step = random(5); step >= 0; step -= 1) {
      await writing.query("SAVEPOINT s");
      await change();
      if (random(3) === 0) await writing.query("ROLLBACK TO s");
      else if (random(2) === 0) await writing.query("RELEASE s");
      if (random(8) === 0) await writing.query(`SELECT pg_sleep(${random(100) / 1000})`);
    }
    await writing.query(random(6) === 0 ? "ROLLBACK" : "COMMIT");
  }
  await writing.end();
}

describe("a large table", () => {
  beforeAll(async () => {
    await client.query(`CREATE TABLE large (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), name text, filler text);
      INSERT INTO large (name, filler) SELECT 'n' || n, repeat('x', 200) FROM generate_series(1, 200000) n;
      CREATE TABLE other (n int)`);
    await client.query("VACUUM ANALYZE large");
  }, 120_000);

  beforeEach(async () => {
    // Told by the session that inserted them, a while later.
    const inserted = "SELECT n_tup_ins::int AS n FROM pg_stat_user_tables WHERE relname = 'large'";
    for (let told = 0; told !== 200_000; await pause(100)) told = (await client.query(inserted)).rows[0]?.n;
  });

  const unrelated = () => client.query("INSERT INTO other VALUES (1)");
  /** Statements that have read the table through; a session that ends tells its counters. */
  const scans = async (reader: { reconnect(): Promise<void> }): Promise<number> => {
    await reader.reconnect();
    const sessions = "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'accord'";
    await expect.poll(async () => (await client.query(sessions)).rows[0].n).toBe(0);
    const { rows } = await client.query("SELECT seq_scan::int AS n FROM pg_stat_user_tables WHERE relname = 'large'");
    return rows[0].n;
  };

  test("is not read again while only other tables change, and read at once when it changes", async () => {
    const reader = await readerOf("large", { since: new Date() });
    await reader.read();
    await unrelated();
    await reader.read();
    const before = await scans(reader);
    expect(before).toBeGreaterThan(0);
    for (let poll = 0; poll < 5; poll += 1) {
      await unrelated();
      expect(await reader.read()).toEqual([]);
    }
    expect(await scans(reader)).toBe(before);
    await client.query("UPDATE large SET name = 'changed' WHERE id = (SELECT id FROM large LIMIT 1)");
    await expect.poll(async () => (await reader.read()).length).toBe(1);
  }, 60_000);

  test("more than 40,000 changes come once each, without the table being read for each page", async () => {
    const reader = await readerOf("large", { since: new Date(), pageSize: 2_000 });
    await reader.read();
    await client.query("UPDATE large SET name = 'one of many' WHERE id IN (SELECT id FROM large LIMIT 50000)");
    await client.query("SELECT pg_stat_force_next_flush()");
    const { rows } = await client.query("SELECT seq_scan::int AS n FROM pg_stat_user_tables WHERE relname = 'large'");
    const found: string[] = [];
    for (let tries = 0; found.length === 0 && tries < 100; tries += 1) {
      found.push(...ids(await reader.read()));
      if (found.length === 0) await pause(200);
    }
    expect([found.length, new Set(found).size]).toEqual([50_000, 50_000]);
    // One to find that there are many, one to count them; before that perhaps one that came too early.
    expect((await scans(reader)) - rows[0].n).toBeLessThanOrEqual(3);
    await client.query("VACUUM large");
  }, 90_000);

  test("a change whose session never tells its counters is found all the same", async () => {
    const reader = await readerOf("large", { since: new Date() });
    await reader.read();
    await unrelated();
    await reader.read();
    const chained = await session();
    await chained.query("BEGIN");
    await chained.query("UPDATE large SET name = 'chained' WHERE id = (SELECT id FROM large OFFSET 5 LIMIT 1)");
    await chained.query("COMMIT AND CHAIN");
    await chained.query("SELECT 1");
    await expect
      .poll(async () => (await reader.read()).map(({ values }) => values["name"]), { timeout: 60_000, interval: 500 })
      .toEqual(["chained"]);
    await chained.query("COMMIT");
  }, 90_000);

  test("a crash that loses the counters loses no change", async () => {
    const reader = await readerOf("large", { since: new Date() });
    await reader.read();
    await unrelated();
    await reader.read();
    await client.query("UPDATE large SET name = 'before the crash' WHERE id = (SELECT id FROM large OFFSET 9 LIMIT 1)");
    await server.crash();
    client = await server.client();
    client.on("error", () => {});
    await expect
      .poll(async () => (await reader.read()).map(({ values }) => values["name"]))
      .toEqual(["before the crash"]);
  }, 90_000);
});
