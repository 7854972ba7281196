/** Exact decimals. */
import { describe, expect, test } from "vitest";
import {
  addDecimals,
  divideDecimals,
  multiplyDecimals,
  numberOrText,
  remainderOfDecimals,
  roundDecimal,
} from "./arithmetic.ts";
import { compareValues, sameValue } from "./compare.ts";
import { compareDecimals, readDecimal } from "./decimal.ts";

describe("decimals", () => {
  test("are read in every form and written in one", () => {
    const forms = ["007.50", "+1", "-0.0", ".5", "5.", "1.5e3", "15e-2", "-1e-3", "1e400", "e5", "", "1.2.3", "0x1"];
    expect(forms.map(readDecimal)).toEqual([
      "7.5",
      "1",
      "0",
      "0.5",
      "5",
      "1500",
      "0.15",
      "-0.001",
      null,
      null,
      null,
      null,
      null,
    ]);
  });
  test("compare exactly", () => {
    expect(compareDecimals("12345678901234567890.1", "12345678901234567890.09")).toBeGreaterThan(0);
    expect(compareDecimals("-10", "-9")).toBeLessThan(0);
    expect(compareDecimals("0.10".replace(/0$/, ""), "0.1")).toBe(0);
  });
  test("compute exactly", () => {
    expect(addDecimals("0.1", "0.2")).toBe("0.3");
    expect(multiplyDecimals("-1.1", "1.1")).toBe("-1.21");
    expect(remainderOfDecimals("-7", "3")).toBe("-1");
    expect(divideDecimals("1", "0")).toBeNull();
    expect(divideDecimals("2", "3")).toBe("0.66666666666666666667");
    expect(divideDecimals("0.1", "1234567.891")).toMatch(/^0\.0000000810000006/);
  });
  test("round as people expect", () => {
    expect(roundDecimal("1.005", 2, "halfUp")).toBe("1.01");
    expect(roundDecimal("-2.5", 0, "halfUp")).toBe("-3");
    expect(roundDecimal("1250", -2, "halfUp")).toBe("1300");
    expect((["up", "down", "floor", "ceiling"] as const).map((mode) => roundDecimal("-1.5", 0, mode))).toEqual([
      "-2",
      "-1",
      "-2",
      "-1",
    ]);
  });
  test("become numbers only when nothing is lost", () => {
    expect(numberOrText("0.3")).toBe(0.3);
    expect(numberOrText("9007199254740993")).toBe("9007199254740993");
  });
});

test("values compare without regard to case, exact among numbers, blanks last", () => {
  expect(compareValues("Acme", "ACME")).toBe(0);
  expect(compareValues("9007199254740993", 9007199254740992)).toBeGreaterThan(0);
  expect(compareValues(null, "a")).toBeGreaterThan(0);
  expect(compareValues([], null)).toBe(0);
});

test("the same value is the same by content", () => {
  expect(sameValue({ a: [1, null] }, { a: [1, null] })).toBe(true);
  expect(sameValue({ a: 1 }, { a: 1, b: 2 })).toBe(false);
  expect(sameValue(undefined, null)).toBe(true);
  expect(sameValue(["a"], "a")).toBe(false);
  expect(sameValue("1", 1)).toBe(false);
});
