/** Floor. */
import { z } from "zod";
import { wholeBeside } from "../values/read.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const floor = defineValueFunction({
  name: "floor",
  label: "Floor",
  family: "math",
  summary: "Goes down to the next whole number.",
  config: z.object({}),
  output: "integer",
  prepare: () => (value) => wholeBeside(value, "floor", Math.floor),
  examples: [
    { says: "down to the next whole number", config: {}, in: 1.8, out: 1 },
    { says: "below zero it goes away from zero", config: {}, in: -1.2, out: -2 },
    { says: "minus zero stays minus zero", config: {}, in: -0, out: -0 },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "a list is worked on item by item", config: {}, in: [1.5, "2.5"], out: [1, 2] },
    { says: "text that is no number stops the record", config: {}, in: "x", fails: "not_a_number" },
  ],
});
