/** JSON stringify. */
import { z } from "zod";
import { flagSetting } from "../kinds/settings.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const stringifyJson = defineValueFunction({
  name: "stringifyJson",
  label: "JSON stringify",
  family: "convert",
  summary: "Writes a value as JSON.",
  inputs: [{ name: "indented", label: "On several lines", datatype: "boolean", defaultValue: false }],
  config: z.object({ indented: flagSetting(false) }),
  output: "string",
  lists: "whole",
  prepare:
    ({ indented }) =>
    (value) =>
      JSON.stringify(value, null, indented ? 2 : undefined),
  examples: [
    { says: "an object", config: {}, in: { a: [1, "x"] }, out: '{"a":[1,"x"]}' },
    { says: "a text in quotes", config: {}, in: 'say "hi"', out: '"say \\"hi\\""' },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "a list as a whole", config: {}, in: [1, null], out: "[1,null]" },
  ],
});
