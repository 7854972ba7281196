/** Multiply. */
import { multiplyDecimals, numberOrText } from "@accord/expressions";
import { z } from "zod";
import { numberOf } from "../values/read.ts";
import { numberSetting } from "../kinds/settings.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const multiply = defineValueFunction({
  name: "multiply",
  label: "Multiply",
  family: "math",
  summary: "Multiplies a number by a factor.",
  inputs: [{ name: "factor", label: "Factor", datatype: "double", required: true, allowUserToken: true }],
  config: z.object({ factor: numberSetting }),
  output: "decimal",
  openInputs: ["factor"],
  prepare: ({ factor }) => {
    const by = numberOf(factor);
    return (value) => numberOrText(multiplyDecimals(numberOf(value), by));
  },
  examples: [
    { says: "a product", config: { factor: 12 }, in: 3, out: 36 },
    { says: "decimals are exact", config: { factor: "1.1" }, in: "1.1", out: 1.21 },
    { says: "null stays null", config: { factor: 2 }, in: null, out: null },
    { says: "a list is worked on item by item", config: { factor: 2 }, in: [1, 2], out: [2, 4] },
    { says: "a boolean is no number", config: { factor: 2 }, in: true, fails: "not_a_number" },
  ],
});
