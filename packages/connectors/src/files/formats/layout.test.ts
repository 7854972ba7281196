/** Names of columns, however often one comes. */
import { expect, test } from "vitest";
import { namesOf } from "./layout.ts";

test("blank and repeated names of columns are numbered, each once", () => {
  expect(namesOf(["a", "", "a", "a_2", "a", " b "])).toEqual(["a", "column_2", "a_2", "a_2_2", "a_3", "b"]);
});

test("as many equal names as fit a header take no more work each than the first", () => {
  const names = namesOf(Array.from({ length: 32_768 }, () => "a"));
  expect([names.length, names[1], names.at(-1)]).toEqual([32_768, "a_2", "a_32768"]);
  expect(new Set(names).size).toBe(32_768);
});

test("a column called like the one that names the place of a row gets another name", () => {
  expect(namesOf(["id", "_row", "_row_2"])).toEqual(["id", "_row_2", "_row_2_2"]);
});
