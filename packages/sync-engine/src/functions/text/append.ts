/** Append. */
import { textOf } from "@accord/expressions";
import { z } from "zod";
import { textSetting } from "../kinds/settings.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const append = defineValueFunction({
  name: "append",
  label: "Append",
  family: "text",
  summary: "Puts a text behind the value; a blank value stays blank.",
  inputs: [{ name: "text", label: "Text", datatype: "text", required: true, allowUserToken: true }],
  config: z.object({ text: textSetting(10_000).default("") }),
  output: "string",
  prepare:
    ({ text }) =>
    (value) =>
      textOf(value) + text,
  examples: [
    { says: "behind the value", config: { text: " Ltd" }, in: "Acme", out: "Acme Ltd" },
    {
      says: "the text may hold tokens",
      config: { text: "-{{previous.values.size}}" },
      record: { values: { size: 7 } },
      in: "A",
      out: "A-7",
    },
    { says: "null stays null", config: { text: "x" }, in: null, out: null },
    { says: "a list is worked on item by item", config: { text: "!" }, in: ["a", 1], out: ["a!", "1!"] },
    { says: "a number is taken as text", config: { text: " Ltd" }, in: 12, out: "12 Ltd" },
  ],
});
