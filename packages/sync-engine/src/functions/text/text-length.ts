/** Length. */
import { characterCount, textOf } from "@accord/expressions";
import { z } from "zod";
import { defineValueFunction } from "../kinds/value-function.ts";

export const textLength = defineValueFunction({
  name: "textLength",
  label: "Length",
  family: "text",
  summary: "Counts the characters of a text.",
  config: z.object({}),
  output: "integer",
  takesNull: true,
  prepare: () => (value) => characterCount(textOf(value)),
  examples: [
    { says: "characters, spaces among them", config: {}, in: "a b", out: 3 },
    { says: "a wide character counts as one", config: {}, in: "😀", out: 1 },
    { says: "blank has none", config: {}, in: null, out: 0 },
    { says: "a list is worked on item by item", config: {}, in: ["a", "bcd"], out: [1, 3] },
    { says: "a number is taken as text", config: {}, in: 12, out: 2 },
  ],
});
