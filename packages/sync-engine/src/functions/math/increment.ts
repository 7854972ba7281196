/** Increment. */
import { addDecimals, numberOrText } from "@accord/expressions";
import { z } from "zod";
import { numberOf } from "../values/read.ts";
import { numberSetting } from "../kinds/settings.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const increment = defineValueFunction({
  name: "increment",
  label: "Increment",
  family: "math",
  summary: "Adds an amount to a number; a negative amount subtracts.",
  inputs: [{ name: "amount", label: "Amount", datatype: "double", defaultValue: 1, allowUserToken: true }],
  config: z.object({ amount: numberSetting.default(1) }),
  output: "decimal",
  openInputs: ["amount"],
  prepare: ({ amount }) => {
    const addend = numberOf(amount);
    return (value) => numberOrText(addDecimals(numberOf(value), addend));
  },
  examples: [
    { says: "adds one by default", config: {}, in: 41, out: 42 },
    { says: "decimals are exact", config: { amount: 0.2 }, in: 0.1, out: 0.3 },
    { says: "a negative amount subtracts", config: { amount: -5 }, in: "3", out: -2 },
    { says: "large numbers stay exact, as text", config: {}, in: "9007199254740992", out: "9007199254740993" },
    {
      says: "the amount may be a token",
      config: { amount: "{{previous.values.size}}" },
      record: { values: { size: 2 } },
      in: 1,
      out: 3,
    },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "text that is no number stops the record", config: {}, in: "x", fails: "not_a_number" },
    {
      says: "a list is worked on item by item",
      config: {},
      in: [41, "9007199254740992"],
      out: [42, "9007199254740993"],
    },
  ],
});
