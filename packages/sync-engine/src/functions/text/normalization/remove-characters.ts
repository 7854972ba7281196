/** Remove characters. */
import { textOf } from "@accord/expressions";
import { z } from "zod";
import { textSetting } from "../../kinds/settings.ts";
import { defineValueFunction } from "../../kinds/value-function.ts";

const KINDS = {
  notDigits: /[^0-9]/g,
  notLetters: /[^\p{L}]/gu,
  notLettersOrDigits: /[^\p{L}\p{N}]/gu,
  notAscii: /[^\x20-\x7e]/g,
  controls: /\p{Cc}/gu,
} as const;

export const removeCharacters = defineValueFunction({
  name: "removeCharacters",
  label: "Remove characters",
  family: "text",
  summary: "Drops characters of a kind, or those written out.",
  inputs: [
    {
      name: "kind",
      label: "Drop",
      datatype: "picklist",
      defaultValue: "these",
      values: [
        { id: "these", label: "These characters" },
        { id: "notDigits", label: "Everything but digits" },
        { id: "notLetters", label: "Everything but letters" },
        { id: "notLettersOrDigits", label: "Everything but letters and digits" },
        { id: "notAscii", label: "Everything beyond plain Latin" },
        { id: "controls", label: "Line ends and other control characters" },
      ],
    },
    {
      name: "characters",
      label: "Characters",
      datatype: "string",
      requiredValue: { field: "kind", value: "these" },
      helpText: "Each of them is dropped wherever it stands.",
    },
  ],
  config: z.object({
    kind: z.enum(["these", "notDigits", "notLetters", "notLettersOrDigits", "notAscii", "controls"]).default("these"),
    characters: textSetting(200).default(""),
  }),
  output: "string",
  prepare: ({ kind, characters }) => {
    if (kind !== "these") return (value) => textOf(value).replaceAll(KINDS[kind], "");
    const unwanted = new Set(characters);
    return (value) =>
      Array.from(textOf(value))
        .filter((character) => !unwanted.has(character))
        .join("");
  },
  examples: [
    { says: "characters written out", config: { characters: " -()" }, in: "(030) 12-34", out: "0301234" },
    { says: "everything but digits", config: { kind: "notDigits" }, in: "+49 (30) 12", out: "493012" },
    { says: "everything but letters and digits", config: { kind: "notLettersOrDigits" }, in: "Ö-1 x!", out: "Ö1x" },
    { says: "null stays null", config: { characters: "x" }, in: null, out: null },
    { says: "a list is worked on item by item", config: { characters: "a" }, in: ["ab", "ca"], out: ["b", "c"] },
    { says: "a number is taken as text", config: { characters: " -()" }, in: 12, out: "12" },
  ],
});
