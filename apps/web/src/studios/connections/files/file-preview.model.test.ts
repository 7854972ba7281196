/** Examples of questions as days and numbers. */
import { expect, test } from "vitest";
import { dayOf, numberOf } from "./file-preview.model.ts";

test("an example is shown as the day that it is in each order, and as it stands where it is none", () => {
  expect([dayOf("03/04/2026", "dayFirst"), dayOf("03/04/2026", "monthFirst")]).toEqual([
    "3 April 2026",
    "4 March 2026",
  ]);
  expect([dayOf("31/12/2026", "dayFirst"), dayOf("31/12/2026", "monthFirst")]).toEqual([
    "31 December 2026",
    "31/12/2026",
  ]);
  expect(dayOf("30.02.2026", "dayFirst")).toBe("30.02.2026");
});

test("an example is shown as the digits that it is in each style", () => {
  expect([numberOf("1.234", "point"), numberOf("1.234", "comma")]).toEqual(["1.234", "1234"]);
});
