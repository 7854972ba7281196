/** Sentence case. */
import { textOf } from "@accord/expressions";
import { z } from "zod";
import { defineValueFunction } from "../../kinds/value-function.ts";

const FIRST_LETTER = /\p{L}/u;

export const sentenceCase = defineValueFunction({
  name: "sentenceCase",
  label: "Sentence case",
  family: "text",
  summary: "Begins the text with a capital and writes the rest small.",
  config: z.object({}),
  output: "string",
  prepare: () => (value) =>
    textOf(value)
      .toLowerCase()
      .replace(FIRST_LETTER, (letter) => letter.toUpperCase()),
  examples: [
    { says: "only the first letter is a capital", config: {}, in: "HELLO WORLD", out: "Hello world" },
    { says: "signs before it don't matter", config: {}, in: "“öl” und gas", out: "“Öl” und gas" },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "a list is worked on item by item", config: {}, in: ["A B", "c"], out: ["A b", "C"] },
    { says: "true or false is taken as text", config: {}, in: true, out: "True" },
  ],
});
