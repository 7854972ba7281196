/** Max of list. */
import { compareDecimals, numberOrText } from "@accord/expressions";
import { z } from "zod";
import { numbersOf } from "../values/read.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const maxOfList = defineValueFunction({
  name: "maxOfList",
  label: "Max of list",
  family: "math",
  summary: "Takes the largest number of a list; blanks are left out.",
  config: z.object({}),
  output: "decimal",
  lists: "whole",
  prepare: () => (value) => {
    const numbers = numbersOf(value);
    return numbers.length === 0
      ? null
      : numberOrText(numbers.reduce((best, one) => (compareDecimals(one, best) > 0 ? one : best)));
  },
  examples: [
    { says: "the largest", config: {}, in: [3, "11", null, 2], out: 11 },
    {
      says: "beyond exact numbers too",
      config: {},
      in: ["9007199254740993", "9007199254740992"],
      out: "9007199254740993",
    },
    { says: "null stays null, and so does an empty list", config: {}, in: [], out: null },
    { says: "an item that is no number stops the record", config: {}, in: [1, "x"], fails: "not_a_number" },
    { says: "null stays null", config: {}, in: null, out: null },
  ],
});
