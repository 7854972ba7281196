/** Values of MySQL and MariaDB through the connector: to the last digit both ways, and zero dates that cost only their field. */
import { readToEnd } from "@accord/connector-sdk/test-kit";
import type { Value } from "@accord/contracts/data/values";
import { describe, expect, test } from "vitest";
import { create, mariaDb, update } from "./mysql.fixtures.ts";

const maria = mariaDb();

const ALL_TYPES = `
  CREATE TABLE thing (
    id INT PRIMARY KEY,
    big BIGINT, positive BIGINT UNSIGNED, exact DECIMAL(65, 30), single FLOAT, dbl DOUBLE, small TINYINT, yr YEAR,
    day DATE, at DATETIME(6), seconds DATETIME, stamp TIMESTAMP(6) NULL, span TIME(6),
    flag BOOLEAN, bits BIT(12), one_bit BIT(1), doc JSON, mood ENUM('calm', 'it''s, busy', '2'), tags SET('a', 'b', 'c d'),
    words TEXT, fixed CHAR(8), raw VARBINARY(20), pad BINARY(4), blobs LONGBLOB, latin VARCHAR(20) CHARACTER SET latin1,
    code UUID, place POINT, doubled INT AS (id * 2) STORED, tripled INT AS (id * 3) VIRTUAL, hidden INT INVISIBLE)`;

/** Each value as it is written, and read again. */
const VALUES: { [field: string]: Value } = {
  big: "-9223372036854775808",
  positive: "18446744073709551615",
  exact: "-12345678901234567890123456789012345.123456789012345678901234567891",
  single: 0.1,
  dbl: 1.7976931348623157e308,
  small: -128,
  yr: 2155,
  day: "9999-12-31",
  at: "1582-10-15T23:59:59.123456Z",
  seconds: "2024-03-31T02:30:00.000Z",
  stamp: "2037-12-31T23:59:59.999999Z",
  span: "-838:59:58.123456",
  flag: true,
  bits: 4095,
  one_bit: true,
  mood: "it's, busy",
  tags: ["a", "c d"],
  words: "Ünï 🦊 \\ ' \" \u0000 \u001a \n %_",
  fixed: "ab",
  raw: "\\x00ff275c",
  pad: "\\x01000000",
  blobs: "\\x",
  latin: "Größe",
  code: "123e4567-e89b-12d3-a456-426655440000",
  hidden: 7,
};

describe("values", () => {
  test("of each type are written and read again to the last digit, whatever its server's time zone", async () => {
    const db = await maria.database(ALL_TYPES);
    const [made] = await db.write("thing", [create({ id: 1, ...VALUES })]);
    expect(made).toMatchObject({ status: "done", id: "1", values: { ...VALUES, doubled: 2, tripled: 3 } });
    const [read] = [...(await db.read("thing")).values()];
    expect(read).toMatchObject({ ...VALUES, id: 1, doubled: 2, tripled: 3 });
    // As the server itself has them.
    const [row] = await db.sql(
      `SELECT CAST(exact AS CHAR) exact, CAST(positive AS CHAR) positive, single = CAST(0.1 AS FLOAT) single, HEX(raw) raw,
         HEX(words) words, CAST(at AS CHAR) at, bits + 0 bits, tags + 0 tags FROM thing`,
    );
    expect(row).toEqual({
      exact: VALUES["exact"],
      positive: VALUES["positive"],
      single: 1,
      raw: "00FF275C",
      words: Buffer.from(String(VALUES["words"])).toString("hex").toUpperCase(),
      at: "1582-10-15 23:59:59.123456",
      bits: 4095,
      tags: 5,
    });
  });
  test("written by the database itself arrive as they are, floats with all their digits", async () => {
    const db = await maria.database(ALL_TYPES);
    await db.sql(`INSERT INTO thing (id, single, dbl, exact, place, doc) VALUES
      (1, 16777217, 1e300 / 3, 0.10, ST_GeomFromText('POINT(1 2)'), '{"n": 12345678901234567890.10, "a": [1.0, null]}'),
      (2, 3.4028234e38, -5e-324, -0, NULL, '"just text"'), (3, 1234567.8, 0.1 + 0.2e0, 1e-30, NULL, 'null')`);
    const read = await db.read("thing");
    expect(read.get("1")).toMatchObject({ single: 16777216, dbl: 3.3333333333333335e299, place: "POINT(1 2)" });
    expect(read.get("1")?.["exact"]).toBe("0.100000000000000000000000000000");
    expect(JSON.stringify(read.get("1")?.["doc"])).toBe('{"n":12345678901234567890.10,"a":[1.0,null]}');
    expect(read.get("2")).toMatchObject({ single: 3.4028235e38, dbl: -5e-324, doc: "just text" });
    expect(read.get("3")).toMatchObject({ single: 1234567.8, dbl: 0.30000000000000004 });
  });
  test("numbers in JSON keep their digits when they are written, and texts of JSON stay texts", async () => {
    const db = await maria.database(ALL_TYPES);
    const doc: Value = { n: JSON.rawJSON("12345678901234567890.10"), deep: ["🦊", { quote: "'\\\"" }] };
    await db.write("thing", [create({ id: 1, doc }), create({ id: 2, doc: "text" })]);
    const rows = await db.sql("SELECT CONCAT(doc, '') doc FROM thing ORDER BY id");
    expect(rows).toEqual([
      { doc: '{"n":12345678901234567890.10,"deep":["🦊",{"quote":"\'\\\\\\""}]}' },
      { doc: '"text"' },
    ]);
  });
  test("a zero date, or a number in place of true and false, costs its field and says what it is", async () => {
    const db = await maria.database(ALL_TYPES);
    await db.sql(`SET SESSION sql_mode = ''; INSERT INTO thing (id, day, at, stamp, flag, small) VALUES
      (1, '0000-00-00', '2024-00-10 00:00:00', '0000-00-00 00:00:00', 2, 5), (2, '2024-02-29', NULL, NULL, 0, 6)`);
    const connection = db.connect();
    const entity = await db.entity("thing", connection);
    const { records } = await readToEnd(connection, { entity, cursor: null, pageSize: 10 });
    const [one, two] = records;
    expect(one?.values).toMatchObject({ id: 1, small: 5 });
    for (const field of ["day", "at", "stamp", "flag"]) expect(one?.values).not.toHaveProperty(field);
    expect(one?.badFields).toEqual([
      { field: "day", message: 'Day: "0000-00-00" is no day of the calendar.', excerpt: "0000-00-00" },
      expect.objectContaining({ field: "at", excerpt: "2024-00-10 00:00:00.000000" }),
      expect.objectContaining({ field: "stamp" }),
      expect.objectContaining({ field: "flag", message: 'Flag: "2" is not true or false.' }),
    ]);
    expect(two?.badFields).toBeUndefined();
    expect(two?.values).toMatchObject({ day: "2024-02-29", flag: false });
  });
});

describe("fields", () => {
  test("have the types, lengths, options and limits of their columns; computed ones can't be written", async () => {
    const db = await maria.database(ALL_TYPES);
    const { fields } = await db.entity("thing");
    const byName = new Map(fields.map((field) => [field.apiName, field]));
    const types = Object.fromEntries(fields.map(({ apiName, dataType }) => [apiName, dataType]));
    expect(types).toMatchObject({
      id: "integer",
      positive: "decimal",
      exact: "decimal",
      single: "double",
      yr: "integer",
      day: "date",
      at: "datetime",
      stamp: "datetime",
      span: "string",
      flag: "boolean",
      bits: "integer",
      one_bit: "boolean",
      doc: "object",
      mood: "picklist",
      tags: "picklist",
      raw: "string",
    });
    expect(byName.get("exact")).toMatchObject({ precision: 65, scale: 30 });
    expect(byName.get("positive")).toMatchObject({ precision: 20, scale: 0 });
    expect(byName.get("fixed")).toMatchObject({ length: 8 });
    expect(byName.get("mood")?.picklist?.map(({ id }) => id)).toEqual(["calm", "it's, busy", "2"]);
    expect(byName.get("tags")).toMatchObject({ isMultiValueField: true });
    for (const name of ["doubled", "tripled", "place"])
      expect(byName.get(name)).toMatchObject({ initializable: false, updateable: false, calculated: true });
  });
});

describe("definitions out of the ordinary", () => {
  test("leave the rest of the database to be found: options without a name, texts without length, keys of many long names", async () => {
    const long = ["a", "b", "c", "d"].map((letter) => letter.repeat(60));
    const db = await maria.database(`
      CREATE TABLE odd (id INT PRIMARY KEY, flag ENUM('', 'Y', 'N'), only ENUM(''), nothing CHAR(0), none VARCHAR(0));
      CREATE TABLE wide (${long.map((name) => `${name} INT`).join(", ")}, PRIMARY KEY (${long.join(", ")}));
      INSERT INTO odd VALUES (1, '', '', '', ''), (2, 'Y', NULL, NULL, NULL)`);
    const byName = new Map((await db.entity("odd")).fields.map((field) => [field.apiName, field]));
    expect(byName.get("flag")).toMatchObject({ dataType: "picklist", picklist: [{ id: "Y" }, { id: "N" }] });
    expect(byName.get("only")?.picklist).toBeUndefined();
    expect(byName.get("nothing")?.length).toBeUndefined();
    expect((await db.read("odd")).get("1")).toEqual({ id: 1, flag: "", only: "", nothing: "", none: "" });
    expect(await db.write("odd", [update("2", { flag: "", nothing: "" })])).toMatchObject([{ status: "done" }]);
    // Its id has to be chosen.
    expect((await db.entity("wide")).fields.map(({ apiName, isIdField }) => [apiName, isIdField])).toEqual(
      long.map((name) => [name, false]),
    );
  });
  test("a check is what makes a text JSON when it is about the column that it is called like", async () => {
    const db = await maria.database(`
      CREATE TABLE thing (id INT PRIMARY KEY, doc JSON, own TEXT CHECK (JSON_VALID(own)), \`o\`\`dd\` JSON, other TEXT, text TEXT,
        CONSTRAINT text CHECK (JSON_VALID(other)), CONSTRAINT free CHECK (JSON_VALID(text)))`);
    const { fields } = await db.entity("thing");
    const objects = fields.filter(({ dataType }) => dataType === "object").map(({ apiName }) => apiName);
    expect(objects).toEqual(["doc", "own", "o`dd"]);
  });
});

describe("what a column can't hold", () => {
  const refusals: [field: string, value: Value, code: string][] = [
    ["small", 128, "out_of_range"],
    ["small", "1.5", "wrong_type"],
    ["big", "9223372036854775808", "out_of_range"],
    ["positive", -1, "out_of_range"],
    ["exact", "1e40", "out_of_range"],
    ["dbl", "NaN", "wrong_type"],
    ["day", "2024-02-30", "wrong_type"],
    ["day", "0000-00-00", "wrong_type"],
    ["at", "infinity", "wrong_type"],
    ["stamp", "2040-01-01T00:00:00.000Z", "wrong_type"],
    ["flag", "perhaps", "wrong_type"],
    ["bits", 4096, "too_long"],
    ["mood", "angry", "wrong_type"],
    ["mood", "1", "wrong_type"],
    ["tags", ["a", "z"], "wrong_type"],
    ["tags", ["a,b"], "wrong_type"],
    ["yr", 24, "wrong_type"],
    ["yr", "70", "wrong_type"],
    ["yr", 2156, "wrong_type"],
    ["span", "1230", "wrong_type"],
    ["span", "2024-01-31 08:00:00", "wrong_type"],
    ["day", "0", "wrong_type"],
    ["at", "2024-00-10T00:00:00.000Z", "wrong_type"],
    ["fixed", "123456789", "too_long"],
    ["pad", "\\x0102030405", "too_long"],
    ["latin", "日本", "wrong_type"],
    ["code", "no-uuid", "wrong_type"],
  ];
  test.for(refusals)("is refused, never cut or bent: %s %j as %s", async ([field, value, code]) => {
    const db = await maria.database(ALL_TYPES);
    await db.sql("INSERT INTO thing (id) VALUES (1)");
    for (const operation of [create({ id: 2, [field]: value }), update("1", { [field]: value })]) {
      const [outcome] = await db.write("thing", [operation]);
      expect(outcome).toMatchObject({ status: "rejected", code, field, message: expect.stringMatching(/\w{3}.*\.$/) });
    }
    expect(await db.sql("SELECT COUNT(*) n FROM thing")).toEqual([{ n: 1 }]);
    expect(await db.sql(`SELECT \`${field}\` v FROM thing`)).toEqual([{ v: null }]);
  });
  test("but digits beyond a decimal's scale are rounded, and answered as they are stored", async () => {
    const db = await maria.database("CREATE TABLE price (id INT PRIMARY KEY, amount DECIMAL(10, 2), at DATETIME)");
    const [made] = await db.write("price", [create({ id: 1, amount: "1.005", at: "2024-01-01T00:00:00.700Z" })]);
    expect(made).toMatchObject({ status: "done", values: { amount: "1.01", at: "2024-01-01T00:00:00.000Z" } });
  });
});
