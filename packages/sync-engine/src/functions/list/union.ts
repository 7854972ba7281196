/** Union. */
import { foldText, textOf } from "@accord/expressions";
import { z } from "zod";
import { itemsOf } from "../values/read.ts";
import { anySetting } from "../kinds/settings.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const union = defineValueFunction({
  name: "union",
  label: "Union",
  family: "list",
  summary: "Joins two lists to one that has each value once, without regard to case.",
  inputs: [
    {
      name: "other",
      label: "Other list",
      datatype: "text",
      allowUserToken: true,
      helpText: "A token, or texts parted by semicolons.",
    },
  ],
  config: z.object({ other: anySetting }),
  output: "list",
  lists: "whole",
  takesNull: true,
  prepare: ({ other }) => {
    const added = itemsOf(other, ";");
    return (value) => {
      const seen = new Map([...itemsOf(value), ...added].toReversed().map((one) => [foldText(textOf(one)), one]));
      const all = [...itemsOf(value), ...added].filter((one) => {
        const key = foldText(textOf(one));
        return seen.delete(key);
      });
      return all.length === 0 ? null : all;
    };
  },
  examples: [
    { says: "each value once", config: { other: "B;c" }, in: ["a", "b"], out: ["a", "b", "c"] },
    { says: "of nothing and a list it is the list", config: { other: "a" }, in: null, out: ["a"] },
    { says: "of nothing and nothing it is blank", config: {}, in: null, out: null },
    { says: "a single value is a list of one", config: { other: "b" }, in: "a", out: ["a", "b"] },
  ],
});
