/** Title case. */
import { textOf } from "@accord/expressions";
import { z } from "zod";
import { defineValueFunction } from "../../kinds/value-function.ts";

/** Words are parted by anything but letters, digits and the apostrophe inside a word. */
const WORD = /[\p{L}\p{N}]+(?:['’][\p{L}]+)*/gu;

const capitalised = (word: string): string => {
  const [first = ""] = word;
  return first.toUpperCase() + word.slice(first.length).toLowerCase();
};

export const titleCase = defineValueFunction({
  name: "titleCase",
  label: "Title case",
  family: "text",
  summary: "Begins each word with a capital and writes the rest small.",
  config: z.object({}),
  output: "string",
  prepare: () => (value) => textOf(value).replace(WORD, capitalised),
  examples: [
    { says: "each word begins with a capital", config: {}, in: "hubspot inc", out: "Hubspot Inc" },
    { says: "hyphens part words, apostrophes don't", config: {}, in: "JEAN-LUC o'neill's", out: "Jean-Luc O'neill's" },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "a list is worked on item by item", config: {}, in: ["new york", "åre"], out: ["New York", "Åre"] },
    { says: "true or false is taken as text", config: {}, in: true, out: "True" },
  ],
});
