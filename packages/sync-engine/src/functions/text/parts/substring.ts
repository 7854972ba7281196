/** Substring. */
import { textOf } from "@accord/expressions";
import { z } from "zod";
import { wholeSetting } from "../../kinds/settings.ts";
import { defineValueFunction } from "../../kinds/value-function.ts";

export const substring = defineValueFunction({
  name: "substring",
  label: "Substring",
  family: "text",
  summary: "Takes a part of a text; characters are counted as people see them.",
  inputs: [
    {
      name: "start",
      label: "Start",
      datatype: "integer",
      defaultValue: 1,
      allowUserToken: true,
      helpText: "1 is the first character; -1 counts from the end.",
    },
    { name: "length", label: "Length", datatype: "integer", allowUserToken: true, helpText: "Empty: to the end." },
  ],
  config: z.object({
    start: wholeSetting(-1_000_000, 1_000_000).default(1),
    length: wholeSetting(0, 1_000_000).optional(),
  }),
  output: "string",
  prepare:
    ({ start, length }) =>
    (value) => {
      const characters = Array.from(textOf(value));
      const from = start > 0 ? start - 1 : start === 0 ? 0 : Math.max(0, characters.length + start);
      return characters.slice(from, length === undefined ? undefined : from + length).join("");
    },
  examples: [
    { says: "from a place, so many characters", config: { start: 2, length: 3 }, in: "abcdef", out: "bcd" },
    { says: "to the end", config: { start: 4 }, in: "abcdef", out: "def" },
    { says: "from the end", config: { start: -2 }, in: "abcdef", out: "ef" },
    { says: "beyond the text there is nothing", config: { start: 9 }, in: "abc", out: "" },
    { says: "a wide character counts as one", config: { start: 2, length: 1 }, in: "a😀b", out: "😀" },
    { says: "null stays null", config: {}, in: null, out: null },
    {
      says: "a list is worked on item by item",
      config: { start: 2, length: 3 },
      in: ["abcdef", null],
      out: ["bcd", null],
    },
    { says: "a number is taken as text", config: { start: 2, length: 3 }, in: 12, out: "2" },
  ],
});
