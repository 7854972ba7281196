/** Normalize spaces. */
import { textOf } from "@accord/expressions";
import { z } from "zod";
import { defineValueFunction } from "../../kinds/value-function.ts";

export const normalizeSpaces = defineValueFunction({
  name: "normalizeSpaces",
  label: "Normalize spaces",
  family: "text",
  summary: "Makes one space of every run of white space and drops it at both ends.",
  config: z.object({}),
  output: "string",
  prepare: () => (value) => textOf(value).trim().replaceAll(/\s+/g, " "),
  examples: [
    { says: "runs of spaces, tabs and line ends become one space", config: {}, in: "  Ann \t\n Lee ", out: "Ann Lee" },
    { says: "spaces that don't break too", config: {}, in: "1\u00a0000", out: "1 000" },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "a list is worked on item by item", config: {}, in: ["a  b"], out: ["a b"] },
    { says: "a number is taken as text", config: {}, in: 12, out: "12" },
  ],
});
