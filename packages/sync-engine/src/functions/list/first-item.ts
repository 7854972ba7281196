/** First item. */
import { z } from "zod";
import { itemsOf } from "../values/read.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const firstItem = defineValueFunction({
  name: "firstItem",
  label: "First",
  family: "list",
  summary: "Takes the first item of a list.",
  config: z.object({}),
  output: "object",
  lists: "whole",
  prepare: () => (value) => itemsOf(value)[0] ?? null,
  examples: [
    { says: "the first item", config: {}, in: ["a", "b"], out: "a" },
    { says: "a single value is a list of one", config: {}, in: "a", out: "a" },
    { says: "an empty list has none", config: {}, in: [], out: null },
    { says: "null stays null", config: {}, in: null, out: null },
  ],
});
