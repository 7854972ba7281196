/** Not. */
import { z } from "zod";
import { toBoolean } from "../values/to-boolean.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const not = defineValueFunction({
  name: "not",
  label: "Not",
  family: "logic",
  summary: "Turns true into false and false into true; blank counts as false.",
  config: z.object({}),
  output: "boolean",
  takesNull: true,
  prepare: () => (value) => !toBoolean(value),
  examples: [
    { says: "true becomes false", config: {}, in: true, out: false },
    { says: "words are read too", config: {}, in: "No", out: true },
    { says: "blank counts as false", config: {}, in: null, out: true },
    { says: "anything else stops the record", config: {}, in: "maybe", fails: "not_a_boolean" },
    { says: "a list is worked on item by item", config: {}, in: [true, "No"], out: [false, true] },
  ],
});
