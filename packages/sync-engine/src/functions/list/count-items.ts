/** Count. */
import { isBlank } from "@accord/expressions";
import { z } from "zod";
import { itemsOf } from "../values/read.ts";
import { flagSetting } from "../kinds/settings.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const countItems = defineValueFunction({
  name: "countItems",
  label: "Count",
  family: "list",
  summary: "Counts the items of a list.",
  inputs: [{ name: "skipBlanks", label: "Skip blanks", datatype: "boolean", defaultValue: true }],
  config: z.object({ skipBlanks: flagSetting(true) }),
  output: "integer",
  lists: "whole",
  takesNull: true,
  prepare:
    ({ skipBlanks }) =>
    (value) => {
      const items = itemsOf(value);
      return skipBlanks ? items.filter((item) => !isBlank(item)).length : items.length;
    },
  examples: [
    { says: "items that are filled", config: {}, in: ["a", null, "b"], out: 2 },
    { says: "or all of them", config: { skipBlanks: false }, in: ["a", null, "b"], out: 3 },
    { says: "blank counts as none", config: {}, in: null, out: 0 },
    { says: "a single value is a list of one", config: {}, in: "a", out: 1 },
  ],
});
