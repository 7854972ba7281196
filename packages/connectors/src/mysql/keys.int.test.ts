/** What identifies rows of MySQL tables: keys of all kinds, names of all kinds, and texts that the server holds equal. */
import { readToEnd } from "@accord/connector-sdk/test-kit";
import type { Connection, SourceRecord } from "@accord/connector-sdk";
import type { EntitySchema } from "@accord/contracts/data/schema";
import { describe, expect, test } from "vitest";
import { create, mariaDb, remove, update, withId } from "./mysql.fixtures.ts";

const maria = mariaDb();

/** Ids of a walk through all pages, and of the list of ids. */
async function walked(
  connection: Connection,
  entity: EntitySchema,
  pageSize = 2,
): Promise<{ read: string[]; listed: string[] }> {
  const { records } = await readToEnd(connection, { entity, cursor: null, pageSize });
  const listed: string[] = [];
  for (let cursor: unknown = null, drained = false; !drained;) {
    const page: { ids: string[]; cursor: unknown; drained: boolean } = (await connection.listIds?.({
      entity,
      cursor: cursor as never,
      pageSize,
    })) ?? { ids: [], cursor, drained: true };
    listed.push(...page.ids);
    ({ cursor, drained } = page);
  }
  return { read: records.map(({ id }) => id), listed };
}

describe("keys", () => {
  const kinds: [type: string, values: string, ids: string[]][] = [
    [
      "BIGINT UNSIGNED",
      "(18446744073709551615), (18446744073709551614), (9007199254740993), (0)",
      ["0", "9007199254740993", "18446744073709551614", "18446744073709551615"],
    ],
    [
      "BIGINT",
      "(-9007199254740993), (-9007199254740992), (9007199254740992), (9007199254740993)",
      ["-9007199254740993", "-9007199254740992", "9007199254740992", "9007199254740993"],
    ],
    [
      "DECIMAL(40, 10)",
      "(123456789012345678901234567890.0000000001), (123456789012345678901234567890.0000000002), (-1)",
      ["-1.0000000000", "123456789012345678901234567890.0000000001", "123456789012345678901234567890.0000000002"],
    ],
    ["BINARY(2)", "(x'00ff'), (x'275c'), (x'ff00')", ["\\x00ff", "\\x275c", "\\xff00"]],
    [
      "UUID",
      "('ffffffff-0000-4000-8000-000000000001'), ('00000000-0000-4000-8000-000000000002'), ('aaaaaaaa-0000-4000-8000-000000000003')",
      [
        "00000000-0000-4000-8000-000000000002",
        "aaaaaaaa-0000-4000-8000-000000000003",
        "ffffffff-0000-4000-8000-000000000001",
      ],
    ],
    [
      "DATETIME(6)",
      "('2024-01-01 00:00:00.000002'), ('2024-01-01 00:00:00.000001'), ('1999-12-31 00:00:00')",
      ["1999-12-31 00:00:00.000000", "2024-01-01 00:00:00.000001", "2024-01-01 00:00:00.000002"],
    ],
    ["DATE", "('2024-01-31'), ('1999-12-31'), ('2024-02-29')", ["1999-12-31", "2024-01-31", "2024-02-29"]],
    ["YEAR", "(0), (1901), (2024), (2155)", ["0000", "1901", "2024", "2155"]],
    ["TIME", "('-10:00:00'), ('00:12:30'), ('838:59:59')", ["-10:00:00", "00:12:30", "838:59:59"]],
    ["ENUM('z', 'm', 'a')", "('z'), ('m'), ('a')", ["a", "m", "z"]],
    ["FLOAT", "(0.1), (0.2), (0.3)", ["0.1", "0.2", "0.3"]],
    ["BIT(4)", "(b'1010'), (b'0001'), (b'1111')", ["1", "10", "15"]],
    [
      "VARCHAR(20)",
      "('b'), ('Ä'), ('z'), ('a_%'), ('🦊'), (''), ('\\\\x41')",
      ["", "🦊", "\\x41", "Ä", "a_%", "b", "z"],
    ],
    ["VARCHAR(20) COLLATE utf8mb4_bin", "('b'), ('B'), ('ä'), ('a'), ('a '), ('A')", ["A", "B", "a", "b", "ä"]],
    ["VARCHAR(20) COLLATE utf8mb4_nopad_bin", "('b'), ('B'), ('a'), ('a '), ('A')", ["A", "B", "a", "a ", "b"]],
    ["VARCHAR(20) CHARACTER SET latin1", "('b'), ('ä'), ('C')", ["ä", "b", "C"]],
  ];
  test.for(kinds)(
    "%s: each row once, in pages of two, found, changed and deleted by its id",
    async ([type, values, ids]) => {
      const db = await maria.database(
        `CREATE TABLE thing (k ${type} PRIMARY KEY, note INT); INSERT IGNORE INTO thing (k) VALUES ${values}`,
      );
      const connection = db.connect();
      const entity = await db.entity("thing", connection);
      const { read, listed } = await walked(connection, entity);
      expect(listed).toEqual(read);
      expect(new Set(read)).toEqual(new Set(ids));
      expect(read).toHaveLength(ids.length);
      const found = (await connection.getByIds?.({ entity, fields: ["note"], ids })) ?? [];
      expect(new Set(found.map(({ id }) => id))).toEqual(new Set(ids));
      const changed = await db.write(
        "thing",
        ids.map((id, note) => update(id, { note })),
      );
      expect(changed).toMatchObject(ids.map((id, note) => ({ status: "done", id, values: { note } })));
      const removed = await db.write("thing", ids.map(remove));
      expect(removed.map(({ status }) => status)).toEqual(ids.map(() => "done"));
      expect(await db.sql("SELECT COUNT(*) n FROM thing")).toEqual([{ n: 0 }]);
    },
  );
  test("that are zero dates are paged over, found, changed and deleted like others; days that no month has are none", async () => {
    const db = await maria.database("CREATE TABLE thing (k DATE PRIMARY KEY, note INT)");
    await db.sql(
      "SET SESSION sql_mode = ''; INSERT INTO thing (k) VALUES ('0000-00-00'), ('2024-00-00'), ('2024-05-00'), ('2024-05-01')",
    );
    const connection = db.connect();
    const entity = await db.entity("thing", connection);
    const ids = ["0000-00-00", "2024-00-00", "2024-05-00", "2024-05-01"];
    const { read, listed } = await walked(connection, entity, 1);
    expect(read).toEqual(ids);
    expect(listed).toEqual(ids);
    expect(await connection.getByIds?.({ entity, fields: [], ids: ["2024-02-30", "2024-13-01"] })).toEqual([]);
    const written = [
      ...ids.map((id) => update(id, { note: 1 })),
      update("2024-02-30", { note: 1 }),
      ...ids.map(remove),
    ];
    const done = ids.map(() => "done");
    expect((await db.write("thing", written)).map(({ status }) => status)).toEqual([...done, "missing", ...done]);
  });
  test("that nothing can be compared with end the reading with what to do, not in a circle", async () => {
    const db = await maria.database("CREATE TABLE thing (k DATE PRIMARY KEY)");
    await db.sql(
      "SET SESSION sql_mode = 'ALLOW_INVALID_DATES'; INSERT INTO thing VALUES ('2024-02-30'), ('2024-02-31'), ('2024-03-01')",
    );
    const connection = db.connect();
    const entity = await db.entity("thing", connection);
    await expect(readToEnd(connection, { entity, cursor: null, pageSize: 1 })).rejects.toMatchObject({
      kind: "configuration",
      message: expect.stringContaining("2024-02-30"),
      hint: expect.stringContaining("choose another field as id"),
    });
    const { records } = await readToEnd(connection, { entity, cursor: null, pageSize: 5 });
    expect(records.map(({ id }) => id)).toEqual(["2024-02-30", "2024-02-31", "2024-03-01"]);
  });
  test("of several columns page through each of them, whatever they hold", async () => {
    const db = await maria.database(`
      CREATE TABLE thing (a VARCHAR(10), b INT, c BINARY(1), note INT, PRIMARY KEY (a, b, c));
      INSERT INTO thing (a, b, c) SELECT CONCAT(IF(x.seq % 2, 'q"', 'R,'), x.seq), y.seq, UNHEX(CONCAT('0', z.seq))
      FROM seq_1_to_3 x, seq_1_to_3 y, seq_1_to_2 z`);
    const connection = db.connect();
    const entity = await db.entity("thing", connection);
    for (const pageSize of [1, 2, 5]) {
      const { read, listed } = await walked(connection, entity, pageSize);
      expect(new Set(read).size).toBe(18);
      expect(read).toHaveLength(18);
      expect(listed).toEqual(read);
    }
    const id = '["q\\"1","2","\\\\x02"]';
    expect(await db.write("thing", [update(id, { note: 5 })])).toMatchObject([{ status: "done", id }]);
    const [made] = await db.write("thing", [create({ a: "new", b: 9, c: "\\x01", note: 1 })]);
    expect(made).toMatchObject({ status: "done", id: '["new","9","\\\\x01"]' });
  });
  test("a primary key of several columns is the id before a unique column; without one, a unique, always filled column", async () => {
    const db = await maria.database(`
      CREATE TABLE one (a INT, b INT, code VARCHAR(5) NOT NULL UNIQUE, PRIMARY KEY (a, b));
      CREATE TABLE two (a INT, code VARCHAR(5) UNIQUE, UNIQUE (a, code));
      CREATE TABLE three (a INT, code VARCHAR(50) NOT NULL, UNIQUE (code(3)));
      CREATE TABLE four (a INT, code VARCHAR(5) NOT NULL UNIQUE)`);
    const idOf = async (table: string) => (await db.entity(table)).fields.find(({ isIdField }) => isIdField)?.apiName;
    expect(await Promise.all(["one", "two", "three", "four"].map(idOf))).toEqual([
      '["a","b"]',
      undefined,
      undefined,
      "code",
    ]);
  });
});

describe("texts that the server holds equal", () => {
  test("are one record when they are looked up, and one row when they are written", async () => {
    const db = await maria.database(
      "CREATE TABLE thing (k VARCHAR(20) PRIMARY KEY, note INT); INSERT INTO thing VALUES ('Straße', 1), ('b', 2)",
    );
    const connection = db.connect();
    const entity = await db.entity("thing", connection);
    const spellings = ["Straße", "STRAßE", "straße ", "STRÀßE"];
    const found = await connection.getByIds?.({ entity, fields: ["note"], ids: spellings });
    expect(found?.map(({ id }) => id)).toEqual(["Straße"]);
    const looked = await connection.lookup?.({ entity, fields: ["note"], field: "k", values: spellings });
    expect(looked?.map(({ id }) => id)).toEqual(["Straße"]);
    expect(await db.write("thing", [update("STRASSE", { note: 5 }), update("straße", { note: 6 })])).toMatchObject([
      { status: "missing" },
      { status: "done", id: "Straße", values: { note: 6 } },
    ]);
    expect(await db.write("thing", [create({ k: "straße", note: 7 })])).toMatchObject([
      {
        status: "rejected",
        code: "duplicate",
        field: "k",
        isTransient: true,
        message: expect.stringContaining("The row Straße holds it."),
      },
    ]);
  });
  test("are looked up by their own type: a word is not the number 0, nor a letter of another alphabet", async () => {
    const db = await maria.database(`
      CREATE TABLE thing (id INT PRIMARY KEY, n INT, latin VARCHAR(20) CHARACTER SET latin1, flag BOOLEAN, at DATETIME(6), amount DECIMAL(20, 4));
      INSERT INTO thing VALUES (0, 0, 'Größe', TRUE, '2024-01-01 10:00:00.000001', 0.1), (1, 1, 'b', FALSE, NULL, 9007199254740993.0001)`);
    const connection = db.connect();
    const entity = await db.entity("thing", connection);
    const ids = async (field: string, ...values: (string | number | boolean)[]) =>
      (await connection.lookup?.({ entity, fields: [], field, values }))?.map(({ id }) => id).toSorted();
    expect(await ids("n", "abc", "1x", "")).toEqual([]);
    expect(await ids("n", "0")).toEqual(["0"]);
    expect(await ids("latin", "日本", "B", "🦊", "größe")).toEqual(["0", "1"]);
    expect(await ids("flag", true)).toEqual(["0"]);
    expect(await ids("at", "2024-01-01T10:00:00.000001Z")).toEqual(["0"]);
    expect(await ids("amount", "9007199254740993.0001", "0.10001")).toEqual(["1"]);
    await db.sql("INSERT INTO thing (id, amount) VALUES (2, 9999999999999999.9999)");
    expect(await ids("amount", "10000000000000000", "9e99")).toEqual([]);
    expect(await connection.getByIds?.({ entity, fields: [], ids: ["x", "0x1", "1; DROP TABLE thing"] })).toEqual([]);
  });
});

describe("views", () => {
  test("are read by a chosen id and never written; rows that share it, or have none, are reported", async () => {
    const db = await maria.database(`
      CREATE TABLE thing (id INT PRIMARY KEY, code VARCHAR(10) COLLATE utf8mb4_bin, note INT);
      INSERT INTO thing VALUES (1, 'a', 1), (2, 'A', 2), (3, 'á', 3), (4, 'b', 4), (5, 'b', 5), (6, NULL, 6), (7, 'c', 7), (8, 'B', 8);
      CREATE VIEW seen AS SELECT CONVERT(code USING utf8mb4) COLLATE utf8mb4_general_ci code, note FROM thing`);
    const connection = db.connect();
    const entity = await db.entity("seen", connection);
    expect(entity).toMatchObject({ readOnly: true });
    expect(entity.fields.filter(({ isIdField }) => isIdField)).toEqual([]);
    const chosen = withId(entity, "code");
    for (const pageSize of [1, 2, 3, 50]) {
      const { read, listed } = await walked(connection, chosen, pageSize);
      expect(read.toSorted()).toEqual(["A", "B", "a", "b", "c", "á"]);
      expect(listed.toSorted()).toEqual(read.toSorted());
    }
    const page = await connection.read({
      entity: chosen,
      fields: ["note"],
      cursor: null,
      mode: "changes",
      pageSize: 50,
    });
    expect(page.bad).toEqual([
      { place: "rows without code", message: expect.stringContaining("id field: 1.") },
      { place: "id b", message: expect.stringContaining("more than once") },
    ]);
  });
});

describe("names", () => {
  const table = "odd `name` \"x\" 'y' ; -- ünï 🦊 select".replace(" 🦊", "");
  test("of all kinds are read and written: backticks, quotes, spaces, letters of any alphabet, words of SQL", async () => {
    const quoted = `\`${table.replaceAll("`", "``")}\``;
    const db = await maria.database(`
      CREATE TABLE ${quoted} (\`select\` INT PRIMARY KEY, \`a\`\`b\` VARCHAR(9), \`ключ ?\` INT, \`t.\`\`x\` BINARY(1) , \`:v\` FLOAT, \`from\` DATETIME(6) ON UPDATE NOW(6));
      CREATE TABLE \`Thing\` (id INT PRIMARY KEY); CREATE TABLE \`thing\` (id INT PRIMARY KEY, more INT)`);
    const values = { select: 1, "a`b": "? x", "ключ ?": 5, "t.`x": "\\x01", ":v": 0.5 };
    expect(await db.write(table, [create(values)])).toMatchObject([{ status: "done", id: "1", values }]);
    expect(await db.write(table, [update("1", { "ключ ?": 6 })])).toMatchObject([
      { status: "done", values: { "ключ ?": 6 } },
    ]);
    const connection = db.connect();
    const entity = await db.entity(table, connection);
    const { records }: { records: SourceRecord[] } = await readToEnd(connection, { entity, cursor: null, pageSize: 5 });
    expect(records).toMatchObject([{ id: "1", values: { ...values, "ключ ?": 6 } }]);
    expect(await connection.lookup?.({ entity, fields: [], field: "a`b", values: ["? x"] })).toHaveLength(1);
    // Where tables differ by upper and lower case alone, each has its own columns.
    expect((await db.entity("Thing")).fields).toHaveLength(1);
    expect((await db.entity("thing")).fields).toHaveLength(2);
  });
});
