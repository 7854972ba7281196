/** Regex match. */
import { compileRegex, textOf } from "@accord/expressions";
import { z } from "zod";
import { matcherFor } from "../../values/bounds.ts";
import { flagSetting, regexSetting } from "../../kinds/settings.ts";
import { defineValueFunction } from "../../kinds/value-function.ts";

export const regexMatch = defineValueFunction({
  name: "regexMatch",
  label: "Regex match",
  family: "text",
  summary: "Tells whether a regular expression finds something in a text, in time that grows with the text alone.",
  inputs: [
    {
      name: "pattern",
      label: "Pattern",
      datatype: "string",
      required: true,
      hideTokenPicker: true,
      helpText: "Case matters; begin with (?i) where it should not. Look-around and back references are refused.",
    },
    { name: "whole", label: "The whole text", datatype: "boolean", defaultValue: false },
  ],
  config: z.object({ pattern: regexSetting, whole: flagSetting(false) }),
  output: "boolean",
  takesNull: true,
  prepare: ({ pattern, whole }) => {
    const regex = compileRegex(pattern);
    return (value) => {
      if (value === null) return false;
      const matcher = matcherFor(regex, textOf(value));
      return whole ? matcher.matches() : matcher.find();
    };
  },
  examples: [
    { says: "somewhere in the text", config: { pattern: "\\d{3}" }, in: "No. 123", out: true },
    { says: "or the whole of it", config: { pattern: "\\d{3}", whole: true }, in: "No. 123", out: false },
    { says: "blank never matches", config: { pattern: "x*" }, in: null, out: false },
    {
      says: "patterns that blow up elsewhere are harmless",
      config: { pattern: "(a+)+$" },
      in: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!",
      out: false,
    },
    { says: "a list is worked on item by item", config: { pattern: "^a" }, in: ["ab", "ba"], out: [true, false] },
    { says: "a number is taken as text", config: { pattern: "\\d{3}" }, in: 12, out: false },
  ],
});
