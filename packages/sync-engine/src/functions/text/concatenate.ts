/** Concatenate. */
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import { isBlank, textOf } from "@accord/expressions";
import { z } from "zod";
import { joinTexts } from "../values/bounds.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const concatenate = defineValueFunction({
  name: "concatenate",
  label: "Concatenate",
  family: "text",
  summary: "Joins several texts to one.",
  inputs: [
    {
      name: "parts",
      label: "Parts",
      datatype: "text",
      repeatable: true,
      required: true,
      allowUserToken: true,
      helpText: "Texts and tokens, in order.",
    },
    { name: "separator", label: "Separator", datatype: "string", helpText: "Put between the parts." },
    {
      name: "skipBlanks",
      label: "Skip blanks",
      datatype: "boolean",
      defaultValue: true,
      helpText: "Leaves empty parts out, and the separator with them.",
    },
  ],
  config: z.object({
    parts: z.array(z.any()).min(1, nodeSettings.atLeastOnePart),
    separator: z.string().default(""),
    skipBlanks: z.boolean().default(true),
  }),
  output: "string",
  lists: "whole",
  noValue: true,
  openInputs: ["parts"],
  prepare:
    ({ parts, separator, skipBlanks }) =>
    () => {
      const used = skipBlanks ? parts.filter((part) => !isBlank(part)) : parts;
      return used.length === 0 ? null : joinTexts(used.map(textOf), separator);
    },
  examples: [
    { says: "parts are joined", config: { parts: ["Ann", "Lee"], separator: " " }, out: "Ann Lee" },
    {
      says: "blanks leave no doubled separator",
      config: { parts: ["Ann", null, "Lee"], separator: " " },
      out: "Ann Lee",
    },
    {
      says: "blanks may be kept",
      config: { parts: ["a", "", "b"], separator: ",", skipBlanks: false },
      out: "a,,b",
    },
    {
      says: "tokens are filled in, lists joined with semicolons",
      config: { parts: ["{{previous.values.Name}}", "{{previous.values.tags}}"], separator: ": " },
      record: { values: { Name: "Acme", tags: ["a", "b"] } },
      out: "Acme: a;b",
    },
    {
      says: "numbers and booleans by their text",
      config: { parts: ["{{previous.values.size}}", "{{previous.values.active}}"], separator: " " },
      record: { values: { size: 2.5, active: true } },
      out: "2.5 true",
    },
    {
      says: "of nothing it is nothing",
      config: { parts: ["{{previous.values.Name}}"] },
      record: { values: { Name: null } },
      out: null,
    },
  ],
});
