/** To text. */
import { textOf } from "@accord/expressions";
import { z } from "zod";
import { defineValueFunction } from "../kinds/value-function.ts";

export const toText = defineValueFunction({
  name: "toText",
  label: "To text",
  family: "convert",
  summary: "Writes any value as text.",
  config: z.object({}),
  output: "string",
  lists: "whole",
  prepare: () => (value) => textOf(value),
  examples: [
    { says: "a number without trailing zeros", config: {}, in: 12.5, out: "12.5" },
    { says: "a boolean", config: {}, in: false, out: "false" },
    { says: "a list is joined with semicolons", config: {}, in: ["a", 1], out: "a;1" },
    { says: "an object as JSON", config: {}, in: { a: 1 }, out: '{"a":1}' },
    { says: "null stays null", config: {}, in: null, out: null },
  ],
});
