/** Reverse. */
import { z } from "zod";
import { itemsOf } from "../values/read.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const reverseList = defineValueFunction({
  name: "reverseList",
  label: "Reverse",
  family: "list",
  summary: "Turns the order of a list round.",
  config: z.object({}),
  output: "list",
  lists: "whole",
  prepare: () => (value) => itemsOf(value).toReversed(),
  examples: [
    { says: "the last comes first", config: {}, in: ["a", "b", "c"], out: ["c", "b", "a"] },
    { says: "a single value is a list of one", config: {}, in: "ab", out: ["ab"] },
    { says: "null stays null, and so does an empty list", config: {}, in: [], out: null },
    { says: "null stays null", config: {}, in: null, out: null },
  ],
});
