/** Divide. */
import { divideDecimals, numberOrText, roundDecimal } from "@accord/expressions";
import { z } from "zod";
import { numberOf } from "../values/read.ts";
import { numberSetting } from "../kinds/settings.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

/** Kept when a quotient does not come out even. */
const DECIMALS = 12;

export const divide = defineValueFunction({
  name: "divide",
  label: "Divide",
  family: "math",
  summary: "Divides a number; division by zero gives blank.",
  inputs: [{ name: "divisor", label: "Divide by", datatype: "double", required: true, allowUserToken: true }],
  config: z.object({ divisor: numberSetting }),
  output: "decimal",
  openInputs: ["divisor"],
  prepare: ({ divisor }) => {
    const by = numberOf(divisor);
    return (value) => {
      const quotient = divideDecimals(numberOf(value), by);
      return quotient === null ? null : numberOrText(roundDecimal(quotient, DECIMALS, "halfUp"));
    };
  },
  examples: [
    { says: "a quotient", config: { divisor: 4 }, in: 10, out: 2.5 },
    { says: "twelve decimals when it doesn't come out even", config: { divisor: 3 }, in: 2, out: 0.666666666667 },
    { says: "by zero gives blank", config: { divisor: 0 }, in: 1, out: null },
    { says: "null stays null", config: { divisor: 2 }, in: null, out: null },
    { says: "text that is no number stops the record", config: { divisor: 2 }, in: "x", fails: "not_a_number" },
    { says: "a list is worked on item by item", config: { divisor: 4 }, in: [10, null], out: [2.5, null] },
  ],
});
