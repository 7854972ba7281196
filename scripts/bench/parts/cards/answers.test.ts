/** Answers are the same by their values alone. */
import { expect, test } from "vitest";
import { demandSame } from "./answers.ts";

test("numbers and dates are the same however they are written, rows in any order", () => {
  const one = [
    ["2026-01-01", "12.50"],
    [null, 3],
  ];
  const other = [
    [null, "3"],
    ["2026-01-01T00:00:00.000Z", 12.5],
  ];
  expect(() => demandSame("months", { one, other })).not.toThrow();
});

test("another value, a row more and a row less are said with both answers", () => {
  const one = [["a", 1]];
  expect(() => demandSame("months", { one, other: [["a", 2]] })).toThrow("months: one answers a | 1, other a | 2");
  expect(() => demandSame("months", { one, other: [] })).toThrow("other no row");
  expect(() => demandSame("months", { one: [], other: one })).toThrow("one answers no row");
});
