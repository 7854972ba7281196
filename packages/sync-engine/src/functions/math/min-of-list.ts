/** Min of list. */
import { compareDecimals, numberOrText } from "@accord/expressions";
import { z } from "zod";
import { numbersOf } from "../values/read.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const minOfList = defineValueFunction({
  name: "minOfList",
  label: "Min of list",
  family: "math",
  summary: "Takes the smallest number of a list; blanks are left out.",
  config: z.object({}),
  output: "decimal",
  lists: "whole",
  prepare: () => (value) => {
    const numbers = numbersOf(value);
    return numbers.length === 0
      ? null
      : numberOrText(numbers.reduce((best, one) => (compareDecimals(one, best) < 0 ? one : best)));
  },
  examples: [
    { says: "the smallest", config: {}, in: [3, "1.5", null, 2], out: 1.5 },
    { says: "a single number is a list of one", config: {}, in: 4, out: 4 },
    { says: "null stays null, and so does an empty list", config: {}, in: [], out: null },
    { says: "an item that is no number stops the record", config: {}, in: [1, "x"], fails: "not_a_number" },
    { says: "null stays null", config: {}, in: null, out: null },
  ],
});
