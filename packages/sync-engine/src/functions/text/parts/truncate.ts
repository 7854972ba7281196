/** Truncate. */
import { textOf } from "@accord/expressions";
import { z } from "zod";
import { textSetting, wholeSetting } from "../../kinds/settings.ts";
import { defineValueFunction } from "../../kinds/value-function.ts";

export const truncate = defineValueFunction({
  name: "truncate",
  label: "Truncate",
  family: "text",
  summary: "Shortens a text to a length, its ending included.",
  inputs: [
    { name: "length", label: "Length", datatype: "integer", required: true, allowUserToken: true },
    {
      name: "ending",
      label: "Ending",
      datatype: "string",
      helpText: "Put at the end of what was shortened, such as …",
    },
    { name: "atWord", label: "At a word's end", datatype: "boolean", defaultValue: false },
  ],
  config: z.object({
    length: wholeSetting(1, 1_000_000),
    ending: textSetting(20).default(""),
    atWord: z.boolean().default(false),
  }),
  output: "string",
  prepare: ({ length, ending, atWord }) => {
    const room = Math.max(0, length - Array.from(ending).length);
    return (value) => {
      const characters = Array.from(textOf(value));
      if (characters.length <= length) return textOf(value);
      const cut = characters.slice(0, room).join("");
      const space = atWord && characters[room] !== " " ? cut.lastIndexOf(" ") : -1;
      return (space > 0 ? cut.slice(0, space) : cut).trimEnd() + ending;
    };
  },
  examples: [
    { says: "a longer text is cut", config: { length: 5 }, in: "abcdefgh", out: "abcde" },
    {
      says: "with an ending it is no longer either",
      config: { length: 6, ending: "…" },
      in: "abcdefgh",
      out: "abcde…",
    },
    {
      says: "at a word's end",
      config: { length: 12, ending: "…", atWord: true },
      in: "The quick brown fox",
      out: "The quick…",
    },
    { says: "a shorter text stays as it is", config: { length: 5 }, in: "abc", out: "abc" },
    { says: "null stays null", config: { length: 5 }, in: null, out: null },
    { says: "a list is worked on item by item", config: { length: 5 }, in: ["abcdefgh", "abc"], out: ["abcde", "abc"] },
    { says: "a number is taken as text", config: { length: 5 }, in: 12, out: "12" },
  ],
});
