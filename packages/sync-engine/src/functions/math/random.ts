/** Random. */
import { nodeFailures } from "@accord/contracts/messages/en/sync/run/node-failures";
import { addDecimals, decimalOfNumber, multiplyDecimals, numberOrText, roundDecimal } from "@accord/expressions";
import { z } from "zod";
import { FunctionFailure } from "../define.ts";
import { numberOf } from "../values/read.ts";
import { numberSetting, wholeSetting } from "../kinds/settings.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const random = defineValueFunction({
  name: "random",
  label: "Random",
  family: "math",
  summary: "Draws a number evenly between two bounds; simulated tests always draw the same ones.",
  inputs: [
    { name: "min", label: "Least", datatype: "double", defaultValue: 0, allowUserToken: true },
    { name: "max", label: "Most", datatype: "double", defaultValue: 1, allowUserToken: true },
    { name: "decimals", label: "Decimals", datatype: "integer", defaultValue: 0 },
  ],
  config: z.object({
    min: numberSetting.default(0),
    max: numberSetting.default(1),
    decimals: wholeSetting(0, 12).default(0),
  }),
  output: "decimal",
  noValue: true,
  prepare: ({ min, max, decimals }) => {
    const least = numberOf(min);
    const width = addDecimals(numberOf(max), multiplyDecimals(least, "-1"));
    const step = decimals === 0 ? "1" : `0.${"0".repeat(decimals - 1)}1`;
    return (_value, { random: draw }) => {
      if (width.startsWith("-")) throw new FunctionFailure("bounds_crossed", nodeFailures.boundsCrossed);
      // One step more than the width, cut off: both bounds are as likely as every number between.
      const drawn = multiplyDecimals(addDecimals(width, step), decimalOfNumber(draw()) ?? "0");
      return numberOrText(addDecimals(least, roundDecimal(drawn, decimals, "down")));
    };
  },
  examples: [
    { says: "a whole number, both bounds included", config: { min: 1, max: 6 }, out: 4 },
    { says: "with decimals", config: { min: 0, max: 1, decimals: 2 }, out: 0.5 },
    { says: "between equal bounds there is no choice", config: { min: 3, max: 3 }, out: 3 },
    { says: "bounds the wrong way round stop the record", config: { min: 2, max: 1 }, fails: "bounds_crossed" },
    { says: "for a list it is one number", config: { min: 1, max: 6 }, in: [1, 2], out: 4 },
    { says: "for nothing too", config: { min: 1, max: 6 }, in: null, out: 4 },
  ],
});
