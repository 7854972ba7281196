/** Values come out of PostgreSQL without losing digits or shifting by a time zone. */
import { afterAll, expect, test } from "vitest";
import { testDatabase } from "../../../test-kit/database/database.ts";

const databases = await testDatabase();
afterAll(databases.drop);

test.each([
  ["9007199254740991::bigint", 9_007_199_254_740_991],
  ["9007199254740993::bigint", "9007199254740993"],
  ["(-9223372036854775808)::bigint", "-9223372036854775808"],
  ["12345678901234567890.000000000000000001::numeric", "12345678901234567890.000000000000000001"],
  ["1.50::numeric(5, 2)", "1.50"],
  ["date '2026-03-29'", "2026-03-29"],
  ["date '0001-01-01'", "0001-01-01"],
  ["timestamptz '2026-03-29 02:30:00.5+02'", "2026-03-29T00:30:00.500Z"],
  ["timestamptz '2026-03-29 02:30:00.123456+00'", "2026-03-29T02:30:00.123Z"],
  ["timestamp '2026-03-29 02:30'", "2026-03-29T02:30:00.000Z"],
  ["timestamptz 'infinity'", "infinity"],
  ["array[1, null, 9007199254740993]::bigint[]", [1, null, "9007199254740993"]],
  ["array['2026-03-29'::date, null]", ["2026-03-29", null]],
  [
    "array[array[1.50, 2.0], array[3, null]]::numeric[]",
    [
      ["1.50", "2.0"],
      ["3", null],
    ],
  ],
  [`'{"a": [1, "x", null]}'::jsonb`, { a: [1, "x", null] }],
])("%s", async (sql, value) => {
  expect((await databases.data.pool.query(`SELECT ${sql} AS value`)).rows[0].value).toEqual(value);
});
