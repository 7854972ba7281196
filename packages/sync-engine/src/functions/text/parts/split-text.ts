/** Split text. */
import { textOf } from "@accord/expressions";
import { z } from "zod";
import { defineValueFunction } from "../../kinds/value-function.ts";

export const splitText = defineValueFunction({
  name: "splitText",
  label: "Split text",
  family: "text",
  summary: "Cuts a text into a list at each separator.",
  inputs: [
    { name: "separator", label: "Separator", datatype: "string", defaultValue: ",", required: true },
    { name: "trimItems", label: "Trim items", datatype: "boolean", defaultValue: true },
    { name: "skipBlanks", label: "Skip blanks", datatype: "boolean", defaultValue: true },
  ],
  config: z.object({
    separator: z.string().min(1).max(100).default(","),
    trimItems: z.boolean().default(true),
    skipBlanks: z.boolean().default(true),
  }),
  output: "list",
  lists: "whole",
  prepare:
    ({ separator, trimItems, skipBlanks }) =>
    (value) => {
      const texts = (Array.isArray(value) ? value : [value]).flatMap((item) => textOf(item).split(separator));
      const items = trimItems ? texts.map((item) => item.trim()) : texts;
      return skipBlanks ? items.filter((item) => item !== "") : items;
    },
  examples: [
    { says: "a list of trimmed items", config: {}, in: "a, b,,c", out: ["a", "b", "c"] },
    {
      says: "everything kept as it is",
      config: { separator: "-", trimItems: false, skipBlanks: false },
      in: "a- -",
      out: ["a", " ", ""],
    },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "the texts of a list make one list", config: {}, in: ["a,b", "c"], out: ["a", "b", "c"] },
    { says: "a number is taken as text", config: {}, in: 12, out: ["12"] },
  ],
});
