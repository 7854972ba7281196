/** Equals. */
import { foldText, isBlank, kindOfValues, valueTest } from "@accord/expressions";
import { z } from "zod";
import { anySetting, flagSetting } from "../kinds/settings.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const equalsValue = defineValueFunction({
  name: "equals",
  label: "Equals",
  family: "logic",
  summary: "Tells whether two values are the same; numbers by size, texts without regard to case, blanks alike.",
  inputs: [
    { name: "other", label: "Other value", datatype: "text", allowUserToken: true },
    { name: "matchCase", label: "Match case", datatype: "boolean", defaultValue: false },
  ],
  config: z.object({ other: anySetting, matchCase: flagSetting(false) }),
  output: "boolean",
  lists: "whole",
  takesNull: true,
  openInputs: ["other"],
  prepare: ({ other, matchCase }) => {
    const right = Array.isArray(other) ? other : [other];
    return (value, { timeZone, now }) => {
      if (isBlank(value) || isBlank(other)) return isBlank(value) && isBlank(other);
      const same = valueTest("equals", kindOfValues("equals", value, right), right, timeZone, now)(value);
      if (!same || !matchCase || typeof value !== "string" || typeof other !== "string") return same;
      return value === other || foldText(value) !== foldText(other);
    };
  },
  examples: [
    { says: "texts without regard to case", config: { other: "ACME" }, in: "Acme", out: true },
    { says: "unless it matters", config: { other: "ACME", matchCase: true }, in: "Acme", out: false },
    { says: "a number and its text", config: { other: "1.50" }, in: 1.5, out: true },
    { says: "blanks are alike", config: {}, in: null, out: true },
    {
      says: "a list with the same items, in any order",
      config: { other: "{{previous.values.tags}}" },
      record: { values: { tags: ["b", "a"] } },
      in: ["a", "b"],
      out: true,
    },
  ],
});
