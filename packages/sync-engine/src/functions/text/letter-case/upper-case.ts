/** Upper case. */
import { textOf } from "@accord/expressions";
import { z } from "zod";
import { defineValueFunction } from "../../kinds/value-function.ts";

export const upperCase = defineValueFunction({
  name: "upperCase",
  label: "Upper case",
  family: "text",
  summary: "Writes all letters as capitals.",
  config: z.object({}),
  output: "string",
  prepare: () => (value) => textOf(value).toUpperCase(),
  examples: [
    { says: "letters become capitals", config: {}, in: "Straße 5", out: "STRASSE 5" },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "a list is worked on item by item", config: {}, in: ["a", "é"], out: ["A", "É"] },
    { says: "a number is taken as text", config: {}, in: 12, out: "12" },
  ],
});
