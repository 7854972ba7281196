/** Compute ratio. */
import { divideDecimals, isBlank, numberOrText, roundDecimal } from "@accord/expressions";
import { z } from "zod";
import { numberOf } from "../values/read.ts";
import { anySetting, wholeSetting } from "../kinds/settings.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const computeRatio = defineValueFunction({
  name: "computeRatio",
  label: "Compute ratio",
  family: "math",
  summary: "Divides one number by another, each written out or a token.",
  inputs: [
    { name: "numerator", label: "Numerator", datatype: "text", required: true, allowUserToken: true },
    { name: "denominator", label: "Denominator", datatype: "text", required: true, allowUserToken: true },
    {
      name: "decimals",
      label: "Decimals",
      datatype: "integer",
      defaultValue: 12,
      helpText: "Half goes up. A denominator of zero gives blank.",
    },
  ],
  config: z.object({
    numerator: anySetting,
    denominator: anySetting,
    decimals: wholeSetting(0, 12).default(12),
  }),
  output: "decimal",
  noValue: true,
  openInputs: ["numerator", "denominator"],
  prepare:
    ({ numerator, denominator, decimals }) =>
    () => {
      if (isBlank(numerator) || isBlank(denominator)) return null;
      const quotient = divideDecimals(numberOf(numerator), numberOf(denominator));
      return quotient === null ? null : numberOrText(roundDecimal(quotient, decimals, "halfUp"));
    },
  examples: [
    { says: "two numbers written out", config: { numerator: "1", denominator: "8" }, out: 0.125 },
    {
      says: "a token and a number",
      config: { numerator: "{{previous.values.size}}", denominator: "3", decimals: 2 },
      record: { values: { size: 2 } },
      out: 0.67,
    },
    { says: "zero below gives blank", config: { numerator: "1", denominator: "0" }, out: null },
    {
      says: "a blank on either side gives blank",
      config: { numerator: "{{previous.values.size}}", denominator: "3" },
      record: { values: { size: null } },
      out: null,
    },
    {
      says: "text that is no number stops the record",
      config: { numerator: "x", denominator: "2" },
      fails: "not_a_number",
    },
    {
      says: "a list is no number",
      config: { numerator: "{{previous.values.tags}}", denominator: "2" },
      record: { values: { tags: [1, 2] } },
      fails: "not_a_number",
    },
  ],
});
