/** Average of list. */
import { addDecimals, divideDecimals, numberOrText, roundDecimal } from "@accord/expressions";
import { z } from "zod";
import { numbersOf } from "../values/read.ts";
import { wholeSetting } from "../kinds/settings.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const averageOfList = defineValueFunction({
  name: "averageOfList",
  label: "Average of list",
  family: "math",
  summary: "Takes the mean of the numbers of a list; blanks are left out.",
  inputs: [{ name: "decimals", label: "Decimals", datatype: "integer", defaultValue: 12 }],
  config: z.object({ decimals: wholeSetting(0, 12).default(12) }),
  output: "decimal",
  lists: "whole",
  prepare:
    ({ decimals }) =>
    (value) => {
      const numbers = numbersOf(value);
      const mean = divideDecimals(numbers.reduce(addDecimals, "0"), String(numbers.length));
      return mean === null ? null : numberOrText(roundDecimal(mean, decimals, "halfUp"));
    },
  examples: [
    { says: "the mean", config: {}, in: [1, 2, "6"], out: 3 },
    { says: "rounded half up", config: { decimals: 1 }, in: [0.1, 0.2], out: 0.2 },
    { says: "a list of blanks has none", config: {}, in: [null], out: null },
    { says: "null stays null, and so does an empty list", config: {}, in: [], out: null },
    { says: "an item that is no number stops the record", config: {}, in: ["x"], fails: "not_a_number" },
    { says: "null stays null", config: {}, in: null, out: null },
  ],
});
