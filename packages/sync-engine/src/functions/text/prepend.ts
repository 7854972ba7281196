/** Prepend. */
import { textOf } from "@accord/expressions";
import { z } from "zod";
import { textSetting } from "../kinds/settings.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const prepend = defineValueFunction({
  name: "prepend",
  label: "Prepend",
  family: "text",
  summary: "Puts a text before the value; a blank value stays blank.",
  inputs: [{ name: "text", label: "Text", datatype: "text", required: true, allowUserToken: true }],
  config: z.object({ text: textSetting(10_000).default("") }),
  output: "string",
  prepare:
    ({ text }) =>
    (value) =>
      text + textOf(value),
  examples: [
    { says: "before the value", config: { text: "https://" }, in: "example.org", out: "https://example.org" },
    { says: "a number is taken as text", config: { text: "No. " }, in: 12.5, out: "No. 12.5" },
    { says: "null stays null", config: { text: "x" }, in: null, out: null },
    { says: "a list is worked on item by item", config: { text: "#" }, in: ["a", "b"], out: ["#a", "#b"] },
  ],
});
