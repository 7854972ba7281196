/** What counts as one value in several spellings, and what a system may have made of a value: nothing that says more. */
import { hashText } from "@accord/connector-sdk/fingerprint";
import type { Value } from "@accord/contracts/data/values";
import { describe, expect, test } from "vitest";
import {
  isCutOrRounded,
  isReduced,
  isRounded,
  isSpellingOf,
  mayBePartOf,
  outlineOf,
  spellingHash,
  unreduced,
} from "./spelling.ts";

const LONG = "12345678901234567890";

test.each<[string, Value, Value]>([
  ["case", "Ada Lovelace", "ADA LOVELACE"],
  ["blanks", " Ada  Lovelace ", "Ada Lovelace"],
  ["nothing", null, " "],
  ["a number and its text", 12.5, "12.50"],
  ["a large number and its text", 1e21, "1000000000000000000000"],
  ["zeros around a number with decimals", "12.3456", "0000012.345600"],
  ["no decimals", "12", "12.00"],
  ["zero", "-0.0", "0"],
  ["zeros behind a long number", `${LONG}.1`, `${LONG}.10`],
  ["a zone", "2026-01-01T10:00:00Z", "2026-01-01T11:30:00+01:30"],
  ["a zone west", "2026-01-01T10:00:00Z", "2025-12-31 23:00:00 -1100"],
  ["a time without a zone", "2026-01-01T10:00:00Z", "2026-01-01 10:00"],
  ["fewer digits of a second", "2026-01-01T10:00:00.1200Z", "2026-01-01T10:00:00.12+00"],
  ["no more than a computer's digits of a second", "2026-01-01T10:00:00.123456Z", "2026-01-01T10:00:00.123Z"],
  ["letters without accents", "Café Olé", "Cafe Ole"],
  ["a sharp s in capitals", "Hauptstraße 5", "HAUPTSTRASSE 5"],
  ["the sigma of a word's end", "ΣΟΦΟΣ ς", "σοφοσ Σ"],
  ["an i with a dot", "İzmir", "i̇zmir"],
  ["a ligature", "ﬁrst", "FIRST"],
  ["entities of HTML", `R&D <b> "x" 'y' é`, "R&amp;D &lt;b&gt; &quot;x&quot; &#39;y&#x27; &#233;"],
  ["a telephone number", "+49 (170) 123-45.67", "+491701234567"],
  ["the last character that there is", "a\u{10ffff}", "a&#x10ffff;"],
  ["a day of an early century and its beginning", "0100-01-01", "0100-01-01T00:00Z"],
  ["a day and its beginning", "2024-02-29", "2024-02-29T00:00:00.000Z"],
])("is one value in two spellings: %s", (_, left, right) => {
  expect(spellingHash(left)).toBe(spellingHash(right));
});

test.each<[string, Value, Value]>([
  ["a digit beyond the sixteenth", LONG, "12345678901234567891"],
  ["a digit beyond the sixteenth decimal", "0.12345678901234567890", "0.12345678901234567891"],
  ["zeros in front of a whole number", "420", "00420"],
  ["a plus sign", "49123456789", "+49123456789"],
  ["hexadecimal", "31", "0x1f"],
  ["an exponent", "100000", "1e5"],
  ["what stands behind a date", "2024-01-01 (draft)", "2024-01-01 (final)"],
  ["a day that a month does not have", "2023-02-29", "2023-03-01"],
  ["a day that no month has", "2023-03-00", "2023-02-28"],
  ["years of one and two digits", "0099-01-01", "1999-01-01"],
  ["another millisecond", "2026-01-01T10:00:00.123Z", "2026-01-01T10:00:00.124Z"],
  ["another letter", "Muller", "Mueller"],
  ["an entity that is none", "a &b; c", "a b c"],
  ["an entity of no character", "a&#0;", "a\u0000"],
  ["another telephone number", "+49 170 1234567", "+49 170 1234568"],
  ["an address of the network", "192.168.1.12", "192.168.11.2"],
  ["days with points", "1.11.2026", "11.1.2026"],
  ["a number in parentheses", "(123456)", "123456"],
  ["vowel signs", "राम", "रमा"],
  ["voiced kana", "が", "か"],
  ["a short i of Cyrillic", "мой", "мои"],
  ["digits above the line", "10²", "102"],
  ["another day", "2026-01-01", "2026-01-02"],
  ["another number", 31, 32],
])("is another value: %s", (_, left, right) => {
  expect(spellingHash(left)).not.toBe(spellingHash(right));
});

test("objects have no spellings, nor have lists of them", () => {
  expect([
    spellingHash({ a: 1 }),
    spellingHash([{ a: 1 }]),
    spellingHash(["a", { a: 1 }]),
    spellingHash([["a"]]),
  ]).toEqual([null, null, null, null]);
});

test.each<[string, Value, Value, boolean]>([
  ["the same items in another order", ["b", "a"], ["a", "b"], true],
  ["an item held once that was sent twice", ["a", "b", "a"], ["a", "b"], true],
  ["items in a spelling of their own", [" VIP ", 1.5], ["1.50", "vip"], true],
  ["an empty list and nothing", [], null, true],
  ["one item more", ["a"], ["a", "b"], false],
  ["another item", ["a", "b"], ["a", "c"], false],
  ["a list and its only item", ["a"], "a", false],
  ["a list of a blank and an empty list", [""], [], false],
])("lists: %s", (_, left, right, isSame) => {
  expect(spellingHash(left) === spellingHash(right)).toBe(isSame);
});

test("what was stored of texts, numbers and times before is known again", () => {
  expect(spellingHash("A  b")).toBe(hashText("\u0000spelled a b"));
  expect(spellingHash("12.50")).toBe(hashText("\u0000spelled number 12.5"));
  expect(spellingHash("2026-01-01T11:00:00+01:00")).toBe(
    hashText(`\u0000spelled time ${Date.parse("2026-01-01T10:00:00Z")}`),
  );
  expect(spellingHash("2026-01-01T10:00:00.12Z")).toBe(
    hashText(`\u0000spelled time ${Date.parse("2026-01-01T10:00:00.120Z")}`),
  );
});

describe("a number with fewer decimals is rounded", () => {
  test.each<[Value, Value, boolean]>([
    ["10.06", "10.1", true],
    ["10.05", "10.1", true],
    ["10.05", "10.0", true],
    ["10.06", "10", true],
    ["-10.06", "-10.1", true],
    ["10.06", "10.0", false],
    ["10.06", "-10.1", false],
    ["10.06", "10.060", false],
    ["10.06", "10.06", false],
    ["420", "00420", false],
    ["0", "0", false],
    [LONG, "12345678901234567891", false],
    [`${LONG}.6`, "12345678901234567891", true],
    [`${LONG}.6`, "12345678901234567890", false],
    [12.345, 12.35, true],
    ["ten", "10", false],
    [null, "1", false],
    ["1", null, false],
    [`1.${"0".repeat(500)}`, "1", false],
  ])("%s shown as %s: %s", (sent, shown, expected) => {
    expect(isRounded(sent, shown)).toBe(expected);
  });
});

test.each<[Value, Value, boolean]>([
  ["Ada Lovelace", "ada lov", true],
  ["10.06", "10.1", true],
  ["Ada", "Eve", false],
  ["Ada", "", false],
  [null, "a", false],
  ["a", null, false],
])("%s shown as %s is cut or rounded: %s", (sent, shown, expected) => {
  expect(isCutOrRounded(sent, shown)).toBe(expected);
});

describe("a system that keeps numbers drops what they do not have", () => {
  test.each<[Value, Value | undefined, boolean]>([
    ["00420", "420", true],
    ["+49123456789", "49123456789", true],
    ["+49123456789", 49_123_456_789, true],
    [LONG, "12345678901234567000", true],
    ["420", "00420", false],
    ["49123456789", "+49123456789", false],
    ["12345678901234567000", LONG, false],
    ["00420", "421", false],
    ["0x1f", "31", false],
    ["ten", "10", false],
    [null, "0", false],
    ["0", undefined, false],
  ])("%s shown as %s: %s", (sent, shown, expected) => {
    expect(isReduced(sent, shown)).toBe(expected);
    expect(sent !== LONG && unreduced(shown).includes(String(sent))).toBe(expected && sent !== LONG);
  });

  test("ten zeros in front of a number may have been dropped, or a plus sign", () => {
    expect(unreduced("42")).toHaveLength(11);
    expect([unreduced("42")[0], unreduced("42").at(-1)]).toEqual(["+42", `${"0".repeat(10)}42`]);
  });

  test("of what is no number that it keeps, or less than none, nothing was dropped", () => {
    expect(["00420", "+49", "Ada", "-5", "", null, undefined, ["1"]].flatMap(unreduced)).toEqual([]);
  });
});

test("what a system shows is its own way of storing what it was sent only where it says no more than that", () => {
  const pairs: [Value, Value][] = [
    ["Ada", " ADA "],
    ["12.3456", "12.35"],
    ["a long name", "a long"],
    ["101 Main Street", 101],
    ["+41 44", "+41 44"],
    [null, ""],
    [
      ["a", "b"],
      ["B", "a"],
    ],
    [{ a: 1 }, { a: 2 }],
  ];
  for (const [sent, shown] of pairs) expect(isSpellingOf(sent, shown)).toBe(true);
  const others: [Value, Value][] = [
    [101, 1],
    ["edited", "old"],
    ["abc", 1],
    ["perhaps", true],
    [101, null],
    [["a"], ["b"]],
    [["a"], null],
  ];
  for (const [sent, shown] of others) expect(isSpellingOf(sent, shown)).toBe(false);
});

describe("by what is kept of a value that was sent, something else may be part of it", () => {
  test.each<[Value, Value]>([
    ["Ada Lovelace", "Ada Lov"],
    [" ADA  Lovelace", "ada l"],
    ["Ada Lovelace", "A"],
    ["12.3456", "12.35"],
    ["9.996", "10.00"],
    ["12.3456", 12],
    ["12.5", 12],
    ["+49123456789", "49123456789"],
    ["00420", "420"],
    [LONG, "12345678901234567000"],
    [1_234_567_890_123_456, 123_456_789_012_345],
    [["a", "b"], ["a"]],
    [{ a: 1 }, "a"],
    ["a", { a: 1 }],
  ])("%j, shown as %j", (sent, shown) => {
    expect(mayBePartOf(outlineOf(sent), shown)).toBe(true);
  });

  test.each<[Value, Value]>([
    ["v1", "X entered last"],
    ["Company 3", "Company 33"],
    ["Company 3", "Company 4"],
    ["Company 3", "Firm 3"],
    ["Company 3", "Coal"],
    ["Company 3", "Eve"],
    [123_456_789_012_345, 12_345],
    ["12.34", "56.78"],
    ["12.34", "1234567.8"],
    ["10", "77"],
    [10, 7],
    [true, false],
    ["Ada", null],
    [null, "Ada"],
    ["", "Ada"],
    ["00420", "1234567"],
  ])("not %j, shown as %j", (sent, shown) => {
    expect(mayBePartOf(outlineOf(sent), shown)).toBe(false);
  });

  test("and may be where nothing is kept, as by an earlier version", () => {
    expect(mayBePartOf("", "Ada")).toBe(true);
  });
});
