/** Ceil. */
import { z } from "zod";
import { wholeBeside } from "../values/read.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const ceil = defineValueFunction({
  name: "ceil",
  label: "Ceil",
  family: "math",
  summary: "Goes up to the next whole number.",
  config: z.object({}),
  output: "integer",
  prepare: () => (value) => wholeBeside(value, "ceiling", Math.ceil),
  examples: [
    { says: "up to the next whole number", config: {}, in: 1.2, out: 2 },
    { says: "whole numbers stay as they are", config: {}, in: 5, out: 5 },
    { says: "between -1 and 0 it is minus zero", config: {}, in: -0.4, out: -0 },
    {
      says: "what is no finite number stays so",
      config: {},
      in: Number.POSITIVE_INFINITY,
      out: Number.POSITIVE_INFINITY,
    },
    { says: "exact decimals stay exact", config: {}, in: "12345678901234567890.1", out: "12345678901234567891" },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "text that is no number stops the record", config: {}, in: "x", fails: "not_a_number" },
    { says: "a list is worked on item by item", config: {}, in: [1.2, 5], out: [2, 5] },
  ],
});
