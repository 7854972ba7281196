/** Logical replication: every change once and in the form of a SELECT, whatever happens to slot, publication and reader. */
import type { Connection, Cursor, ReadPage, ReadRequest, SourceRecord } from "@accord/connector-sdk";
import { connectTo, entityNamed, fieldNames } from "@accord/connector-sdk/test-kit";
import type { EntitySchema } from "@accord/contracts/data/schema";
import type pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { startPostgresServer, type PostgresServer } from "../../../test-systems/postgres-server.ts";
import { postgresConnector } from "../index.ts";

const READER = "accord_test_reader";
let server: PostgresServer;
let client: pg.Client;

beforeAll(async () => {
  server = await startPostgresServer({ wal_level: "logical", shared_preload_libraries: "pg_stat_statements" });
  client = await server.client();
  client.on("error", () => {});
}, 60_000);
afterAll(async () => {
  await client?.end();
  await server?.stop();
});

beforeEach(async () => {
  await client.query("SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots");
  await client.query(`DROP PUBLICATION IF EXISTS ${READER}`);
  await client.query(`DROP TABLE IF EXISTS item, pair, nokey, parted, other;
    CREATE TABLE item (id int PRIMARY KEY, name text, note text, amount numeric, updated_at timestamptz DEFAULT now());
    ALTER TABLE item ALTER note SET STORAGE EXTERNAL;
    INSERT INTO item SELECT n, 'as it was', NULL, 1.50 FROM generate_series(1, 20) n`);
});

interface Options {
  changes?: "rowVersions" | "replication";
  pageSize?: number;
  username?: string;
}

function connect({ changes = "replication", username = "postgres" }: Options = {}): Connection {
  const connection = connectTo(postgresConnector, {
    config: { host: "127.0.0.1", port: server.port, database: "postgres", encryption: "none", changes },
    credentials: { username, password: server.password },
  });
  onTestFinished(() => connection.close());
  return connection;
}

/** A reader that stores its position after each page, as the engine does. */
async function readerOf(table: string, options: Options = {}) {
  let connection = connect(options);
  const entity: EntitySchema = await entityNamed(connection, table);
  let cursor: Cursor | null = null;
  const pages: ReadPage[] = [];
  const page = async (request: Partial<ReadRequest> = {}): Promise<ReadPage> => {
    const { pageSize = 1_000 } = options;
    const mode = "changes";
    const asked = {
      entity,
      fields: fieldNames(entity),
      cursor,
      committed: cursor,
      mode,
      pageSize,
      reader: READER,
    } as const;
    const answer = await connection.read({ ...asked, ...request });
    cursor = JSON.parse(JSON.stringify(answer.cursor)) as Cursor;
    pages.push(answer);
    return answer;
  };
  return {
    page,
    pages,
    async read(): Promise<SourceRecord[]> {
      for (const records: SourceRecord[] = []; ;) {
        const { records: more, drained } = await page();
        records.push(...more);
        if (drained) return records;
      }
    },
    /** As another process would after a crash; `options` as changed meanwhile. */
    again: (changed: Options = options) => void (connection = connect(changed)),
    cursor: () => cursor,
    connection: () => connection,
  };
}
const ids = (records: readonly SourceRecord[]) =>
  records.map(({ id, deleted }) => (deleted ? `-${id}` : id)).toSorted();
const slots = async () => (await client.query("SELECT slot_name FROM pg_replication_slots")).rows;

describe("changes", () => {
  test("of every kind arrive once, deletions among them, and a change of key as both", async () => {
    const reader = await readerOf("item");
    expect(await reader.read()).toHaveLength(20);
    await client.query("INSERT INTO item (id, name) VALUES (21, 'new'), (22, 'gone at once')");
    await client.query("UPDATE item SET name = 'changed' WHERE id = 2; DELETE FROM item WHERE id IN (3, 22)");
    await client.query("UPDATE item SET id = 40 WHERE id = 4; UPDATE item SET name = 'again' WHERE id = 2");
    const changed = await reader.read();
    expect(ids(changed)).toEqual(["-22", "-3", "-4", "2", "21", "40"]);
    expect(changed.find(({ id }) => id === "2")?.values["name"]).toBe("again");
    expect(await reader.read()).toEqual([]);
  });

  test("of rows whose large values stay as they are come with those values", async () => {
    const note = "long ".repeat(20_000);
    await client.query("UPDATE item SET note = $1 WHERE id = 5", [note]);
    const reader = await readerOf("item");
    await reader.read();
    await client.query("UPDATE item SET name = 'renamed' WHERE id = 5");
    expect(await reader.read()).toMatchObject([{ id: "5", values: { name: "renamed", note } }]);
  });

  test("during the first load are in the log, though the load had passed them", async () => {
    const reader = await readerOf("item", { pageSize: 5 });
    await reader.page();
    await client.query("UPDATE item SET name = 'behind' WHERE id = 1; DELETE FROM item WHERE id IN (2, 19)");
    const late = await server.client();
    onTestFinished(() => late.end());
    await late.query("BEGIN; UPDATE item SET name = 'late' WHERE id = 3");
    const loaded = await reader.read();
    expect(ids(loaded)).not.toContain("1");
    await late.query("COMMIT");
    expect(ids(await reader.read())).toEqual(["-19", "-2", "1", "3"]);
  });

  test("a truncation says that deletions may be missed; rows loaded again in its transaction come", async () => {
    const reader = await readerOf("item");
    await reader.read();
    await client.query("BEGIN; TRUNCATE item; INSERT INTO item (id, name) VALUES (1, 'reloaded'); COMMIT");
    expect(ids(await reader.read())).toEqual(["1"]);
    expect(reader.pages.at(-1)?.missedDeletes).toBe(true);
  });

  test.each([
    [
      "one transaction",
      "BEGIN; DELETE FROM item; INSERT INTO item (id, name) SELECT n, 'again' FROM generate_series(2, 21) n; COMMIT",
    ],
    ["several", "DELETE FROM item; INSERT INTO item (id, name) SELECT n, 'again' FROM generate_series(2, 21) n"],
  ])("of rows that are deleted and entered again in %s come as they stand, with what is gone", async (_, sql) => {
    const reader = await readerOf("item");
    await reader.read();
    for (const statement of sql.startsWith("BEGIN") ? [sql] : sql.split("; ")) await client.query(statement);
    const page = await reader.page();
    expect(page.records.filter(({ deleted }) => deleted).map(({ id }) => id)).toEqual(["1"]);
    expect(
      page.records.filter(({ values }) => values["name"] === "again"),
      "on the same page",
    ).toHaveLength(20);
  });

  test("of rows known by several columns, and of partitions, come by their keys", async () => {
    await client.query(`CREATE TABLE pair (a text, b char(4), name text, PRIMARY KEY (a, b));
      INSERT INTO pair VALUES ('x "quoted"', 'b', 'one'), ('y', 'c', 'two')`);
    await client.query(`CREATE TABLE parted (id bigint PRIMARY KEY, name text) PARTITION BY RANGE (id);
      CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (0) TO (100)`);
    const reader = await readerOf("pair");
    const [first] = await reader.read();
    await client.query(`UPDATE pair SET name = 'changed' WHERE a LIKE 'x%'; DELETE FROM pair WHERE a = 'y'`);
    const changed = await reader.read();
    expect(changed).toMatchObject([{ id: first?.id, values: { name: "changed" } }, { deleted: true }]);
    await client.query(`SELECT pg_drop_replication_slot('${READER}'); DROP PUBLICATION ${READER}`);
    const parts = await readerOf("parted");
    await parts.read();
    await client.query("INSERT INTO parted VALUES (7, 'in a part')");
    expect(await parts.read()).toMatchObject([{ id: "7", values: { name: "in a part" } }]);
  });

  test("are in the form of a SELECT to the last digit, whatever their types", async () => {
    await client.query(`DROP TABLE IF EXISTS odd; CREATE TYPE pg_temp.ignored AS (a int);
      CREATE TABLE odd (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), padded char(10), money money, texts text[], grid int[][],
        exact numeric, scaled numeric(30, 10), real8 float8, real4 float4, json json, jsonb jsonb, address inet, span tstzrange,
        at timestamptz, plain timestamp, day date, hour time, long interval, flag bool, flags bool[], bytes bytea,
        twice numeric GENERATED ALWAYS AS (exact * 2) STORED)`);
    const reader = await readerOf("odd");
    await reader.read();
    await client.query(`INSERT INTO odd (padded, money, texts, grid, exact, scaled, real8, real4, json, jsonb, address, span, at, plain, day, hour, long, flag, flags, bytes) VALUES
      ('ab', 12.5, '{"",a,NULL,"with, comma"}', '{{1,2},{3,NULL}}', 12345678901234567890.123456789012345678900, 20.0000000020,
       0.1, 1e-7, '[1.10, 12345678901234567890]', '{"n": 1.100}', '10.0.0.1/8', '[2020-01-01, 2021-01-01)', '2020-01-01 00:00:00.123456+02',
       'infinity', '0044-03-15 BC', '24:00', '1 mon 2 days', true, '{t,f,NULL}', '\\xdeadbeef'), ('', NULL, '{}', '{}', 'NaN', 0, '-0', 'infinity', 'null', '[]', NULL, 'empty', '-infinity', NULL, NULL, NULL, NULL, NULL, NULL, NULL)`);
    const changed = await reader.read();
    expect(changed).toHaveLength(2);
    const plainly = await connect({ changes: "rowVersions" }).read({
      entity: await entityNamed(reader.connection(), "odd"),
      fields: fieldNames(await entityNamed(reader.connection(), "odd")),
      cursor: null,
      mode: "all",
      pageSize: 10,
    });
    expect(changed).toEqual(plainly.records);
    await client.query("DROP TABLE odd");
  });
});

describe("a large transaction", () => {
  test("comes in pages that can be gone on from after a crash, each row once", async () => {
    const reader = await readerOf("item", { pageSize: 2_000 });
    await reader.read();
    await client.query(
      "INSERT INTO item (id, name, note) SELECT n, 'bulk', repeat('x', 300) FROM generate_series(101, 50100) n",
    );
    await client.query("UPDATE item SET name = 'after' WHERE id = 1");
    const seen = new Map<string, number>();
    let pages = 0;
    for (let drained = false; !drained; pages += 1) {
      const page = await reader.page();
      ({ drained } = page);
      expect(page.records.length).toBeLessThanOrEqual(3_500);
      for (const { id } of page.records) seen.set(id, (seen.get(id) ?? 0) + 1);
      if (pages % 6 === 2) reader.again();
    }
    expect(seen.size).toBe(50_001);
    expect([...seen.values()].every((times) => times === 1)).toBe(true);
    expect(pages).toBeGreaterThan(14);
  }, 60_000);

  test("changes whose key lies behind megabytes are found", async () => {
    await client.query(
      "CREATE TABLE nokey (big text, id int NOT NULL UNIQUE); ALTER TABLE nokey REPLICA IDENTITY FULL",
    );
    const reader = await readerOf("nokey");
    await reader.read();
    await client.query("INSERT INTO nokey SELECT string_agg(md5(n::text), ''), 1 FROM generate_series(1, 90000) n");
    await client.query("INSERT INTO nokey SELECT 'small', n FROM generate_series(2, 20) n");
    expect(await reader.read()).toHaveLength(20);
    await client.query("UPDATE nokey SET big = 'small' WHERE id = 1; DELETE FROM nokey WHERE id = 2");
    expect(ids(await reader.read())).toEqual(["-2", "1"]);
  });
});

describe("the slot", () => {
  const losses: [string, () => Promise<unknown>][] = [
    ["dropped by somebody", () => client.query(`SELECT pg_drop_replication_slot('${READER}')`)],
    [
      "moved on by somebody",
      () => client.query(`SELECT pg_replication_slot_advance('${READER}', pg_current_wal_flush_lsn())`),
    ],
    ["whose publication lost the table", () => client.query(`ALTER PUBLICATION ${READER} DROP TABLE item`)],
    ["whose publication is gone", () => client.query(`DROP PUBLICATION ${READER}`)],
    [
      "whose publication was made anew",
      () => client.query(`DROP PUBLICATION ${READER}; CREATE PUBLICATION ${READER} FOR TABLE item`),
    ],
    [
      "whose publication lacks deletions",
      () => client.query(`ALTER PUBLICATION ${READER} SET (publish = 'insert, update, truncate')`),
    ],
  ];
  test.each(losses)("%s: all rows are read again, and changes go on", async (_, lose) => {
    const reader = await readerOf("item", { pageSize: 8 });
    await reader.read();
    await client.query("UPDATE item SET name = 'missed' WHERE id = 7; DELETE FROM item WHERE id = 8");
    await lose();
    const before = reader.pages.length;
    const again = await reader.read();
    expect(again).toHaveLength(19);
    expect(reader.pages.slice(before).every(({ missedDeletes }) => missedDeletes)).toBe(true);
    expect(again.find(({ id }) => id === "7")?.values["name"]).toBe("missed");
    await client.query("DELETE FROM item WHERE id = 9");
    expect(ids(await reader.read())).toEqual(["-9"]);
    expect(reader.pages.at(-1)?.missedDeletes).toBeUndefined();
  });

  test("invalidated because it retained too much: all rows are read again", async () => {
    const reader = await readerOf("item");
    await reader.read();
    await client.query("ALTER SYSTEM SET max_slot_wal_keep_size = '1MB'");
    await client.query("SELECT pg_reload_conf()");
    onTestFinished(async () => {
      await client.query("ALTER SYSTEM RESET max_slot_wal_keep_size");
      await client.query("SELECT pg_reload_conf()");
    });
    await client.query("UPDATE item SET name = 'missed' WHERE id = 7");
    const status = async () => (await client.query("SELECT wal_status FROM pg_replication_slots")).rows[0]?.wal_status;
    for (let turn = 0; turn < 10 && (await status()) !== "lost"; turn += 1) {
      await client.query(
        "SELECT pg_switch_wal(); CREATE TABLE filler AS SELECT repeat('x', 1000) FROM generate_series(1, 2000)",
      );
      await client.query("DROP TABLE filler; CHECKPOINT");
    }
    expect(await status()).toBe("lost");
    expect(await reader.read()).toHaveLength(20);
    expect(await status()).not.toBe("lost");
  }, 60_000);

  test("is moved on as positions are stored, also when only other tables change", async () => {
    const reader = await readerOf("item");
    await reader.read();
    const retained = async () =>
      (await connect().listReaders?.("accord_test_"))?.find(({ name }) => name === READER)?.retainedBytes ?? 0;
    await client.query("CREATE TABLE other AS SELECT repeat('x', 1000) AS x FROM generate_series(1, 5000)");
    expect(await retained()).toBeGreaterThan(4_000_000);
    for (let turn = 0; turn < 3; turn += 1) {
      await reader.read();
      await client.query("CHECKPOINT");
    }
    await reader.read();
    expect(await retained()).toBeLessThan(1_000_000);
  });

  test("is not moved on before the position is stored: a page whose storing failed is read again", async () => {
    const reader = await readerOf("item");
    await reader.read();
    const stored = reader.cursor();
    await client.query("CREATE TABLE other AS SELECT repeat('x', 1000) AS x FROM generate_series(1, 500)");
    await client.query("UPDATE item SET name = 'twice' WHERE id = 1");
    for (let turn = 0; turn < 3; turn += 1) {
      reader.again();
      expect(ids((await reader.page({ cursor: stored, committed: stored })).records)).toEqual(["1"]);
    }
  });

  test("survives a crash of the server", async () => {
    const reader = await readerOf("item");
    await reader.read();
    await client.query("UPDATE item SET name = 'before the crash' WHERE id = 1");
    await server.crash();
    client = await server.client();
    client.on("error", () => {});
    reader.again();
    expect(ids(await reader.read())).toEqual(["1"]);
  }, 30_000);

  test("is dropped with its publication when nobody needs it", async () => {
    const reader = await readerOf("item");
    await reader.read();
    await reader.connection().dropReader?.(READER);
    expect(await slots()).toEqual([]);
    expect((await client.query("SELECT FROM pg_publication")).rows).toEqual([]);
    await reader.connection().dropReader?.(READER);
  });

  test("is not made for reads without a name, nor for resyncs and samples", async () => {
    const connection = connect();
    const entity = await entityNamed(connection, "item");
    const all = { entity, fields: fieldNames(entity), cursor: null, pageSize: 5 };
    await connection.read({ ...all, mode: "changes" });
    await connection.read({ ...all, mode: "all", reader: READER });
    expect(await slots()).toEqual([]);
  });
});

describe("a table that nobody changes", () => {
  /** The connector's statements since it was asked last: how many, and those that read the table. */
  const statements = async (): Promise<{ count: number; ofTable: string[] }> => {
    const { rows } = await client.query(
      `SELECT query, calls::int FROM pg_stat_statements
       WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) AND query NOT LIKE '%pg_stat_statements%' AND query NOT LIKE 'INSERT INTO other%'`,
    );
    await client.query("SELECT pg_stat_statements_reset()");
    const queries: { query: string; calls: number }[] = rows;
    return {
      count: queries.reduce((sum, { calls }) => sum + calls, 0),
      ofTable: queries.map(({ query }) => query).filter((query) => /FROM\s+[^\s]*\bitem\b/i.test(query)),
    };
  };

  test("costs a question a poll, and two more where others write to the server; it is never read", async () => {
    await client.query("CREATE EXTENSION IF NOT EXISTS pg_stat_statements; CREATE TABLE other (n int)");
    const reader = await readerOf("item");
    await reader.read();
    await reader.read();
    await client.query("CHECKPOINT");
    await reader.read();
    await reader.read();
    await statements();
    for (let poll = 0; poll < 5; poll += 1) expect(await reader.read()).toEqual([]);
    // Other databases of the server write to the same log: a poll may look there and move the slot on.
    const idle = await statements();
    expect(idle.count).toBeLessThanOrEqual(5 * 3);
    for (let poll = 0; poll < 5; poll += 1) {
      await client.query("INSERT INTO other VALUES (1)");
      expect(await reader.read()).toEqual([]);
    }
    const beside = await statements();
    expect(beside.count).toBeLessThanOrEqual(5 * 3);
    expect([...idle.ofTable, ...beside.ofTable]).toEqual([]);
    await reader.connection().close();
  });
});

describe("switching", () => {
  test("replication on goes on from the position of row versions, and off again reads all once more", async () => {
    const reader = await readerOf("item", { changes: "rowVersions" });
    expect(await reader.read()).toHaveLength(20);
    await client.query("UPDATE item SET name = 'before' WHERE id = 1");
    reader.again({ changes: "replication" });
    expect(ids(await reader.read())).toEqual(["1"]);
    await client.query("DELETE FROM item WHERE id = 2");
    expect(ids(await reader.read())).toEqual(["-2"]);
    reader.again({ changes: "rowVersions" });
    expect(await reader.read()).toHaveLength(19);
    expect(reader.pages.at(-1)?.missedDeletes).toBe(true);
    await client.query("UPDATE item SET name = 'after' WHERE id = 3");
    expect(ids(await reader.read())).toEqual(["3"]);
  });

  test("a table without replica identity goes on by row versions, and its users may write", async () => {
    const reader = await readerOf("item");
    await reader.read();
    await client.query("ALTER TABLE item REPLICA IDENTITY NOTHING");
    await reader.read();
    await client.query("UPDATE item SET name = 'possible' WHERE id = 1");
    expect(ids(await reader.read())).toEqual(["1"]);
    expect(await slots()).toEqual([]);
  });
});

describe("how changes are found", () => {
  const detectionOf = async (table: string, options: Options = {}) => {
    const connection = connect(options);
    const found = await entityNamed(connection, table);
    const fields = found.fields.map((field) => ({ ...field, isIdField: field.apiName === "id" }));
    return connection.changeDetection?.({ entity: { ...found, fields }, reader: READER });
  };
  test("is told with what keeps a table from being replicated, and the SQL that changes it", async () => {
    await client.query(`CREATE TABLE nokey (id int NOT NULL UNIQUE, name text);
      DROP VIEW IF EXISTS seen; CREATE VIEW seen AS SELECT * FROM item;
      DROP ROLE IF EXISTS plain; CREATE ROLE plain LOGIN PASSWORD '${server.password}'; GRANT SELECT ON item TO plain`);
    onTestFinished(async () => {
      await client.query("DROP VIEW seen; REVOKE ALL ON item FROM plain; DROP ROLE plain");
    });
    expect(await detectionOf("item")).toMatchObject({
      method: "replication",
      replication: { isOn: true, problem: null },
    });
    expect(await detectionOf("item", { changes: "rowVersions" })).toMatchObject({
      method: "tableScan",
      replication: { isOn: false, problem: null },
    });
    const identity = await detectionOf("nokey");
    expect(identity).toMatchObject({ method: "tableScan", replication: { problem: "replicaIdentity" } });
    await client.query(identity?.replication?.sql ?? "");
    expect(await detectionOf("nokey")).toMatchObject({ method: "replication" });
    expect(await detectionOf("seen")).toMatchObject({
      method: "watermark",
      replication: { problem: "notATable", sql: null },
    });
    const role = await detectionOf("item", { username: "plain" });
    expect(role).toMatchObject({ method: "tableScan", replication: { problem: "role" } });
    await client.query(role?.replication?.sql ?? "");
    const publication = await detectionOf("item", { username: "plain" });
    expect(publication).toMatchObject({ replication: { problem: "publication" } });
    await client.query(publication?.replication?.sql ?? "");
    expect(await detectionOf("item", { username: "plain" })).toMatchObject({ method: "replication" });
    const reader = await readerOf("item", { username: "plain" });
    await reader.read();
    await client.query("DELETE FROM item WHERE id = 1");
    expect(ids(await reader.read())).toEqual(["-1"]);
    await reader.connection().dropReader?.(READER);
    expect(await slots()).toEqual([]);
  });

  test("a user who may not replicate hears so when the connection is tried", async () => {
    await client.query(
      `DROP ROLE IF EXISTS plain; CREATE ROLE plain LOGIN PASSWORD '${server.password}'; GRANT SELECT ON item TO plain`,
    );
    onTestFinished(async () => void (await client.query("REVOKE ALL ON item FROM plain; DROP ROLE plain")));
    await expect(connect({ username: "plain" }).check()).rejects.toMatchObject({
      kind: "permission",
      hint: expect.stringContaining("ALTER ROLE plain WITH REPLICATION"),
    });
    await connect({ username: "plain", changes: "rowVersions" }).check();
  });
});
