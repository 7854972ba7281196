/** Property of paging: under any order, with ties and blanks, walking on and back meets every record once. */
import type { CoreField } from "@accord/contracts/data/entities";
import type { Id } from "@accord/contracts";
import { FieldSchema } from "@accord/contracts/data/schema";
import { fixedSql } from "@accord/expressions";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../../../../test-kit/database/database.ts";
import { instanceSchema } from "../../../platform/db/db.ts";
import { createTable, recordTable, toArrays, columnList } from "../schema/index.ts";
import { filterSql } from "./record-filter.ts";
import { orderOf, readCursor, writeCursor } from "./record-page.ts";
import { isBadValue, readPage } from "./records.store.ts";

const INSTANCE = "00000000000000000000bbbb" as Id<"instance">;
const FIELDS = (["string", "integer", "decimal", "double", "date", "datetime", "boolean", "reference"] as const).map(
  (dataType, index): CoreField => ({
    ...FieldSchema.parse({ apiName: `f_${dataType}`, displayName: dataType, dataType }),
    id: String(index).padStart(24, "0") as Id<"field">,
  }),
);
const ENTITY = { apiName: "Paged", fields: FIELDS };

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await database.data.pool.query(`CREATE SCHEMA ${instanceSchema(INSTANCE)}`);
  for (const statement of createTable(INSTANCE, ENTITY)) await database.data.pool.query(statement);
});
afterAll(() => database.drop());

// Few different values, so that ties are common; case and accents, so that the order of people differs from that of bytes.
const few = (...values: (string | number | boolean)[]) => fc.option(fc.constantFrom(...values), { freq: 3 });
const record = fc.record({
  f_string: few("", "a", "A", "ä", "b", "Z", "z%_\\", "'\"; --", "😀"),
  f_integer: few(-1, 0, 1, "9223372036854775807"),
  f_decimal: few("0.10", "0.1", "-12345678901234567890.5"),
  f_double: few(0.1, -0.5, 1e300),
  f_date: few("0001-01-01", "2026-01-01", "9999-12-31"),
  f_datetime: few("2026-01-01T00:00:00.001Z", "2026-01-01T00:00:00.000Z"),
  f_boolean: few(true, false),
  f_reference: few("000000000000000000000001", "000000000000000000000002"),
});
const sorts = [...FIELDS.map((field) => field.apiName), "accord_id", "accord_created_at", "accord_updated_at"];

test("[PLT-117] paging on and back meets every record once, under any order and filter, with ties and blanks", async () => {
  const pool = database.data.pool;
  const table = recordTable(INSTANCE, ENTITY.apiName);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(record, fc.boolean()), { maxLength: 40 }),
      fc.constantFrom(...sorts),
      fc.boolean(),
      fc.integer({ min: 1, max: 7 }),
      fc.constantFrom("hide", "show", "only"),
      async (records, sort, descending, count, deleted) => {
        await pool.query(`TRUNCATE ${table}`);
        const arrays = toArrays(
          FIELDS,
          records.map(([values]) => values),
        );
        await pool.query(
          `INSERT INTO ${table} (accord_id, accord_deleted, ${columnList(FIELDS)}) SELECT * FROM unnest($1::text[], $2::boolean[], ${arrays.map(({ type }, index) => `$${index + 3}::${type}`).join(", ")})`,
          [
            records.map((_, index) => String(index).padStart(24, "0")),
            records.map(([, gone]) => gone),
            ...arrays.map(({ array }) => array),
          ],
        );
        const order = orderOf(`${descending ? "-" : ""}${sort}`, FIELDS);
        const where = filterSql({ predicate: "", search: "", deleted }, { fields: FIELDS, timeZone: "UTC", now: 0 });
        const page = (direction: "next" | "previous", cursor: string | null) =>
          readPage(pool, INSTANCE, {
            entity: ENTITY,
            where,
            order,
            direction,
            count,
            from: cursor === null ? null : readCursor(order, cursor),
          });

        const all = await readPage(pool, INSTANCE, {
          entity: ENTITY,
          where,
          order,
          direction: "next",
          count: 500,
          from: null,
        });
        const expected = all.records.map(({ id }) => id);
        expect(expected.length).toBe(
          records.filter(([, gone]) => deleted === "show" || gone === (deleted === "only")).length,
        );

        const onwards: string[] = [];
        let cursor: string | null = null;
        for (;;) {
          const found = await page("next", cursor);
          onwards.push(...found.records.map(({ id }) => id));
          if (!found.hasMore || !found.last) break;
          cursor = writeCursor(order, found.last);
        }
        expect(onwards).toEqual(expected);

        const last = all.last;
        const backwards: string[] = last ? [last.id] : [];
        for (let at = last; at;) {
          const found = await page("previous", writeCursor(order, at));
          backwards.unshift(...found.records.map(({ id }) => id));
          at = found.hasMore ? found.first : null;
        }
        expect(backwards).toEqual(expected);
      },
    ),
    { numRuns: 60 },
  );
});

test("[T17] whatever stands in a cursor or a sort, the database gets no more than a value and a known column", async () => {
  const pool = database.data.pool;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...sorts),
      fc.oneof(fc.string(), fc.constantFrom("1; DROP TABLE x", "' OR 1=1 --", "NaN", "\0", "2026-99-99")),
      async (sort, hostile) => {
        const order = orderOf(sort, FIELDS);
        const cursor = writeCursor(order, { value: hostile, id: "000000000000000000000001" });
        let from;
        try {
          from = readCursor(order, cursor);
        } catch (error) {
          expect(error).toMatchObject({ code: "validation_failed" });
          return;
        }
        await readPage(pool, INSTANCE, {
          entity: ENTITY,
          where: fixedSql("TRUE"),
          order,
          from,
          direction: "next",
          count: 10,
        }).catch((error: unknown) => {
          if (!isBadValue(error)) throw error;
        });
      },
    ),
    { numRuns: 200 },
  );
  expect(() => orderOf('f_string"; DROP TABLE x; --', FIELDS)).toThrow("validation_failed");
  expect(() => orderOf("constructor", FIELDS)).toThrow("validation_failed");
});
