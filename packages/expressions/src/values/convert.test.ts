/** Field assignment: what becomes of a value in a field of another type, and why not. */
import type { Value } from "@accord/contracts/data/values";
import { describe, expect, test } from "vitest";
import { characterCount } from "./convert.ts";
import { isTimeZone } from "./time.ts";
import { UTC, into, single } from "./fixtures/convert.ts";

describe("to text", () => {
  test("numbers lose trailing zeros, lists are joined, objects become JSON", () => {
    expect(into(12.5, single("string"))).toBe("12.5");
    expect(into(1e21, single("string"))).toBe("1000000000000000000000");
    expect(into(false, single("string"))).toBe("false");
    expect(into(["a", 1, true], single("string"))).toBe("a;1;true");
    expect(into({ a: [1] }, single("string"))).toBe('{"a":[1]}');
  });
  test("empty text stays empty text, null stays null", () => {
    expect(into("", single("string"))).toBe("");
    expect(into(null, single("string"))).toBeNull();
  });
  test("what is too long is refused, never cut; characters count, not bytes", () => {
    expect(into("abcd", single("string", { length: 3 }))).toBe("too_long");
    expect(into("😀😀😀", single("string", { length: 3 }))).toBe("😀😀😀");
    expect(characterCount("a😀\ud800")).toBe(3);
  });
  test("a NUL character can't be stored", () => expect(into("a\0b", single("string"))).toBe("not_text"));
});

describe("to numbers", () => {
  test("integers take digits with a sign, and stay exact beyond safe numbers", () => {
    expect(into(" +42 ", single("integer"))).toBe(42);
    expect(into("9223372036854775807", single("integer"))).toBe("9223372036854775807");
    expect(into("9223372036854775808", single("integer"))).toBe("number_too_large");
    expect(into("", single("integer"))).toBeNull();
  });
  test("a fraction is no integer, and neither is an exponent or a boolean", () => {
    expect(into("4.0", single("integer"))).toBe("fraction_in_integer");
    expect(into(4.5, single("integer"))).toBe("fraction_in_integer");
    expect(into(4, single("integer"))).toBe(4);
    expect(into("1e3", single("integer"))).toBe("fraction_in_integer");
    expect(into(true, single("integer"))).toBe("not_an_integer");
    expect(into("12a", single("integer"))).toBe("not_an_integer");
  });
  test("doubles take thousands commas and exponents", () => {
    expect(into("1,234,567.5", single("double"))).toBe(1234567.5);
    expect(into("1e3", single("double"))).toBe(1000);
    expect(into("1,23", single("double"))).toBe("not_a_number");
    expect(into("1e400", single("double"))).toBe("not_a_number");
  });
  test("decimals stay exact, within precision and scale", () => {
    expect(into("0.10", single("decimal"))).toBe("0.1");
    expect(into(0.1, single("decimal"))).toBe("0.1");
    expect(into("12345678901234567890.12", single("decimal"))).toBe("12345678901234567890.12");
    expect(into("123.45", single("decimal", { precision: 5, scale: 2 }))).toBe("123.45");
    expect(into("1234.5", single("decimal", { precision: 5, scale: 2 }))).toBe("number_too_large");
    expect(into("1.234", single("decimal", { precision: 5, scale: 2 }))).toBe("number_too_large");
  });
});

describe("to boolean", () => {
  test("words in any case; anything else is an error in pipelines and false in the record form", () => {
    expect(["Yes", "TRUE", 1, "1"].map((value) => into(value, single("boolean")))).toEqual([true, true, true, true]);
    expect(["no", "false", 0].map((value) => into(value, single("boolean")))).toEqual([false, false, false]);
    expect(into("maybe", single("boolean"))).toBe("not_a_boolean");
    expect(into("maybe", single("boolean"), { ...UTC, forgiving: true })).toBe(false);
  });
});

describe("to dates", () => {
  const berlin = { timeZone: "Europe/Berlin" };
  test("ISO, epoch milliseconds and month/day/year are read", () => {
    expect(into("2024-02-29", single("date"))).toBe("2024-02-29");
    expect(into("2/9/2024", single("date"))).toBe("2024-02-09");
    expect(into("1709164800000", single("date"))).toBe("2024-02-29");
    expect(into("2024-02-30", single("date"))).toBe("not_a_date");
    expect(into("soon", single("date"))).toBe("not_a_date");
  });
  test("a date is midnight in UTC; a moment becomes a date in the instance's zone", () => {
    expect(into("2024-02-29", single("datetime"), berlin)).toBe("2024-02-29T00:00:00.000Z");
    expect(into("2024-02-28T23:30:00Z", single("date"), berlin)).toBe("2024-02-29");
  });
  test("a wall clock without zone is read in the instance's zone, offsets as they say", () => {
    expect(into("2024-07-01 12:00", single("datetime"), berlin)).toBe("2024-07-01T10:00:00.000Z");
    expect(into("7/1/2024 12:00:30", single("timestamp"), berlin)).toBe("2024-07-01T10:00:30.000Z");
    expect(into("2024-07-01T12:00:00.5+05:30", single("datetime"), berlin)).toBe("2024-07-01T06:30:00.500Z");
  });
  test("hours that the clock skips or shows twice", () => {
    expect(into("2024-03-31 02:30", single("datetime"), berlin)).toBe("2024-03-31T01:30:00.000Z");
    expect(into("2024-10-27 02:30", single("datetime"), berlin)).toBe("2024-10-27T01:30:00.000Z");
  });
});

describe("to options, references, lists and objects", () => {
  const picklist = single("picklist", {
    picklist: [
      { id: "act", label: "Active" },
      { id: "on hold", label: "act" },
    ],
  });
  test("an option is found by id, then label, in any case", () => {
    expect(into("ACT", picklist)).toBe("act");
    expect(into("active", picklist)).toBe("act");
    expect(into("other", picklist)).toEqual(["other", "option_unknown"]);
    expect(into("other", picklist, { ...UTC, restrictedPicklist: true })).toBe("not_an_option");
  });
  test("a reference is a record id or an external id that is known; else it waits", () => {
    const id = "0123456789abcdef01234567";
    expect(into(id, single("reference"))).toBe(id);
    expect(into("C-1", single("reference"), { ...UTC, resolveReference: () => id })).toBe(id);
    expect(into("C-1", single("reference"))).toEqual([null, "reference_pending"]);
  });
  test("[SYN-047] text for several values is split on semicolons and each item converted", () => {
    expect(into("a; b;;c", single("string", { isMultiValueField: true }))).toEqual(["a", "b", "c"]);
    expect(into("1;x", single("integer", { isMultiValueField: true }))).toBe("not_an_integer");
    expect(into("", single("string", { isMultiValueField: true }))).toBeNull();
    expect(into(7, single("integer", { isMultiValueField: true }))).toEqual([7]);
  });
  test("a list in a single-value field is one value only", () => {
    expect(into([5], single("integer"))).toBe(5);
    expect(into([5, 6], single("integer"))).toBe("not_single");
  });
  test("objects come as objects or JSON", () => {
    expect(into('{"a":1}', single("object"))).toEqual({ a: 1 });
    expect(into("{a", single("object"))).toBe("not_an_object");
  });
});

describe("what can't be stored", () => {
  test("is refused in texts and options, and replaced inside of objects", () => {
    for (const text of ["a\0b", "half of one: \ud83d"]) {
      expect(into(text, single("string"))).toBe("not_text");
      expect(into(text, single("picklist"))).toBe("not_text");
      expect(into([text], single("string", { isMultiValueField: true }))).toBe("not_text");
    }
    expect(into({ "a\0": ["\ud83d"] }, single("object"))).toEqual({ "a\ufffd": ["\ufffd"] });
    expect(into('{"a":"\\u0000"}', single("object"))).toEqual({ a: "\ufffd" });
  });
  test("nests deeper than 64 levels", () => {
    let deep: Value = 1;
    for (let level = 0; level < 65; level += 1) deep = [deep];
    expect(into({ deep }, single("object"))).toBe("too_deep");
    expect(into("[".repeat(100_000), single("object"))).toBe("not_an_object");
  });
});

test("a time zone is a name: an offset means opposite things to JavaScript and PostgreSQL", () => {
  expect(["Europe/Berlin", "UTC", "+05:30", "-03", "Nowhere"].map(isTimeZone)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
