/** Default value. */
import type { Value } from "@accord/contracts/data/values";
import { isBlank } from "@accord/expressions";
import { z } from "zod";
import { defineValueFunction } from "../kinds/value-function.ts";

export const defaultValue = defineValueFunction({
  name: "defaultValue",
  label: "Default value",
  family: "logic",
  summary: "Gives another value where the value is blank.",
  inputs: [{ name: "fallback", label: "Default", datatype: "text", required: true, allowUserToken: true }],
  config: z.object({ fallback: z.any().default(null) }),
  output: "string",
  lists: "whole",
  takesNull: true,
  prepare:
    ({ fallback }) =>
    (value) =>
      isBlank(value) ? (fallback as Value) : value,
  examples: [
    { says: "null gives the default", config: { fallback: "unknown" }, in: null, out: "unknown" },
    { says: "an empty list is blank", config: { fallback: "none" }, in: [], out: "none" },
    { says: "0 and false are values", config: { fallback: 5 }, in: 0, out: 0 },
    {
      says: "the default may be a token and keeps its type",
      config: { fallback: "{{previous.values.size}}" },
      record: { values: { size: 7 } },
      out: 7,
    },
    { says: "false is a value", config: { fallback: 5 }, in: false, out: false },
  ],
});
