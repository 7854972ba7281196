/** Intersect. */
import { foldText, textOf } from "@accord/expressions";
import { z } from "zod";
import { itemsOf } from "../values/read.ts";
import { anySetting } from "../kinds/settings.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const intersect = defineValueFunction({
  name: "intersect",
  label: "Intersect",
  family: "list",
  summary: "Keeps the items that another list has too, without regard to case.",
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
  prepare: ({ other }) => {
    const wanted = new Set(itemsOf(other, ";").map((one) => foldText(textOf(one))));
    return (value) => itemsOf(value).filter((one) => wanted.has(foldText(textOf(one))));
  },
  examples: [
    { says: "what both have", config: { other: "B; c" }, in: ["a", "b", "c"], out: ["b", "c"] },
    { says: "with nothing in common the list is empty", config: { other: "x" }, in: ["a"], out: [] },
    { says: "with a blank list too", config: {}, in: ["a"], out: [] },
    { says: "null stays null", config: { other: "a" }, in: null, out: null },
    { says: "a single value is a list of one", config: { other: "B; c" }, in: 12, out: [] },
  ],
});
