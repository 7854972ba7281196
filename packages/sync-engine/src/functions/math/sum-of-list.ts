/** Sum of list. */
import { addDecimals, numberOrText } from "@accord/expressions";
import { z } from "zod";
import { numbersOf } from "../values/read.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const sumOfList = defineValueFunction({
  name: "sumOfList",
  label: "Sum of list",
  family: "math",
  summary: "Adds the numbers of a list; blanks count as nothing.",
  config: z.object({}),
  output: "decimal",
  lists: "whole",
  prepare: () => (value) => numberOrText(numbersOf(value).reduce(addDecimals, "0")),
  examples: [
    { says: "the total is exact", config: {}, in: [0.1, 0.2, "0.3"], out: 0.6 },
    { says: "blanks count as nothing", config: {}, in: [1, null, ""], out: 1 },
    { says: "null stays null, and so does an empty list", config: {}, in: [], out: null },
    { says: "an item that is no number stops the record", config: {}, in: [1, true], fails: "not_a_number" },
    { says: "null stays null", config: {}, in: null, out: null },
  ],
});
