/** What holds for the conversion of every value into every type of field. */
import { DATA_TYPES, type DataType, type Value } from "@accord/contracts/data/values";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { textOf } from "./compare.ts";
import { characterCount, CONVERSION_CODES, convertValue } from "./convert.ts";
import { readDecimal } from "./decimal.ts";
import type { FieldShape } from "./kind.ts";

const RUNS = { numRuns: 3000, seed: 11 };
const ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu"] as const;
const zone = fc.constantFrom(...ZONES);

const near = fc.constantFrom<Value>(
  "",
  " ",
  "0",
  "-0",
  "1",
  " 12 ",
  "1,234.5",
  "1e3",
  "1e400",
  "true",
  "YES",
  "no",
  "maybe",
  "a;b; c",
  ";",
  "2024-02-29",
  "2023-02-29",
  "2/9/2024",
  "2024-03-31T02:30:00",
  "2024-02-29T12:00:00+05:45",
  "1709164800000",
  "new",
  "NEW",
  "In progress",
  "0123456789abcdef01234567",
  '{"a":1}',
  "{a",
  "a\0b",
  "😀😀",
  0,
  -0,
  1,
  1.5,
  1e21,
  Number.MAX_SAFE_INTEGER,
  true,
  false,
  null,
  [],
  ["a", 1],
  [["x"]],
  {},
  { a: [1] },
);
const anyValue: fc.Arbitrary<Value> = fc.oneof(near, fc.jsonValue() as fc.Arbitrary<Value>, fc.string());
const picklist = [
  { id: "new", label: "In progress" },
  { id: "won", label: "NEW" },
];
const shape: fc.Arbitrary<FieldShape> = fc
  .record({
    dataType: fc.constantFrom(...DATA_TYPES),
    isMultiValueField: fc.boolean(),
    picklist: fc.constant(picklist),
  })
  .chain((base) =>
    fc
      .option(fc.integer({ min: 0, max: 6 }), { nil: undefined })
      .map((length) => (length === undefined ? base : { ...base, length })),
  );
const into = (value: Value, to: FieldShape, timeZone = "UTC") => convertValue(value, to, { timeZone });
const single = (dataType: DataType): FieldShape => ({ dataType });

describe("for every value and every type", () => {
  test("the answer is a value or a reason, never an error", () => {
    fc.assert(
      fc.property(anyValue, shape, zone, (value, to, timeZone) => {
        const converted = into(value, to, timeZone);
        if (!converted.ok) expect(CONVERSION_CODES).toContain(converted.code);
      }),
      RUNS,
    );
  });
  test("what was converted once is stored as it is: converting again changes nothing", () => {
    fc.assert(
      fc.property(anyValue, shape, zone, (value, to, timeZone) => {
        const once = into(value, to, timeZone);
        if (!once.ok) return;
        expect(into(once.value, to, timeZone)).toMatchObject({ ok: true, value: once.value });
      }),
      RUNS,
    );
  });
  test("text is never cut: it fits, or it is refused", () => {
    fc.assert(
      fc.property(anyValue, fc.integer({ min: 0, max: 8 }), (value, length) => {
        const converted = into(value, { dataType: "string", length });
        if (!converted.ok || converted.value === null) return;
        expect(characterCount(textOf(converted.value))).toBeLessThanOrEqual(length);
        expect(converted.value).toBe(textOf(value));
      }),
      RUNS,
    );
  });
});

describe("numbers", () => {
  const digits = fc.tuple(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), fc.integer({ min: 0, max: 9 }));
  test("decimals keep every digit on their way through text", () => {
    fc.assert(
      fc.property(digits, ([units, scale]) => {
        const plain = readDecimal(`${units}e-${scale}`)!;
        const text = into(plain, single("string"));
        expect(text).toEqual({ ok: true, value: plain });
        expect(into(plain, single("decimal"))).toEqual({ ok: true, value: plain });
        expect(into(` +${plain.replace("-", "")} `, single("decimal"))).toEqual({
          ok: true,
          value: plain.replace("-", ""),
        });
      }),
      RUNS,
    );
  });
  test("integers are exact within 64 bits and refused beyond; a fraction is never one", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n }), (whole) => {
        const converted = into(String(whole), single("integer"));
        const fits = whole >= -(2n ** 63n) && whole < 2n ** 63n;
        expect(converted.ok ? BigInt(String(converted.value)) : converted.code).toBe(fits ? whole : "number_too_large");
        expect(into(`${whole}.0`, single("integer"))).toMatchObject({ ok: false, code: "fraction_in_integer" });
      }),
      RUNS,
    );
  });
  test("a double becomes an integer only when it is whole", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: -1e15, max: 1e15 }), (double) => {
        const converted = into(double, single("integer"));
        if (Number.isInteger(double)) expect(converted).toEqual({ ok: true, value: double + 0 });
        else expect(converted).toMatchObject({ ok: false, code: "fraction_in_integer" });
      }),
      RUNS,
    );
  });
  test("commas between thousands are read in doubles", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1000, max: 999_999_999 }), (whole) => {
        expect(into(whole.toLocaleString("en-US"), single("double"))).toEqual({ ok: true, value: whole });
      }),
      { numRuns: 300, seed: 5 },
    );
  });
});

describe("dates", () => {
  const moment = fc.integer({ min: -62_135_596_800_000 + 864e5, max: 253_402_300_799_999 - 864e5 });
  test("a date is midnight in UTC and comes back as the same date there", () => {
    fc.assert(
      fc.property(moment, (ms) => {
        const date = new Date(ms).toISOString().slice(0, 10);
        const midnight = into(date, single("datetime"));
        expect(midnight).toEqual({ ok: true, value: `${date}T00:00:00.000Z` });
        expect(into((midnight as { value: Value }).value, single("date"))).toEqual({ ok: true, value: date });
      }),
      RUNS,
    );
  });
  test("a moment becomes the day that a calendar shows in the instance's zone", () => {
    const parts = { year: "numeric", month: "2-digit", day: "2-digit" } as const;
    const calendars = new Map(
      ZONES.map((timeZone) => [timeZone, new Intl.DateTimeFormat("en-CA", { ...parts, timeZone })]),
    );
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_102_444_800_000 }), zone, (ms, timeZone) => {
        const converted = into(new Date(ms).toISOString(), single("date"), timeZone);
        expect(converted).toEqual({ ok: true, value: calendars.get(timeZone)?.format(ms) });
        expect(into(String(ms + 1e12), single("datetime"), timeZone), "epoch milliseconds as text").toEqual({
          ok: true,
          value: new Date(ms + 1e12).toISOString(),
        });
      }),
      { numRuns: 1000, seed: 11 },
    );
  });
});

describe("lists, options and references", () => {
  const item = fc.string({ minLength: 1, maxLength: 5 }).map((text) => text.replaceAll(/[;\0]/g, "x").trim() || "x");
  test("text and list turn into each other at semicolons", () => {
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 5 }), (items) => {
        const list: FieldShape = { dataType: "string", isMultiValueField: true };
        expect(into(items.join(" ; "), list)).toEqual({ ok: true, value: items });
        expect(into(items, single("string"))).toEqual({ ok: true, value: items.join(";") });
      }),
      { numRuns: 500, seed: 3 },
    );
  });
  test("an option is found by its id before any label, without regard to case; others are kept or refused", () => {
    const field: FieldShape = { dataType: "picklist", picklist };
    expect(into("New", field)).toEqual({ ok: true, value: "new" });
    expect(into("in PROGRESS", field)).toEqual({ ok: true, value: "new" });
    expect(into("other", field)).toEqual({ ok: true, value: "other", warning: "option_unknown" });
    expect(convertValue("other", field, { timeZone: "UTC", restrictedPicklist: true })).toMatchObject({
      code: "not_an_option",
    });
  });
  test("an external id waits for its record; once that is known, it is its id", () => {
    const to = single("reference");
    expect(into("crm-7", to)).toEqual({ ok: true, value: null, warning: "reference_pending" });
    const resolveReference = () => "0123456789abcdef01234567";
    expect(convertValue("crm-7", to, { timeZone: "UTC", resolveReference })).toEqual({
      ok: true,
      value: "0123456789abcdef01234567",
    });
  });
});
