/** Tests of record tables on real PostgreSQL: what is stored comes back the same, and changes of type lose nothing. */
import { parseExactJson } from "@accord/contracts/data/exact-json";
import type { DataType, Value } from "@accord/contracts/data/values";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../../../../test-kit/database/database.ts";
import { instanceSchema } from "../../../platform/db/db.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import * as columns from "./record-columns.ts";
import * as table from "./record-table.ts";

const INSTANCE = "00000000000000000000aaaa";
const TYPES: DataType[] = [
  "boolean",
  "integer",
  "double",
  "decimal",
  "string",
  "date",
  "datetime",
  "picklist",
  "reference",
  "object",
];

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await database.data.pool.query(`CREATE SCHEMA ${instanceSchema(INSTANCE)}`);
});
afterAll(() => database.drop());

const field = (apiName: string, dataType: DataType, isMultiValueField = false): table.RecordField => ({
  apiName,
  dataType,
  isMultiValueField,
});
const run = async (statements: readonly string[]) => {
  for (const statement of statements) await database.data.pool.query(statement);
};

const text = fc.string({ unit: "grapheme" }).filter((value) => !value.includes("\0"));
const moment = fc
  .date({ min: new Date("0001-01-01T00:00:00Z"), max: new Date("9999-12-31T23:59:59Z"), noInvalidDate: true })
  .map((date) => date.toISOString());
const notFinite = fc.constantFrom("NaN", "Infinity", "-Infinity");
const VALUES: Record<string, fc.Arbitrary<Value>> = {
  boolean: fc.boolean(),
  integer: fc.oneof(fc.maxSafeInteger(), fc.constant("9223372036854775807")),
  double: fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
    notFinite,
  ),
  decimal: fc.oneof(
    fc.tuple(fc.bigInt(), fc.nat(999)).map(([whole, part]) => `${whole}.${String(part).padStart(3, "0")}`),
    notFinite,
  ),
  string: text,
  date: fc.oneof(
    moment.map((value) => value.slice(0, 10)),
    fc.constantFrom("infinity", "-infinity", "-000043-03-15", "+012024-02-29", "+5874896-12-31"),
  ),
  datetime: fc.oneof(
    moment,
    moment.map((value) => value.replace("Z", "001Z")),
    fc.constantFrom("infinity", "-infinity", "-000043-03-15T00:00:00.000Z", "+012024-02-29T23:59:59.999999Z"),
  ),
  picklist: text,
  reference: text,
  object: fc.dictionary(
    text.filter((key) => key !== "__proto__"),
    fc.oneof(
      text,
      fc.integer(),
      fc.boolean(),
      fc.constantFrom("12345678901234567890", "1.10", "[1.0,0.123456789012345678901]").map(parseExactJson),
    ),
  ) as fc.Arbitrary<Value>,
};

test("a value of every type comes back as it was stored, one by one and in bulk", async () => {
  const fields = TYPES.flatMap((type) => [field(`f_${type}`, type), field(`m_${type}`, type, true)]);
  await run(table.createTable(INSTANCE, { apiName: "RoundTrip", fields }));
  const name = table.recordTable(INSTANCE, "RoundTrip");
  const record = fc.record(
    Object.fromEntries(
      fields.map((one) => {
        const value = VALUES[one.dataType]!;
        return [
          one.apiName,
          fc.option(one.isMultiValueField ? (fc.array(value, { maxLength: 3 }) as fc.Arbitrary<Value>) : value),
        ];
      }),
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 20 }), async (records) => {
      await database.data.pool.query(`TRUNCATE ${name}`);
      const arrays = columns.toArrays(fields, records);
      const ids = records.map((_, index) => String(index).padStart(24, "0"));
      await database.data.pool.query(
        `INSERT INTO ${name} (accord_id, ${columns.columnList(fields)}) SELECT * FROM unnest($1::text[], ${arrays
          .map(({ type }, index) => `$${index + 2}::${type}`)
          .join(", ")})`,
        [ids, ...arrays.map(({ array }) => array)],
      );
      const { rows } = await database.data.pool.query(
        `SELECT ${columns.selectList(fields)} FROM ${name} ORDER BY accord_id`,
      );
      const plain = (values: object) => parseExactJson(JSON.stringify(values));
      expect(rows.map((row) => columns.toValues(fields, row))).toEqual(records.map(plain));
    }),
    { numRuns: 40 },
  );
});

test("[T17] a hostile name stays a name", async () => {
  const hostile = 'x"; DROP SCHEMA public CASCADE; --';
  const fields = [field(hostile, "string"), field(`${hostile}"2`, "reference")];
  await run(table.createTable(INSTANCE, { apiName: hostile, fields }));
  const name = table.recordTable(INSTANCE, hostile);
  await database.data.pool.query(
    `INSERT INTO ${name} (accord_id, ${columns.columnList(fields)}) VALUES ('a', $1, $2)`,
    [hostile, "b"],
  );
  const { rows } = await database.data.pool.query(`SELECT ${columns.selectList(fields)} FROM ${name}`);
  expect(columns.toValues(fields, rows[0])[hostile]).toBe(hostile);
  expect(() => table.recordTable("public", "x")).toThrow("not an instance id");
});

test("a change of type keeps every value, also those written while it runs", async () => {
  const from = field("amount", "integer");
  const to = field("amount", "string", true);
  await run(table.createTable(INSTANCE, { apiName: "Retyped", fields: [from] }));
  const name = table.recordTable(INSTANCE, "Retyped");
  await database.data.pool.query(
    `INSERT INTO ${name} (accord_id, amount) SELECT lpad(i::text, 24, '0'), CASE WHEN i % 7 > 0 THEN i END FROM generate_series(1, 45000) AS i`,
  );
  const steps = table.changeType(INSTANCE, "Retyped", from, to);
  await run(steps.prepare);
  const first = await database.data.pool.query(steps.backfill, [""]);
  await database.data.pool.query(`UPDATE ${name} SET amount = -1 WHERE accord_id = lpad('1', 24, '0')`);
  await database.data.pool.query(steps.backfill, [first.rows[0].last]);
  await transaction(database.data.pool, async ({ client }) => {
    for (const statement of steps.swap) await client.query(statement);
  });
  const { rows } = await database.data.pool.query(`SELECT amount FROM ${name} ORDER BY accord_id`);
  expect(rows).toHaveLength(45_000);
  expect(rows.slice(0, 8).map((row) => row.amount)).toEqual([["-1"], ["2"], ["3"], ["4"], ["5"], ["6"], null, ["8"]]);
  expect(rows.filter((row) => row.amount === null)).toHaveLength(Math.floor(45_000 / 7));
});

test("only changes of type without loss are offered", () => {
  const possible = (from: DataType, to: DataType) => table.lossless(field("f", from), field("f", to)) !== null;
  expect(possible("integer", "decimal")).toBe(true);
  expect(possible("decimal", "integer")).toBe(false);
  expect(possible("date", "datetime")).toBe(true);
  expect(possible("datetime", "date")).toBe(false);
  expect(possible("picklist", "string")).toBe(true);
  expect(possible("string", "picklist")).toBe(false);
  expect(possible("password", "string")).toBe(false);
});
