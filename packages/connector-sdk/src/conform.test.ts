/** Raw values in Accord's own form, or the reason they don't fit. */
import { parseExactJson } from "@accord/contracts/data/exact-json";
import type { DataType, Value } from "@accord/contracts/data/values";
import { describe, expect, test } from "vitest";
import { valueParser, TypeMismatchError } from "./conform.ts";

const read = (dataType: DataType, value: Value, isMultiValueField = false) =>
  valueParser({ dataType, isMultiValueField })(value);

describe("values fit their type", () => {
  test.for([
    ["integer", "42", 42],
    ["integer", " +7 ", 7],
    ["integer", "9007199254740993", "9007199254740993"],
    ["double", "1e3", 1000],
    ["double", ".5", 0.5],
    ["decimal", "0.10", "0.10"],
    ["decimal", 1e-7, "0.0000001"],
    ["decimal", 1e21, "1000000000000000000000"],
    ["boolean", "Yes", true],
    ["boolean", 0, false],
    ["string", 5, "5"],
    ["string", "", ""],
    ["string", { a: 1 }, '{"a":1}'],
    ["integer", "", null],
    ["date", "2024-02-29", "2024-02-29"],
    ["date", "2/9/2024", "2024-02-09"],
    ["datetime", "2024-05-06T07:08:09.123Z", "2024-05-06T07:08:09.123Z"],
    ["datetime", "2024-05-06 07:08", "2024-05-06T07:08:00.000Z"],
    ["datetime", "2024-05-06T07:08:09+0200", "2024-05-06T05:08:09.000Z"],
    ["datetime", 1_700_000_000, "2023-11-14T22:13:20.000Z"],
    ["datetime", "1700000000123", "2023-11-14T22:13:20.123Z"],
    ["object", [1], [1]],
    ["double", "NaN", "NaN"],
    ["decimal", "-Infinity", "-Infinity"],
    ["date", "infinity", "infinity"],
    ["date", "-000043-03-15", "-000043-03-15"],
    ["datetime", "2024-05-06T07:08:09.123456Z", "2024-05-06T07:08:09.123456Z"],
    ["datetime", "2024-05-06T07:08:09.123000Z", "2024-05-06T07:08:09.123Z"],
    ["datetime", "2024-05-06T09:08:09.1234567+02:00", "2024-05-06T07:08:09.123456Z"],
    ["datetime", "+012024-01-01T00:00:00.000001Z", "+012024-01-01T00:00:00.000001Z"],
  ] as const)("%s %j", ([type, value, expected]) => {
    expect(read(type, value as Value)).toEqual(expected);
  });

  test("lists are read one by one; a single value is a list of one", () => {
    expect(read("integer", ["1", "", 2], true)).toEqual([1, null, 2]);
    expect(read("string", "a", true)).toEqual(["a"]);
    expect(read("string", "", true)).toBeNull();
  });

  test("lists keep null and blank items, lists within them, and that they are empty", () => {
    expect(read("string", ["", "a", null, ["b", [null]]], true)).toEqual(["", "a", null, ["b", [null]]]);
    expect(read("string", [], true)).toEqual([]);
    expect(read("object", [[1], null], true)).toEqual([[1], null]);
  });

  test("numbers of JSON are read to the last digit", () => {
    const json = parseExactJson('{"long": 12345678901234567890, "price": 1.10, "count": 10.0, "e": 1e3}');
    const { long, price, count, e } = json as { [name: string]: Value };
    expect([read("decimal", long!), read("integer", long!), read("string", long!)]).toEqual(
      Array.from({ length: 3 }, () => "12345678901234567890"),
    );
    expect([read("decimal", price!), read("double", price!), read("string", price!)]).toEqual(["1.1", 1.1, "1.1"]);
    expect([read("integer", count!), read("integer", e!), read("decimal", count!)]).toEqual([10, 1000, "10"]);
    expect(JSON.stringify(read("object", json))).toBe(
      '{"long":12345678901234567890,"price":1.10,"count":10.0,"e":1e3}',
    );
  });

  test.for([
    ["integer", "many"],
    ["integer", "1.5"],
    ["double", "nan"],
    ["decimal", "infinity"],
    ["double", "1,5"],
    ["decimal", "a"],
    ["boolean", "perhaps"],
    ["date", "2024-02-30"],
    ["datetime", "yesterday"],
    ["datetime", "2024-13-01T00:00:00.000Z"],
  ] as const)("%s refuses %s in words", ([type, value]) => {
    expect(() => read(type, value)).toThrow(TypeMismatchError);
    expect(() => read(type, value)).toThrow(value);
  });
});
