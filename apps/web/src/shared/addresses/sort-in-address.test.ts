/** Tests of the order of a table in addresses. */
import { expect, test } from "vitest";
import { readSort, writeSort } from "./sort-in-address.ts";

test("a sort survives the way through the address", () => {
  expect(readSort("-name")).toEqual({ column: "name", direction: "descending" });
  expect(writeSort(readSort("name"))).toBe("name");
  expect(readSort(undefined)).toBeUndefined();
});
