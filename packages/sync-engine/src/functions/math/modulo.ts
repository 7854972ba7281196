/** Modulo. */
import { numberOrText, remainderOfDecimals } from "@accord/expressions";
import { z } from "zod";
import { numberOf } from "../values/read.ts";
import { numberSetting } from "../kinds/settings.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const modulo = defineValueFunction({
  name: "modulo",
  label: "Modulo",
  family: "math",
  summary: "Takes the remainder of a division, with the sign of the number divided.",
  inputs: [{ name: "divisor", label: "Divide by", datatype: "double", required: true, allowUserToken: true }],
  config: z.object({ divisor: numberSetting }),
  output: "decimal",
  openInputs: ["divisor"],
  prepare: ({ divisor }) => {
    const by = numberOf(divisor);
    return (value) => {
      const rest = remainderOfDecimals(numberOf(value), by);
      return rest === null ? null : numberOrText(rest);
    };
  },
  examples: [
    { says: "the remainder", config: { divisor: 3 }, in: 10, out: 1 },
    { says: "of a negative number it is negative", config: { divisor: 3 }, in: -10, out: -1 },
    { says: "of decimals it is exact", config: { divisor: 0.1 }, in: 0.35, out: 0.05 },
    { says: "by zero gives blank", config: { divisor: 0 }, in: 1, out: null },
    { says: "null stays null", config: { divisor: 2 }, in: null, out: null },
    { says: "text that is no number stops the record", config: { divisor: 2 }, in: "x", fails: "not_a_number" },
    { says: "a list is worked on item by item", config: { divisor: 3 }, in: [10, -10], out: [1, -1] },
  ],
});
