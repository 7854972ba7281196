/** Absolute value. */
import { numberOrText } from "@accord/expressions";
import { z } from "zod";
import { numberOf } from "../values/read.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const absoluteValue = defineValueFunction({
  name: "absoluteValue",
  label: "Absolute value",
  family: "math",
  summary: "Takes the sign off a number.",
  config: z.object({}),
  output: "decimal",
  prepare: () => (value) =>
    typeof value === "number" ? Math.abs(value) : numberOrText(numberOf(value).replace("-", "")),
  examples: [
    { says: "a negative number loses its sign", config: {}, in: -3.5, out: 3.5 },
    { says: "digits beyond exact numbers stay exact", config: {}, in: "-9007199254740993", out: "9007199254740993" },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "a list is worked on item by item", config: {}, in: [-1, "2"], out: [1, 2] },
    { says: "text that is no number stops the record", config: {}, in: "x", fails: "not_a_number" },
  ],
});
