/** Decrement. */
import { addDecimals, multiplyDecimals, numberOrText } from "@accord/expressions";
import { z } from "zod";
import { numberOf } from "../values/read.ts";
import { numberSetting } from "../kinds/settings.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const decrement = defineValueFunction({
  name: "decrement",
  label: "Decrement",
  family: "math",
  summary: "Takes an amount off a number.",
  inputs: [{ name: "amount", label: "Amount", datatype: "double", defaultValue: 1, allowUserToken: true }],
  config: z.object({ amount: numberSetting.default(1) }),
  output: "decimal",
  openInputs: ["amount"],
  prepare: ({ amount }) => {
    const taken = multiplyDecimals(numberOf(amount), "-1");
    return (value) => numberOrText(addDecimals(numberOf(value), taken));
  },
  examples: [
    { says: "takes one off by default", config: {}, in: 43, out: 42 },
    { says: "decimals are exact", config: { amount: 0.1 }, in: 0.3, out: 0.2 },
    { says: "a whole number as text", config: { amount: 5 }, in: "3", out: -2 },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "text that is no number stops the record", config: {}, in: "x", fails: "not_a_number" },
    { says: "a list is worked on item by item", config: {}, in: [43, null], out: [42, null] },
  ],
});
