/** Is blank. */
import { isBlank } from "@accord/expressions";
import { z } from "zod";
import { defineValueFunction } from "../kinds/value-function.ts";

export const isBlankValue = defineValueFunction({
  name: "isBlank",
  label: "Is blank",
  family: "logic",
  summary: "Tells whether there is no value: nothing, an empty text or an empty list.",
  config: z.object({}),
  output: "boolean",
  lists: "whole",
  takesNull: true,
  prepare: () => (value) => isBlank(value),
  examples: [
    { says: "nothing is blank", config: {}, in: null, out: true },
    { says: "an empty text and an empty list too", config: {}, in: [], out: true },
    { says: "zero is a value", config: {}, in: 0, out: false },
    { says: "and so is false", config: {}, in: false, out: false },
  ],
});
