/** Values in words, as conflicts and merges compare them. */
import { expect, test } from "vitest";
import { valueWords } from "./value-words.ts";

const stage = { picklist: [{ id: "p", label: "Prospect" }] };

test.each([
  [undefined, null, "nothing"],
  [undefined, "", "nothing"],
  [undefined, [], "nothing"],
  [undefined, 0, "0"],
  [undefined, false, "false"],
  [stage, "p", "Prospect"],
  [stage, ["p", "other"], "Prospect, other"],
  [undefined, { a: 1 }, '{"a":1}'],
])("%o: %o reads %s", (field, value, words) => {
  expect(valueWords(field, value, "nothing")).toBe(words);
});
