/** Values of every type survive being written down and read again: as JSON, as PostgreSQL writes times, as a field's value. */
import { parseExactJson } from "@accord/contracts/data/exact-json";
import { isExactNumber, plainNumber } from "@accord/contracts/data/exact-number";
import { dateFromPostgres, momentFromPostgres, timeToPostgres } from "@accord/contracts/data/postgres-time";
import type { DataType, Value } from "@accord/contracts/data/values";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareValues, numberText, sameValue, textOf } from "./compare.ts";
import { convertValue } from "./convert.ts";
import { readDecimal } from "./decimal.ts";
import type { FieldShape } from "./kind.ts";
import { hasEndlessNumber, readJson } from "./storable.ts";

const RUNS = { numRuns: 2000, seed: 17 };

/** Numbers as JSON writes them, of any length, with zeros at the end and exponents. */
const numberLiteral = fc
  .tuple(
    fc.constantFrom("", "-"),
    fc.oneof(fc.nat(99).map(String), fc.bigInt({ min: 0n, max: 10n ** 30n }).map(String)),
    fc.option(fc.stringMatching(/^\d{1,30}$/), { nil: undefined }),
    fc.option(fc.integer({ min: -40, max: 40 }), { nil: undefined, freq: 8 }),
  )
  .map(
    ([sign, whole, fraction, exponent]) =>
      `${sign}${whole}${fraction === undefined ? "" : `.${fraction}`}${exponent === undefined ? "" : `e${exponent}`}`,
  );

const { json: jsonLiteral } = fc.letrec<{ json: string; list: string; object: string }>((tie) => ({
  json: fc.oneof(
    { depthSize: "small" },
    numberLiteral,
    fc.string().map((text) => JSON.stringify(text.toWellFormed())),
    fc.constantFrom("null", "true", "false", '""', "[]", "{}", '"1.10"', '"a, 1.10]"'),
    tie("list"),
    tie("object"),
  ),
  list: fc.array(tie("json"), { maxLength: 4 }).map((items) => `[${items.join(",")}]`),
  object: fc.dictionary(fc.stringMatching(/^[a-z][ ,:\\[\]0-9.]{0,6}$/), tie("json"), { maxKeys: 4 }).map(
    (members) =>
      `{${Object.entries(members)
        .map(([key, value]) => `${JSON.stringify(key)}:${value}`)
        .join(",")}}`,
  ),
}));

describe("JSON", () => {
  test("every text in JSON comes back to the last digit", () => {
    fc.assert(
      fc.property(jsonLiteral, (text) => {
        expect(JSON.stringify(parseExactJson(text))).toBe(text);
      }),
      RUNS,
    );
  });
  test("spaces between its parts make no difference", () => {
    fc.assert(
      fc.property(
        fc.array(numberLiteral, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(" ", "\n\t", ""),
        (items, gap) => {
          const text = `${gap}[${gap}${items.join(`${gap},${gap}`)}${gap}]${gap}`;
          expect(JSON.stringify(parseExactJson(text))).toBe(`[${items.join(",")}]`);
        },
      ),
      RUNS,
    );
  });
  test("a number is the same value however it is written, and only then", () => {
    fc.assert(
      fc.property(numberLiteral, numberLiteral, (one, other) => {
        const [left, right] = [parseExactJson(one), parseExactJson(other)];
        expect(sameValue({ n: left }, { n: right })).toBe(readDecimal(one) === readDecimal(other));
        expect(
          sameValue([left], [parseExactJson(`${one.includes("e") || !one.includes(".") ? one : `${one}0`}`)]),
        ).toBe(true);
        expect(sameValue(left, one)).toBe(false);
      }),
      RUNS,
    );
  });
  test("a number taken out of JSON keeps its value", () => {
    fc.assert(
      fc.property(numberLiteral, (text) => {
        const value = parseExactJson(text);
        const plain = isExactNumber(value) ? plainNumber(value) : value;
        expect(numberText(plain)).toBe(readDecimal(text));
        expect(readDecimal(textOf(value))).toBe(readDecimal(text));
        expect(convertValue(value, { dataType: "decimal" }, { timeZone: "UTC" })).toEqual({
          ok: true,
          value: readDecimal(text),
        });
      }),
      RUNS,
    );
  });
  test("a number with more digits than can be written down is refused", () => {
    expect(readJson('{"a": 1e999}')).toBeUndefined();
    expect(hasEndlessNumber(parseExactJson('[{"a": -1E-999}]'))).toBe(true);
    expect(hasEndlessNumber(parseExactJson(`[${"9".repeat(300)}]`))).toBe(false);
  });
});

const twoDigits = (from: number, to: number) =>
  fc.integer({ min: from, max: to }).map((part) => String(part).padStart(2, "0"));
const year = fc.oneof(
  fc.integer({ min: -4712, max: 294_275 }),
  fc.integer({ min: -3, max: 3 }),
  fc.integer({ min: 9_998, max: 10_001 }),
);
const yearText = year.map((number) =>
  number >= 1 && number <= 9999
    ? String(number).padStart(4, "0")
    : `${number > 0 ? "+" : "-"}${String(Math.abs(number)).padStart(6, "0")}`,
);
const date = fc.oneof(
  { weight: 9, arbitrary: fc.tuple(yearText, twoDigits(1, 12), twoDigits(1, 28)).map((parts) => parts.join("-")) },
  { weight: 1, arbitrary: fc.constantFrom("infinity", "-infinity") },
);
const fraction = fc
  .integer({ min: 0, max: 999_999 })
  .map((part) => String(part).padStart(6, "0"))
  .map((digits) => (digits.endsWith("000") ? digits.slice(0, 3) : digits));
const moment = fc
  .tuple(
    date,
    twoDigits(0, 23),
    twoDigits(0, 59),
    twoDigits(0, 59),
    fc.oneof(fraction, fc.constantFrom("000", "123", "000001")),
  )
  .map(([day, hour, minute, second, digits]) =>
    day.endsWith("infinity") ? day : `${day}T${hour}:${minute}:${second}.${digits}Z`,
  );

describe("times as PostgreSQL writes them", () => {
  test("a date comes back", () => {
    fc.assert(
      fc.property(date, (value) => {
        expect(dateFromPostgres(timeToPostgres(value))).toBe(value);
      }),
      RUNS,
    );
  });
  test("a moment comes back, whether PostgreSQL writes a zone or not", () => {
    fc.assert(
      fc.property(moment, fc.boolean(), (value, withZone) => {
        const written = timeToPostgres(value)
          .replace("T", " ")
          .replace(/(\.\d+?)0*Z$/, withZone ? "$1+00" : "$1");
        expect(momentFromPostgres(written.replace("+00+00", "+00"))).toBe(value);
      }),
      RUNS,
    );
  });
  test("more digits of a second come later, whatever their number", () => {
    expect(compareValues("2024-05-06T07:08:09.123Z", "2024-05-06T07:08:09.123001Z")).toBeLessThan(0);
    expect(compareValues("2024-05-06T07:08:09.124Z", "2024-05-06T07:08:09.123001Z")).toBeGreaterThan(0);
  });
});

const text = fc.string({ unit: "grapheme" }).map((value) => value.replaceAll("\0", "").toWellFormed());
/** Values in their inside form, by type. */
const NORMAL: Partial<Record<DataType, fc.Arbitrary<Value>>> = {
  string: text,
  integer: fc.oneof(fc.maxSafeInteger(), fc.constantFrom("9223372036854775807", "-9223372036854775808")),
  double: fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
    fc.constantFrom("NaN", "Infinity", "-Infinity"),
  ),
  decimal: fc.oneof(
    numberLiteral.map((literal) => readDecimal(literal)!),
    fc.constantFrom("NaN", "Infinity", "-Infinity"),
  ),
  boolean: fc.boolean(),
  date,
  datetime: moment,
  object: jsonLiteral
    .map((literal) => parseExactJson(literal))
    .filter((value) => typeof value === "object" && !isExactNumber(value)),
};
const into = (value: Value, field: FieldShape) => convertValue(value, field, { timeZone: "Europe/Berlin" });

describe("a field's own values", () => {
  test.for(Object.keys(NORMAL) as DataType[])("%s stays as it is, through JSON too", (dataType) => {
    fc.assert(
      fc.property(NORMAL[dataType]!, (value) => {
        expect(into(value, { dataType })).toEqual({ ok: true, value });
        expect(into(parseExactJson(JSON.stringify(value)), { dataType })).toEqual({ ok: true, value });
      }),
      RUNS,
    );
  });
  test.for(Object.keys(NORMAL) as DataType[])("lists of %s keep every item at its place", (dataType) => {
    const item = fc.option(NORMAL[dataType]!, { freq: 4 });
    const list = fc.oneof(
      fc.array(item, { maxLength: 4 }),
      fc.array(fc.array(item, { maxLength: 3 }), { maxLength: 3 }),
    );
    fc.assert(
      fc.property(list, (value) => {
        expect(into(value, { dataType, isMultiValueField: true })).toEqual({ ok: true, value });
      }),
      { ...RUNS, numRuns: 500 },
    );
  });
});
