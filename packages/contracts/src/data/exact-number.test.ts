/** Numbers of JSON by their texts, however long they are. */
import { expect, test } from "vitest";
import { canonicalNumber } from "./exact-number.ts";

test("numbers are compared by their values, however they are written", () => {
  const same = ["1.10", "11e-1", "0.011E2", "001.1"];
  expect(same.map(canonicalNumber)).toEqual(same.map(() => "11e-1"));
  expect(["0", "-0", "0.000", "0e7"].map(canonicalNumber)).toEqual(["0", "0", "0", "0"]);
  expect(canonicalNumber("-120")).toBe("-12e1");
});

test("a million zeros between two digits are read in one go", () => {
  const zeros = "0".repeat(900_000);
  expect(canonicalNumber(`1${zeros}1${zeros}`)).toBe(`1${zeros}1e900000`);
  expect(canonicalNumber(`0.${zeros}1`)).toBe("1e-900001");
});
