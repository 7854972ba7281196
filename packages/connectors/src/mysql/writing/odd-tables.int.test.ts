/** Writing to tables that have ideas of their own: ids that are not unique or come out otherwise, rows that no partition takes. */
import { hashValue, type WriteOperation, type WriteOutcome } from "@accord/connector-sdk";
import { fieldNames } from "@accord/connector-sdk/test-kit";
import type { EntitySchema } from "@accord/contracts/data/schema";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { create, mariaDb, remove, update, withId, type TestDatabase } from "../mysql.fixtures.ts";
import { writeRows } from "./write.ts";

const maria = mariaDb();

const statusesOf = (outcomes: readonly WriteOutcome[] | undefined) =>
  outcomes?.map((outcome) => (outcome.status === "rejected" ? outcome.code : outcome.status));

const expecting = (operation: WriteOperation, expected: Record<string, string>): WriteOperation => ({
  ...operation,
  ...{ expected },
});

describe("an id that is not unique", () => {
  const SCHEMA = `
    CREATE TABLE thing (code VARCHAR(9) COLLATE utf8mb4_general_ci, n INT);
    INSERT INTO thing VALUES ('a', 1), ('A', 2), ('b', 3), ('b', 4), ('c', 5)`;
  async function writeByCode(db: TestDatabase, operations: WriteOperation[]) {
    const connection = db.connect();
    const entity = withId(await db.entity("thing", connection), "code");
    return connection.write?.({ entity, operations, fields: fieldNames(entity) });
  }
  const rows = (db: TestDatabase) => db.sql("SELECT GROUP_CONCAT(code, n ORDER BY n) held FROM thing");

  test("changes and deletes none of the rows that share it, and says so; the others are written", async () => {
    const db = await maria.database(SCHEMA);
    const outcomes = await writeByCode(db, [
      expecting(update("a", { n: 7 }), { n: hashValue(1) }),
      expecting(update("c", { n: 8 }), { n: hashValue(5) }),
      remove("A"),
      update("b", { n: 9 }),
      remove("b"),
    ]);
    expect(statusesOf(outcomes)).toEqual(["not_unique", "done", "not_unique", "not_unique", "not_unique"]);
    expect(outcomes?.[0]).toMatchObject({ message: expect.stringContaining("choose a field as id that is unique") });
    expect(await rows(db)).toEqual([{ held: "a1,A2,b3,b4,c8" }]);
    expect(statusesOf(await writeByCode(db, [remove("c")]))).toEqual(["done"]);
  });
  test("is noticed where another row came by it while this one was being written", async () => {
    const db = await maria.database(SCHEMA);
    const connection = db.connect();
    const entity = withId(await db.entity("thing", connection), "code");
    const other = await maria.server().client(db.name);
    onTestFinished(() => other.end());
    // It comes between the comparison and the change.
    const { client, config } = db.client();
    const interrupted: typeof client = {
      ...client,
      transaction: (work, signal) =>
        client.transaction(
          (session) =>
            work({
              ...session,
              async run(sql, values) {
                if (sql.startsWith("UPDATE")) await other.query("INSERT INTO thing VALUES ('C', 6)");
                return session.run(sql, values);
              },
            }),
          signal,
        ),
    };
    const request = { entity, operations: [update("c", { n: 8 })], fields: fieldNames(entity) };
    const outcomes = await writeRows({ client: interrupted, config, request, sleep: (ms) => pause(ms) });
    expect(statusesOf(outcomes)).toEqual(["not_unique"]);
    expect(await rows(db)).toEqual([{ held: "a1,A2,b3,b4,c5,C6" }]);
  });
});

const ROUNDED = `
  CREATE TABLE padded (id BINARY(4) PRIMARY KEY, n INT);
  CREATE TABLE price (id DECIMAL(5, 2) PRIMARY KEY, n INT);
  CREATE TABLE moment (id DATETIME PRIMARY KEY, n INT);
  CREATE TABLE word (id CHAR(8) PRIMARY KEY, n INT);
  CREATE TABLE named (id VARCHAR(20) PRIMARY KEY, n INT);
  CREATE TRIGGER renamed BEFORE INSERT ON named FOR EACH ROW SET NEW.id = CONCAT(NEW.id, '!');
  CREATE TABLE counted (id INT AUTO_INCREMENT PRIMARY KEY, n INT);
  CREATE TRIGGER recounted BEFORE INSERT ON counted FOR EACH ROW SET NEW.id = NEW.n + 100`;
const CREATED: [table: string, id: string | null, stored: string][] = [
  ["padded", "\\x01", "\\x01000000"],
  ["price", "1.006", "1.01"],
  ["moment", "2024-01-01T10:00:00.400Z", "2024-01-01 10:00:00"],
  ["word", "ab  ", "ab"],
  ["named", "x", "x!"],
  ["counted", null, "105"],
];
const newRow = (id: string | null) => create({ n: 5, ...(id !== null && { id }) });

describe("a new row", () => {
  test.for(CREATED)(
    "of %s that was given the id %j is answered with the one it has: %s",
    async ([table, id, stored]) => {
      const db = await maria.database(ROUNDED);
      expect(await db.write(table, [newRow(id)])).toMatchObject([{ status: "done", id: stored, values: { n: 5 } }]);
      expect([...(await db.read(table)).keys()]).toEqual([stored]);
    },
  );
  test("is sent with the others of its batch, each answered with its own id in whatever order these sort", async () => {
    const db = await maria.database(ROUNDED);
    const { client, config } = db.client();
    let inserts = 0;
    const counting: typeof client = {
      ...client,
      transaction: (work, signal) =>
        client.transaction((session) => {
          const run: typeof session.run = (sql, values) => {
            if (sql.startsWith("INSERT")) inserts += 1;
            return session.run(sql, values);
          };
          return work({ ...session, run });
        }, signal),
    };
    const operations = ["m", "c", "z", "a", "c2"].map((id, n) => create({ id, n }));
    const request = { entity: await db.entity("named"), operations };
    const outcomes = await writeRows({ client: counting, config, request, sleep: (ms) => pause(ms) });
    expect(outcomes).toMatchObject(
      ["m!", "c!", "z!", "a!", "c2!"].map((id, n) => ({ status: "done", id, values: { id, n } })),
    );
    expect(inserts).toBe(1);
  });
  test("whose trigger takes its time is written by itself where all of them take longer than a statement may", async () => {
    const db = await maria.database(`
      CREATE TABLE slow (id INT PRIMARY KEY, n INT);
      CREATE TRIGGER slowly BEFORE INSERT ON slow FOR EACH ROW DO SLEEP(0.3)`);
    const operations = [1, 2, 3, 4, 5].map((id) => create({ id, n: id }));
    const { client, config } = db.client({ config: { statementSeconds: 1 } });
    const request = { entity: await db.entity("slow"), operations };
    const outcomes = await writeRows({ client, config, request, sleep: (ms) => pause(ms) });
    expect(statusesOf(outcomes)).toEqual(["done", "done", "done", "done", "done"]);
  });
});

/** A server without `RETURNING` (MySQL), for which one stands in that is not asked for it. */
describe("where the server does not answer the ids of new rows", () => {
  async function writeUnanswered(db: TestDatabase, entity: EntitySchema, operations: WriteOperation[]) {
    const { client, config } = db.client();
    const unanswered: typeof client = {
      ...client,
      transaction: (work, signal) =>
        client.transaction((session) => work({ ...session, facts: { ...session.facts, isMariaDb: false } }), signal),
    };
    const request = { entity, operations, fields: fieldNames(entity) };
    return writeRows({ client: unanswered, config, request, sleep: (ms) => pause(ms) });
  }
  // Texts are found with or without their trailing blanks, and ids that count up are answered.
  test.for(CREATED.filter(([table]) => table !== "word" && table !== "counted"))(
    "a row of %s that would get another id than %j is refused and not kept",
    async ([table, id]) => {
      const db = await maria.database(ROUNDED);
      expect(await writeUnanswered(db, await db.entity(table), [newRow(id)])).toMatchObject([
        { status: "rejected", code: "id_changed", message: expect.stringContaining("another id") },
      ]);
      expect(await db.sql(`SELECT COUNT(*) n FROM ${table}`)).toEqual([{ n: 0 }]);
    },
  );
  test("the other rows of its batch are written, and answered with their ids", async () => {
    const db = await maria.database(ROUNDED);
    const ids = ["1.25", "1.006", "2.5"];
    const outcomes = await writeUnanswered(db, await db.entity("price"), ids.map(newRow));
    expect(statusesOf(outcomes)).toEqual(["done", "id_changed", "done"]);
    expect(outcomes[2]).toMatchObject({ id: "2.50", values: { n: 5 } });
    expect(await db.sql("SELECT GROUP_CONCAT(id ORDER BY id) ids FROM price")).toEqual([{ ids: "1.25,2.50" }]);
  });
  test("a row without an id that the database makes in secret costs only itself; ids that count up are answered", async () => {
    const db = await maria.database(`
      CREATE TABLE thing (id UUID DEFAULT UUID() PRIMARY KEY, n INT);
      CREATE TABLE plain (id INT AUTO_INCREMENT PRIMARY KEY, n INT)`);
    const id = "123e4567-e89b-12d3-a456-426655440000";
    const outcomes = await writeUnanswered(db, await db.entity("thing"), [create({ n: 1 }), create({ id, n: 2 })]);
    expect(outcomes).toMatchObject([
      { status: "rejected", code: "required", field: "id", message: expect.stringContaining("AUTO_INCREMENT") },
      { status: "done", id },
    ]);
    const counted = await writeUnanswered(db, await db.entity("plain"), [create({ n: 1 }), create({ n: 2 })]);
    expect(counted).toMatchObject([
      { status: "done", id: "1" },
      { status: "done", id: "2", values: { n: 2 } },
    ]);
  });
});

describe("a row that its table can't take", () => {
  const SCHEMA = `
    CREATE TABLE thing (id INT PRIMARY KEY, a INT, b INT, q DECIMAL(10, 2) AS (a / b) STORED)
      PARTITION BY LIST (id) (PARTITION low VALUES IN (1, 2, 3, 4, 5));
    CREATE TABLE pair (n INT); INSERT INTO pair VALUES (1), (2);
    CREATE TABLE guarded (id INT PRIMARY KEY, n INT);
    CREATE TRIGGER guard BEFORE INSERT ON guarded FOR EACH ROW BEGIN
      DECLARE found INT;
      IF NEW.n = 1 THEN SET NEW.n = (SELECT n FROM pair); END IF;
      IF NEW.n = 2 THEN SELECT n INTO found FROM pair; END IF;
      IF NEW.n = 3 THEN CASE NEW.id WHEN 1000 THEN SET NEW.n = 4; END CASE; END IF;
    END`;
  const refused: [name: string, table: string, operation: () => WriteOperation][] = [
    ["for a division by zero", "thing", () => create({ id: 2, a: 1, b: 0 })],
    ["for want of a partition", "thing", () => create({ id: 9, a: 1, b: 1 })],
    ["for several rows in place of one value in a trigger", "guarded", () => create({ id: 2, n: 1 })],
    ["for several rows in place of one in a trigger", "guarded", () => create({ id: 2, n: 2 })],
    ["for a case that a trigger does not know", "guarded", () => create({ id: 2, n: 3 })],
  ];
  test.for(refused)("%s costs only itself", async ([, table, operation]) => {
    const db = await maria.database(SCHEMA);
    const outcomes = await db.write(table, [create({ id: 1 }), operation(), create({ id: 3 })]);
    expect(outcomes).toMatchObject([
      { status: "done", id: "1" },
      { status: "rejected", code: "refused", message: expect.stringMatching(/\w{3}.*\.$/) },
      { status: "done", id: "3" },
    ]);
  });
  test("for letters that its id's alphabet lacks costs only itself", async () => {
    const db = await maria.database(`
      CREATE TABLE thing (id VARCHAR(9) CHARACTER SET latin1 PRIMARY KEY, n INT); INSERT INTO thing VALUES ('ä', 1), ('b', 2)`);
    const outcomes = await db.write("thing", [update("ä", { n: 5 }), update("日本", { n: 6 }), update("b", { n: 7 })]);
    expect(statusesOf(outcomes)).toEqual(["done", "missing", "done"]);
    expect(await db.sql("SELECT GROUP_CONCAT(n ORDER BY n) held FROM thing")).toEqual([{ held: "5,7" }]);
  });
});
