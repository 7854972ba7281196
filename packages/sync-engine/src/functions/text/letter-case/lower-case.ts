/** Lower case. */
import { textOf } from "@accord/expressions";
import { z } from "zod";
import { defineValueFunction } from "../../kinds/value-function.ts";

export const lowerCase = defineValueFunction({
  name: "lowerCase",
  label: "Lower case",
  family: "text",
  summary: "Writes all letters small.",
  config: z.object({}),
  output: "string",
  prepare: () => (value) => textOf(value).toLowerCase(),
  examples: [
    { says: "letters become small", config: {}, in: "Ann@Example.ORG", out: "ann@example.org" },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "a list is worked on item by item", config: {}, in: ["A", "Ö"], out: ["a", "ö"] },
    { says: "a boolean is taken as text", config: {}, in: true, out: "true" },
  ],
});
