/** Distinct. */
import { foldText, textOf } from "@accord/expressions";
import { z } from "zod";
import { itemsOf } from "../values/read.ts";
import { flagSetting } from "../kinds/settings.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const distinct = defineValueFunction({
  name: "distinct",
  label: "Distinct",
  family: "list",
  summary: "Keeps each value of a list once, in the order of first appearance.",
  inputs: [{ name: "matchCase", label: "Match case", datatype: "boolean", defaultValue: false }],
  config: z.object({ matchCase: flagSetting(false) }),
  output: "list",
  lists: "whole",
  prepare:
    ({ matchCase }) =>
    (value) => {
      const seen = new Set<string>();
      return itemsOf(value).filter((item) => {
        const key = matchCase ? textOf(item) : foldText(textOf(item));
        return !seen.has(key) && seen.add(key);
      });
    },
  examples: [
    { says: "each value once", config: {}, in: ["a", "b", "A", "b"], out: ["a", "b"] },
    { says: "case may matter", config: { matchCase: true }, in: ["a", "A", "a"], out: ["a", "A"] },
    { says: "a number and its text are the same value", config: {}, in: [1, "1", 2], out: [1, 2] },
    { says: "null stays null, and so does an empty list", config: {}, in: [], out: null },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "a single value is a list of one", config: {}, in: 12, out: [12] },
  ],
});
