/** Mask. */
import { textOf } from "@accord/expressions";
import { z } from "zod";
import { textSetting, wholeSetting } from "../kinds/settings.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const mask = defineValueFunction({
  name: "mask",
  label: "Mask",
  family: "text",
  summary: "Hides a text but for its first and last characters.",
  inputs: [
    { name: "first", label: "Show first", datatype: "integer", defaultValue: 0 },
    { name: "last", label: "Show last", datatype: "integer", defaultValue: 4 },
    { name: "sign", label: "Hide with", datatype: "string", defaultValue: "*" },
  ],
  config: z.object({
    first: wholeSetting(0, 1000).default(0),
    last: wholeSetting(0, 1000).default(4),
    sign: textSetting(4).default("*"),
  }),
  output: "string",
  prepare:
    ({ first, last, sign }) =>
    (value) => {
      const characters = Array.from(textOf(value));
      // A text too short to hide anything of is hidden whole.
      const hidden = characters.length > first + last ? characters.length - first - last : characters.length;
      const from = hidden === characters.length ? 0 : first;
      return [
        ...characters.slice(0, from),
        ...Array.from({ length: hidden }, () => sign),
        ...characters.slice(from + hidden),
      ].join("");
    },
  examples: [
    { says: "the last four show by default", config: {}, in: "4111111111111234", out: "************1234" },
    { says: "the first too", config: { first: 2, last: 2, sign: "•" }, in: "secret", out: "se••et" },
    { says: "a short text is hidden whole", config: {}, in: "1234", out: "****" },
    { says: "null stays null", config: {}, in: null, out: null },
    {
      says: "a list is worked on item by item",
      config: {},
      in: ["4111111111111234", "1234"],
      out: ["************1234", "****"],
    },
    { says: "a number is taken as text", config: {}, in: 12, out: "**" },
  ],
});
