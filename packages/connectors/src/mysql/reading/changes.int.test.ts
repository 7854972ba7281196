/** Changes of MySQL tables: by time stamp with what is committed late, by comparison, and not at all where nothing happened. */
import type { Connection, Cursor } from "@accord/connector-sdk";
import { fieldNames, latestById, readToEnd } from "@accord/connector-sdk/test-kit";
import type { EntitySchema } from "@accord/contracts/data/schema";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { mysqlConnector } from "../index.ts";
import { mariaDb, type TestDatabase } from "../mysql.fixtures.ts";

/** Its system is far from UTC, and puts its clocks on and back. */
const maria = mariaDb([], "EST5EDT,M3.2.0,M11.1.0");

const STAMPED = `
  CREATE TABLE thing (id INT PRIMARY KEY, n INT DEFAULT 0,
    updated_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP);
  INSERT INTO thing (id, updated_at) SELECT seq, '2020-01-01' FROM seq_1_to_9`;

/** Reads what changed, pass by pass. */
function reader(connection: Connection, entity: EntitySchema, pageSize = 2) {
  let cursor: Cursor = null;
  return async (options: { since?: Date } = {}): Promise<string[]> => {
    const pass = await readToEnd(connection, { entity, cursor, pageSize, ...options });
    ({ cursor } = pass);
    return [...latestById(pass.records).keys()];
  };
}

async function readerOf(db: TestDatabase, config = {}, table = "thing") {
  const connection = db.connect({ config });
  return reader(connection, await db.entity(table, connection));
}

/** Another session with a transaction of its own. */
async function session(db: TestDatabase) {
  const client = await maria.server().client(db.name);
  onTestFinished(() => client.end());
  return (sql: string) => client.query(sql);
}

describe("by time stamp", () => {
  test("only rows stamped since the last reading come again, all of those that share a time stamp", async () => {
    const db = await maria.database(STAMPED);
    const changed = await readerOf(db, { overlapSeconds: 1 });
    expect(await changed()).toHaveLength(9);
    expect(await changed()).toEqual([]);
    await db.sql("UPDATE thing SET n = n + 1 WHERE id < 6; UPDATE thing SET n = n + 1 WHERE id = 8");
    expect(await changed()).toEqual(["1", "2", "3", "4", "5", "8"]);
    await pause(2100);
    await changed();
    await db.sql("UPDATE thing SET n = n + 1 WHERE id = 7");
    expect(await changed()).toEqual(["7"]);
  });
  test("what an open transaction wrote is found once it is committed, however long that takes, where open ones may be seen", async () => {
    const db = await maria.database(STAMPED);
    const changed = await readerOf(db, { overlapSeconds: 0 });
    await changed();
    const late = await session(db);
    await late("START TRANSACTION; UPDATE thing SET n = 1 WHERE id = 3");
    await pause(2100);
    await db.sql("UPDATE thing SET n = 1 WHERE id = 4");
    expect(await changed()).toEqual(["4"]);
    expect(await changed()).toEqual(["4"]);
    await late("COMMIT");
    expect(await changed()).toEqual(["3", "4"]);
  });
  test("where they may not be seen, it is found within the seconds of overlap", async () => {
    const db = await maria.database(STAMPED);
    await db.sql(`CREATE USER IF NOT EXISTS plain IDENTIFIED BY 'plain'; GRANT SELECT ON ${db.name}.* TO plain`);
    const connection = db.connect({ credentials: { username: "plain", password: "plain" } });
    const changed = reader(connection, await db.entity("thing", connection));
    await changed();
    const late = await session(db);
    await late("START TRANSACTION; UPDATE thing SET n = 1 WHERE id = 3");
    await pause(1100);
    await db.sql("UPDATE thing SET n = 1 WHERE id = 4");
    await changed();
    await late("COMMIT");
    expect(await changed()).toEqual(["3", "4"]);
  });
  test.for(["+05:30", "-08:00"])(
    "local times of a server at %s are compared, and answered, as the moments they are",
    async (zone) => {
      const db = await maria.database(`
      CREATE TABLE thing (id INT PRIMARY KEY, n INT DEFAULT 0, updated_at DATETIME(6) NOT NULL);
      INSERT INTO thing SELECT seq, 0, '2020-01-01' FROM seq_1_to_5`);
      await db.sql(`SET GLOBAL time_zone = '${zone}'`);
      onTestFinished(() => void db.sql("SET GLOBAL time_zone = 'SYSTEM'"));
      const connection = db.connect({ config: { overlapSeconds: 1 } });
      const entity = await db.entity("thing", connection);
      const first = await readToEnd(connection, { entity, cursor: null, pageSize: 50 });
      await pause(2100);
      const application = await session(db);
      const begun = Date.now();
      await application("UPDATE thing SET n = 1, updated_at = NOW(6) WHERE id = 2");
      const second = await readToEnd(connection, { entity, cursor: first.cursor, pageSize: 50 });
      expect(second.records.map(({ id }) => id)).toEqual(["2"]);
      const changedAt = Date.parse(second.records[0]?.modifiedAt ?? "");
      expect(changedAt).toBeGreaterThanOrEqual(begun - 1);
      expect(changedAt).toBeLessThanOrEqual(Date.now() + 1);
      // An application that keeps UTC whatever the zone is.
      await application("UPDATE thing SET n = 1, updated_at = UTC_TIMESTAMP(6) WHERE id = 4");
      const third = await readToEnd(connection, { entity, cursor: second.cursor, pageSize: 50 });
      expect(third.records.map(({ id }) => id)).toContain("4");
    },
  );
  test("history begins where it is asked to, and a resync keeps to its range of time", async () => {
    const db = await maria.database(`
      CREATE TABLE thing (id INT PRIMARY KEY, updated_at DATETIME NOT NULL);
      INSERT INTO thing VALUES (1, '2020-01-01'), (2, '2021-06-01'), (3, '2022-01-01'), (4, UTC_TIMESTAMP())`);
    const changed = await readerOf(db);
    expect(await changed({ since: new Date("2021-01-01") })).toEqual(["2", "3", "4"]);
    const connection = db.connect();
    const range = { since: new Date("2021-06-01"), until: new Date("2022-01-01"), mode: "all" as const };
    const entity = await db.entity("thing", connection);
    const { records } = await readToEnd(connection, { entity, cursor: null, pageSize: 1, ...range });
    expect(records.map(({ id }) => id)).toEqual(["2"]);
  });
  test("a day as time of change brings all that was stamped on it", async () => {
    const db = await maria.database(`
      CREATE TABLE thing (id INT PRIMARY KEY, n INT, day DATE);
      INSERT INTO thing VALUES (1, 0, '2020-01-01'), (2, 0, '2020-01-01')`);
    const connection = db.connect({ config: { overlapSeconds: 0 } });
    const entity = await db.entity("thing", connection);
    const fields = entity.fields.map((field) => ({ ...field, isWatermarkField: field.apiName === "day" }));
    const changed = reader(connection, { ...entity, fields });
    await changed();
    await db.sql("UPDATE thing SET n = 1, day = UTC_DATE() WHERE id = 2");
    expect(await changed()).toEqual(["2"]);
  });
});

describe("without a time stamp", () => {
  const PLAIN = `
    CREATE TABLE parent (id INT PRIMARY KEY);
    CREATE TABLE thing (id INT PRIMARY KEY, n INT, parent INT, FOREIGN KEY (parent) REFERENCES parent (id) ON DELETE SET NULL);
    INSERT INTO parent VALUES (1), (2); INSERT INTO thing VALUES (1, 0, 1), (2, 0, 2)`;
  test("a table is read when its engine calls it changed, and not at all while nothing happens", async () => {
    const db = await maria.database(PLAIN);
    const changed = await readerOf(db);
    expect(await changed()).toEqual(["1", "2"]);
    await pause(3100);
    // Of a transaction that reads nobody has to wait for anything.
    const idle = await session(db);
    await idle("START TRANSACTION; SELECT * FROM thing");
    expect(await changed()).toEqual(["1", "2"]);
    await db.sql("SET GLOBAL log_output = 'TABLE'; SET GLOBAL general_log = 1");
    expect(await changed()).toEqual([]);
    await db.sql("SET GLOBAL general_log = 0");
    const asked = await db.sql(
      "SELECT CONVERT(argument USING utf8mb4) said FROM mysql.general_log WHERE argument LIKE ?",
      [`%FROM \`${db.name}\`.\`thing\`%`],
    );
    expect(asked).toEqual([]);
    // Changed by a foreign key alone.
    await db.sql("DELETE FROM parent WHERE id = 2");
    expect(await changed()).toEqual(["1", "2"]);
    await idle("ROLLBACK");
    await db.sql("ALTER TABLE thing ADD COLUMN more INT NOT NULL DEFAULT 7");
    expect(await changed()).toEqual(["1", "2"]);
  });
  test("what is committed late, by a transaction of the same second as one that was seen, is not passed over", async () => {
    const db = await maria.database(PLAIN);
    const changed = await readerOf(db, { overlapSeconds: 0 });
    await changed();
    const late = await session(db);
    // Both in one second, as the server counts.
    await pause(1020 - (Date.now() % 1000));
    await late("START TRANSACTION; UPDATE thing SET n = 1 WHERE id = 1");
    await db.sql("UPDATE thing SET n = 1 WHERE id = 2");
    const stamp = async () =>
      (
        await db.sql(
          "SELECT CAST(UPDATE_TIME AS CHAR) at FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME = 'thing'",
          [db.name],
        )
      )[0]?.["at"];
    const before = await stamp();
    await pause(3100);
    expect(await changed()).toEqual(["1", "2"]);
    await late("COMMIT");
    expect(await stamp()).toBe(before);
    expect(await changed()).toEqual(["1", "2"]);
  });
});

describe("how changes are found", () => {
  test("is said of each table: with a time stamp, one without an index, none, and of views", async () => {
    const db = await maria.database(`
      CREATE TABLE stamped (id INT PRIMARY KEY, updated_at DATETIME, INDEX (updated_at, id));
      CREATE TABLE unindexed (id INT PRIMARY KEY, updated_at DATETIME, INDEX (id, updated_at));
      CREATE TABLE plain (id INT PRIMARY KEY);
      CREATE VIEW seen AS SELECT id FROM plain;
      CREATE VIEW stamped_view AS SELECT * FROM stamped`);
    const connection = db.connect();
    const methodOf = async (table: string) => {
      const entity = await db.entity(table, connection);
      const fields = entity.fields.map((field) => ({ ...field, isIdField: field.apiName === "id" }));
      return connection.changeDetection?.({ entity: { ...entity, fields }, reader: "r" });
    };
    expect(await methodOf("stamped")).toMatchObject({
      method: "listedWatermark",
      tableBytes: 16384,
      replication: null,
    });
    expect(await methodOf("unindexed")).toMatchObject({ method: "scannedWatermark" });
    expect(await methodOf("plain")).toMatchObject({ method: "changedTable" });
    expect(await methodOf("seen")).toMatchObject({ method: "comparison", tableBytes: null });
    expect(await methodOf("stamped_view")).toMatchObject({ method: "listedWatermark", tableBytes: null });
  });
  test("follows from what a table allows: changes by time stamp alone, writing of tables alone", async () => {
    const db = await maria.database(`${STAMPED};
      CREATE TABLE plain (id INT PRIMARY KEY); CREATE VIEW seen AS SELECT * FROM thing`);
    const capabilitiesOf = async (table: string) => {
      const config = { host: "h", database: "d" };
      return mysqlConnector.capabilitiesOf(config, await db.entity(table));
    };
    const reading = ["read", "readById", "listIds", "getById", "lookup", "userEditableId", "userEditableWatermark"];
    const writing = ["create", "update", "delete", "conditionalWrite"];
    const stamped = ["readChanges", "readByWatermark"];
    expect((await capabilitiesOf("thing")).toSorted()).toEqual([...reading, ...writing, ...stamped].toSorted());
    expect((await capabilitiesOf("plain")).toSorted()).toEqual([...reading, ...writing].toSorted());
    expect((await capabilitiesOf("seen")).toSorted()).toEqual([...reading, ...stamped].toSorted());
  });
  test("a change that left its time stamp alone shows in the list of ids", async () => {
    const db = await maria.database(STAMPED);
    const connection = db.connect();
    const entity = await db.entity("thing", connection);
    await db.sql("UPDATE thing SET n = 7, updated_at = '2020-01-01' WHERE id = 2");
    const page = await connection.listIds?.({ entity, cursor: null, pageSize: 2, fields: ["n"] });
    expect(page).toMatchObject({ ids: ["1", "2"], drained: false });
    expect(page?.records).toMatchObject([
      { id: "1", values: { n: 0 } },
      { id: "2", values: { n: 7 } },
    ]);
  });
  test("a column or table that is gone is reported as a changed schema", async () => {
    const db = await maria.database(STAMPED);
    const connection = db.connect();
    const entity = await db.entity("thing", connection);
    const read = () =>
      connection
        .read({ entity, fields: fieldNames(entity), cursor: null, mode: "all", pageSize: 5 })
        .catch((error: unknown) => error);
    await db.sql("ALTER TABLE thing DROP COLUMN n");
    expect(await read()).toMatchObject({ kind: "schemaChanged", isFieldGone: true });
    await db.sql("DROP TABLE thing");
    expect(await read()).toMatchObject({ kind: "schemaChanged", isFieldGone: false, hint: expect.any(String) });
  });
});
