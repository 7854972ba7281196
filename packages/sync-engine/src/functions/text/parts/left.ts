/** Left. */
import { textOf } from "@accord/expressions";
import { z } from "zod";
import { wholeSetting } from "../../kinds/settings.ts";
import { defineValueFunction } from "../../kinds/value-function.ts";

export const left = defineValueFunction({
  name: "left",
  label: "Left",
  family: "text",
  summary: "Takes the first characters of a text.",
  inputs: [{ name: "length", label: "Length", datatype: "integer", defaultValue: 1, allowUserToken: true }],
  config: z.object({ length: wholeSetting(0, 1_000_000).default(1) }),
  output: "string",
  prepare:
    ({ length }) =>
    (value) =>
      Array.from(textOf(value)).slice(0, length).join(""),
  examples: [
    { says: "the first characters", config: { length: 2 }, in: "abc", out: "ab" },
    { says: "a shorter text stays whole", config: { length: 9 }, in: "abc", out: "abc" },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "a list is worked on item by item", config: {}, in: ["ab", 12], out: ["a", "1"] },
    { says: "a number is taken as text", config: { length: 2 }, in: 12, out: "12" },
  ],
});
