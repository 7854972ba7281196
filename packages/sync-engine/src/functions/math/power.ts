/** Power. */
import { multiplyDecimals, numberOrText } from "@accord/expressions";
import { z } from "zod";
import { numberOf } from "../values/read.ts";
import { numberSetting } from "../kinds/settings.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

/** Whole exponents up to here are multiplied out exactly. */
const EXACT = 32;

export const power = defineValueFunction({
  name: "power",
  label: "Power",
  family: "math",
  summary: "Raises a number to a power; blank where that has no finite value.",
  inputs: [{ name: "exponent", label: "Exponent", datatype: "double", defaultValue: 2, allowUserToken: true }],
  config: z.object({ exponent: numberSetting.default(2) }),
  output: "decimal",
  prepare: ({ exponent }) => {
    const by = Number(numberOf(exponent));
    return (value) => {
      const base = numberOf(value);
      if (Number.isInteger(by) && by >= 0 && by <= EXACT && base.length <= 20)
        return numberOrText(multiplied(base, by));
      const result = Number(base) ** by;
      return Number.isFinite(result) ? result : null;
    };
  },
  examples: [
    { says: "the square by default", config: {}, in: 1.5, out: 2.25 },
    { says: "whole powers are exact", config: { exponent: 20 }, in: 10, out: "100000000000000000000" },
    { says: "a half is the root", config: { exponent: 0.5 }, in: 9, out: 3 },
    { says: "a root of a negative number is blank", config: { exponent: 0.5 }, in: -1, out: null },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "text that is no number stops the record", config: {}, in: "x", fails: "not_a_number" },
    { says: "a list is worked on item by item", config: {}, in: [1.5, null], out: [2.25, null] },
  ],
});

function multiplied(base: string, times: number): string {
  let result = "1";
  for (let count = 0; count < times; count++) result = multiplyDecimals(result, base);
  return result;
}
