/** Trim. */
import { textOf } from "@accord/expressions";
import { z } from "zod";
import { defineValueFunction } from "../../kinds/value-function.ts";

/** White space that is more, or something else, than one space. */
const HAS_RUNS = /\s\s|[^\S ]/;

export const trim = defineValueFunction({
  name: "trim",
  label: "Trim",
  family: "text",
  summary: "Removes white space at both ends, and doubled spaces inside when wanted.",
  inputs: [
    {
      name: "collapse",
      label: "Collapse inner spaces",
      datatype: "boolean",
      defaultValue: false,
      helpText: "Writes each run of white space inside the text as one space.",
    },
  ],
  config: z.object({ collapse: z.boolean().default(false) }),
  output: "string",
  prepare:
    ({ collapse }) =>
    (value) => {
      const text = textOf(value).trim();
      return collapse && HAS_RUNS.test(text) ? text.replaceAll(/\s+/g, " ") : text;
    },
  examples: [
    { says: "both ends are cut", config: {}, in: "  Acme  Ltd ", out: "Acme  Ltd" },
    { says: "inner runs become one space", config: { collapse: true }, in: " Acme \t Ltd\n", out: "Acme Ltd" },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "a list is worked on item by item", config: {}, in: [" a", "b "], out: ["a", "b"] },
    { says: "a number is taken as text", config: {}, in: 12, out: "12" },
  ],
});
