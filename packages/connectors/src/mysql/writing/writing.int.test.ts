/** Writing to MySQL tables: what a row is refused for, rows that others hold, ids that the database makes, and who may write. */
import { ConnectorError, hashValue, type WriteOperation } from "@accord/connector-sdk";
import type { Values } from "@accord/contracts/data/values";
import { describe, expect, onTestFinished, test } from "vitest";
import { beginStatement, create, mariaDb, remove, update, type TestDatabase } from "../mysql.fixtures.ts";

const maria = mariaDb();

async function session(db: TestDatabase) {
  const client = await maria.server().client(db.name);
  onTestFinished(() => client.end());
  return (sql: string) => client.query(sql);
}

describe("refusals", () => {
  const SCHEMA = `
    CREATE TABLE country (code VARCHAR(2) PRIMARY KEY);
    INSERT INTO country VALUES ('DE');
    CREATE TABLE thing (
      id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(10) NOT NULL, email VARCHAR(20) UNIQUE, a INT, b INT,
      country VARCHAR(2), FOREIGN KEY (country) REFERENCES country (code), UNIQUE pair (a, b),
      n INT CHECK (n > 0), doubled INT AS (n * 2) STORED, CONSTRAINT both_set CHECK (a IS NULL OR b IS NOT NULL));
    CREATE TABLE child (thing INT PRIMARY KEY, FOREIGN KEY (thing) REFERENCES thing (id));
    CREATE TRIGGER guard BEFORE INSERT ON thing FOR EACH ROW
      IF NEW.name = 'forbidden' THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'Nobody is called so'; END IF;
    CREATE TRIGGER guard_two BEFORE UPDATE ON thing FOR EACH ROW
      IF NEW.name = 'forbidden' THEN SIGNAL SQLSTATE '45123' SET MESSAGE_TEXT = 'Not here', MYSQL_ERRNO = 30001; END IF;
    INSERT INTO thing (id, name, email, a, b) VALUES (1, 'one', 'one@x', 1, 1), (2, 'two', 'two@x', 1, 2);
    INSERT INTO child VALUES (2)`;
  const refused: [name: string, operation: () => WriteOperation, expected: object][] = [
    [
      "a doubled value",
      () => create({ name: "x", email: "ONE@x" }),
      { code: "duplicate", field: "email", isTransient: true, message: expect.stringContaining("The row 1 holds it.") },
    ],
    [
      "a doubled key",
      () => create({ id: 2, name: "x" }),
      { code: "duplicate", field: "id", message: expect.stringContaining("The row 2 holds it.") },
    ],
    ["a doubled pair", () => update("2", { b: 1 }), { code: "duplicate", isTransient: true }],
    ["null where a value is needed", () => create({ name: null }), { code: "required", field: "name" }],
    ["no value where one is needed", () => create({ n: 1 }), { code: "required", field: "name" }],
    [
      "a missing parent",
      () => create({ name: "x", country: "XX" }),
      { code: "reference_missing", field: "country", isTransient: true },
    ],
    ["a parent of others", () => remove("2"), { code: "reference_missing", isTransient: true }],
    ["a failed check of a column", () => create({ name: "x", n: 0 }), { code: "check_failed", field: "n" }],
    ["a failed check of the row", () => create({ name: "x", a: 5 }), { code: "check_failed" }],
    ["too long a text", () => update("1", { name: "12345678901" }), { code: "too_long", field: "name" }],
    ["a computed column", () => create({ name: "x", doubled: 5 }), { code: "refused", field: "doubled" }],
    [
      "a trigger that refuses",
      () => create({ name: "forbidden" }),
      { code: "refused", message: "Nobody is called so." },
    ],
    ["one with a code of its own", () => update("1", { name: "forbidden" }), { code: "refused", message: "Not here." }],
    ["a field that is gone", () => create({ name: "x", former: 1 }), { code: "unknown_field", field: "former" }],
  ];
  test.for(refused)("%s costs its own record and names the field", async ([, operation, expected]) => {
    const db = await maria.database(SCHEMA);
    const outcomes = await db.write("thing", [create({ name: "before" }), operation(), create({ name: "after" })]);
    expect(outcomes).toMatchObject([{ status: "done" }, { status: "rejected", ...expected }, { status: "done" }]);
    const rows = await db.sql("SELECT name, email FROM thing ORDER BY id");
    expect(rows.map(({ name }) => name)).toEqual(["one", "two", "before", "after"]);
  });
  test("values that records pass on to one another are written in whatever order the database takes them", async () => {
    const db = await maria.database(`
      CREATE TABLE seat (id INT PRIMARY KEY, place INT UNIQUE); INSERT INTO seat SELECT seq, seq FROM seq_1_to_5`);
    const moves = [1, 2, 3, 4, 5].map((id) => update(String(id), { place: id + 1 }));
    expect((await db.write("seat", moves)).map(({ status }) => status)).toEqual(moves.map(() => "done"));
    expect(await db.sql("SELECT GROUP_CONCAT(place ORDER BY id) places FROM seat")).toEqual([{ places: "2,3,4,5,6" }]);
  });
});

test("a record that is larger than the server takes costs only itself", async () => {
  const db = await maria.database("CREATE TABLE thing (id INT PRIMARY KEY, words LONGTEXT, raw LONGBLOB)");
  await db.sql("SET GLOBAL max_allowed_packet = 1048576");
  const large: Values[] = [
    { id: 2, words: "x".repeat(1_100_000) },
    { id: 3, words: "'".repeat(600_000) },
    { id: 4, raw: `\\x${"00".repeat(600_000)}` },
  ];
  const outcomes = await db.write(
    "thing",
    [{ id: 1, words: "x" }, ...large, { id: 5, words: "'".repeat(500_000) }].map(create),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(["done", "rejected", "rejected", "rejected", "done"]);
  expect(outcomes[1]).toMatchObject({ code: "too_long", message: expect.stringContaining("max_allowed_packet") });
});

describe("new rows", () => {
  test("are answered with the ids that the database made, in order, beyond what a number holds exactly", async () => {
    const db = await maria.database(
      "CREATE TABLE thing (id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, name VARCHAR(20)) AUTO_INCREMENT = 9007199254740993",
    );
    const outcomes = await db.write("thing", [
      create({ name: "a" }),
      create({ name: "b" }),
      create({ id: "0", name: "zero" }),
      create({}),
    ]);
    expect(outcomes.map((outcome) => outcome.status === "done" && [outcome.id, outcome.values?.["name"]])).toEqual([
      ["9007199254740993", "a"],
      ["9007199254740994", "b"],
      ["0", "zero"],
      ["9007199254740995", null],
    ]);
  });
  test("are answered as they are stored: defaults, what triggers change, and ids that a default makes", async () => {
    const db = await maria.database(`
      CREATE TABLE thing (id UUID DEFAULT UUID() PRIMARY KEY, name VARCHAR(20), rank INT DEFAULT 5, at TIMESTAMP(6) DEFAULT NOW(6));
      CREATE TRIGGER shout BEFORE INSERT ON thing FOR EACH ROW SET NEW.name = UPPER(NEW.name);
      CREATE TABLE raw (id BINARY(4) DEFAULT (UNHEX('00FF275C')) PRIMARY KEY, n INT)`);
    const [made] = await db.write("thing", [create({ name: "quiet" })]);
    expect(made).toMatchObject({ status: "done", values: { name: "QUIET", rank: 5, at: expect.stringMatching(/Z$/) } });
    expect(await db.sql("SELECT id FROM thing")).toEqual([{ id: made?.status === "done" ? made.id : "" }]);
    expect(await db.write("raw", [create({ n: 1 })])).toMatchObject([
      { status: "done", id: "\\x00ff275c", values: { n: 1 } },
    ]);
  });
});

describe("compare and set", () => {
  const SCHEMA = `
    CREATE TABLE thing (id INT PRIMARY KEY, name VARCHAR(20), f FLOAT, doc JSON, day DATE);
    INSERT INTO thing SELECT seq, 'same', 0.1, '{"a": 1.10}', NULL FROM seq_1_to_6`;
  const conditional = (id: string, expected: Record<string, string>): WriteOperation => ({
    ...update(id, { name: `new ${id}` }),
    ...{ expected },
  });
  test("distinguishes what the server holds equal, and takes for the same what is: floats, documents, nothing", async () => {
    const db = await maria.database(SCHEMA);
    await db.sql("UPDATE thing SET name = 'SAME' WHERE id = 2");
    const { name, f, doc, day } = (await db.read("thing")).get("1") ?? {};
    const expected = { name: hashValue(name), f: hashValue(f), doc: hashValue(doc), day: hashValue(day) };
    expect(await db.write("thing", [conditional("1", expected), conditional("2", expected)])).toMatchObject([
      { status: "done", values: { name: "new 1" } },
      { status: "conflict", record: { id: "2", values: { name: "SAME", f: 0.1 } } },
    ]);
  });
  test("a conflict says when the row was changed by others, whatever the zone of their time stamps is", async () => {
    const db = await maria.database(`
      CREATE TABLE thing (id INT PRIMARY KEY, name VARCHAR(20), updated_at DATETIME(6)); INSERT INTO thing VALUES (1, 'old', NULL)`);
    await db.sql("SET GLOBAL time_zone = '-08:00'");
    onTestFinished(() => void db.sql("SET GLOBAL time_zone = 'SYSTEM'"));
    const other = await session(db);
    const begun = Date.now();
    await other("UPDATE thing SET name = 'theirs', updated_at = NOW(6) WHERE id = 1");
    const [conflict] = await db.write("thing", [conditional("1", { name: hashValue("old") })]);
    expect(conflict).toMatchObject({ status: "conflict", record: { values: { name: "theirs" } } });
    const changedAt = conflict?.status === "conflict" ? Date.parse(conflict.record.modifiedAt ?? "") : 0;
    expect(changedAt).toBeGreaterThanOrEqual(begun - 1);
    expect(changedAt).toBeLessThanOrEqual(Date.now() + 1);
  });
  test("rows that others have locked are tried later, without holding up the rest of their batch", async () => {
    const db = await maria.database(SCHEMA);
    const other = await session(db);
    await other("START TRANSACTION; UPDATE thing SET name = 'held' WHERE id IN (2, 4)");
    const hasEnded = await beginStatement(maria.server(), 15);
    const outcomes = await db.write(
      "thing",
      [1, 2, 3, 4, 5].map((id) => update(String(id), { name: "mine" })),
    );
    expect(hasEnded(), "they were not waited for").toBe(false);
    expect(outcomes.map(({ status }) => status)).toEqual(["done", "retry", "done", "retry", "done"]);
    expect(outcomes[1]).toMatchObject({ neverSent: true, message: expect.stringContaining("locked") });
    await other("COMMIT");
    expect(await db.write("thing", [update("2", { name: "mine" })])).toMatchObject([{ status: "done" }]);
  });
  test("a row that waits for one of another table does not hold up the rest either", async () => {
    const db = await maria.database(`
      CREATE TABLE country (code VARCHAR(2) PRIMARY KEY); INSERT INTO country VALUES ('DE'), ('JP');
      CREATE TABLE city (id INT PRIMARY KEY, country VARCHAR(2), FOREIGN KEY (country) REFERENCES country (code))`);
    const other = await session(db);
    await other("START TRANSACTION; SELECT * FROM country WHERE code = 'JP' FOR UPDATE");
    const countries = ["DE", "JP", "DE"];
    const made = await db.write(
      "city",
      countries.map((country, id) => create({ id, country })),
    );
    expect(made.map(({ status }) => status)).toEqual(["done", "retry", "done"]);
    await other("ROLLBACK");
    expect(await db.write("city", [create({ id: 1, country: "JP" })])).toMatchObject([{ status: "done" }]);
  });
  test("what a part of a batch has written stays written, and is answered so, when the rest may not be sent any more", async () => {
    const db = await maria.database(`
      CREATE TABLE country (code VARCHAR(2) PRIMARY KEY); INSERT INTO country VALUES ('DE'), ('JP');
      CREATE TABLE city (id INT PRIMARY KEY, country VARCHAR(2), FOREIGN KEY (country) REFERENCES country (code))`);
    const other = await session(db);
    await other("START TRANSACTION; SELECT * FROM country WHERE code = 'JP' FOR UPDATE");
    const connection = db.connect();
    const entity = await db.entity("city", connection);
    // All three until the second waits for the lock, then the first alone, and its end.
    let calls = 0;
    const assertMaySend = (): void => {
      if ((calls += 1) > 4) throw new ConnectorError("unavailable", "Somebody else writes now.", { neverSent: true });
    };
    const operations = ["DE", "JP", "DE"].map((country, id) => create({ id, country }));
    const outcomes = await connection.write?.({ entity, operations, assertMaySend });
    expect(outcomes).toMatchObject([
      { status: "done", id: "0" },
      { status: "retry", neverSent: true },
      { status: "retry", neverSent: true },
    ]);
    expect(await db.sql("SELECT id FROM city")).toEqual([{ id: 0 }]);
  });
  test("a deadlock with others is done again", async () => {
    const db = await maria.database(SCHEMA);
    const other = await session(db);
    await db.sql("CREATE TABLE log (id INT PRIMARY KEY, n INT); INSERT INTO log VALUES (1, 0)");
    await db.sql("CREATE TRIGGER logged BEFORE UPDATE ON thing FOR EACH ROW UPDATE log SET n = n + 1 WHERE id = 1");
    // The other holds the log; ours takes the row and waits for the log; the other then waits for the row.
    // It has done more: ours is the one that the server ends.
    await other(
      "START TRANSACTION; INSERT INTO log SELECT seq, 0 FROM seq_2_to_2000; UPDATE log SET n = 100 WHERE id = 1",
    );
    const written = db.write("thing", [update("1", { name: "mine" })]);
    // What is asked more often than this is answered as it was.
    const waiting = () => db.sql("SELECT 1 FROM information_schema.INNODB_TRX WHERE trx_state = 'LOCK WAIT'");
    await expect.poll(waiting, { interval: 150 }).toHaveLength(1);
    await other("DELETE FROM thing WHERE id = 1; ROLLBACK");
    expect((await db.sql("SHOW GLOBAL STATUS LIKE 'Innodb_deadlocks'"))[0]).toMatchObject({ Value: "1" });
    expect(await written).toMatchObject([{ status: "done", values: { name: "mine" } }]);
  });
  test("an update that changes nothing is done, not missing", async () => {
    const db = await maria.database(SCHEMA);
    expect(
      await db.write("thing", [update("1", { name: "same" }), update("2", {}), update("3", { id: 99 })]),
    ).toMatchObject([
      { status: "done", id: "1" },
      { status: "done", id: "2" },
      { status: "done", id: "3", values: { id: 3 } },
    ]);
  });
  test("when the caller may no longer write, the whole batch is undone before its end", async () => {
    const db = await maria.database(SCHEMA);
    const connection = db.connect();
    const entity = await db.entity("thing", connection);
    let calls = 0;
    const assertMaySend = (): void => {
      if ((calls += 1) === 3) throw new Error("over");
    };
    const operations = [update("1", { name: "x" }), update("2", { name: "x" })];
    await expect(connection.write?.({ entity, operations, assertMaySend })).rejects.toThrow("over");
    expect(await db.sql("SELECT DISTINCT name FROM thing")).toEqual([{ name: "same" }]);
  });
});

describe("who may write", () => {
  test("tables without transactions, and tables that the user may only read, are read-only and say why", async () => {
    const db = await maria.database(`
      CREATE TABLE old (id INT PRIMARY KEY) ENGINE = MyISAM COMMENT 'Since 1999.';
      CREATE TABLE mine (id INT PRIMARY KEY, n INT); CREATE TABLE hidden (id INT PRIMARY KEY);
      CREATE TABLE half (id INT PRIMARY KEY, open INT, secret INT);
      CREATE USER IF NOT EXISTS reader IDENTIFIED BY 'reader'`);
    await db.sql(
      `GRANT SELECT ON ${db.name}.mine TO reader; GRANT SELECT (id, open), UPDATE (open) ON ${db.name}.half TO reader`,
    );
    expect(await db.entity("old")).toMatchObject({
      readOnly: true,
      description: "Since 1999. Read only: its storage engine MyISAM knows no transactions.",
    });
    const connection = db.connect({ credentials: { username: "reader", password: "reader" } });
    const found = [];
    for await (const { entity } of connection.discover({})) found.push(entity);
    expect(found.map(({ apiName, readOnly }) => [apiName, readOnly])).toEqual([
      ["half", false],
      ["mine", true],
    ]);
    expect(found[0]?.fields.map(({ apiName }) => apiName)).toEqual(["id", "open"]);
    const [, mine] = found;
    if (!mine) throw new Error("No table.");
    await expect(connection.write?.({ entity: mine, operations: [create({ id: 1 })] })).rejects.toMatchObject({
      kind: "permission",
      hint: expect.stringContaining("Grant"),
    });
  });
});
