/** Texts as numbers: how long they may be, and what is looked at in them. */
import { expect, test } from "vitest";
import { fitsStyle, hasManyDigits, plainDigits, plainText, textFor, type TextRules } from "./cells.ts";

const RULES: TextRules = {
  ...{ header: "yes", delimiter: "comma", encoding: "utf-8", dates: "yearFirst", numbers: "point", idColumn: null },
  isExact: true,
};

test("zeros before and behind digits are none that a floating-point number loses", () => {
  expect(["123456789012345000", "0.00012", "1.50e7", "-0.5"].map(hasManyDigits)).toEqual([false, false, false, false]);
  expect(["1234567890123456", "0.1234567890123456"].map(hasManyDigits)).toEqual([true, true]);
});

test("a text of a million digits is no number, and says so at once", () => {
  const zeros = "0".repeat(900_000);
  const long = [`1${zeros}1`, `1.${zeros}1`, "e".repeat(900_000), `${"1,".repeat(450_000)}x`];
  for (const text of long) {
    expect([hasManyDigits(text), fitsStyle(text, "point"), plainDigits(text, "comma")]).toEqual([true, false, null]);
    expect(plainText(text, RULES)).toBe(text);
    expect(() => textFor("double", text, RULES)).toThrow("is not a number in the chosen style");
    expect(() => textFor("double", text, { ...RULES, numbers: "plain" })).toThrow("more digits than the field keeps");
  }
});
