/** Pad. */
import { textOf } from "@accord/expressions";
import { z } from "zod";
import { textSetting, wholeSetting } from "../kinds/settings.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const pad = defineValueFunction({
  name: "pad",
  label: "Pad",
  family: "text",
  summary: "Fills a text up to a length; a longer one stays as it is.",
  inputs: [
    { name: "length", label: "Length", datatype: "integer", required: true, allowUserToken: true },
    { name: "fill", label: "Fill with", datatype: "string", defaultValue: "0" },
    {
      name: "side",
      label: "Side",
      datatype: "picklist",
      defaultValue: "left",
      values: [
        { id: "left", label: "In front" },
        { id: "right", label: "Behind" },
      ],
    },
  ],
  config: z.object({
    length: wholeSetting(0, 10_000),
    fill: textSetting(20).default("0"),
    side: z.enum(["left", "right"]).default("left"),
  }),
  output: "string",
  prepare: ({ length, fill, side }) => {
    const filling = Array.from(fill);
    return (value) => {
      const text = textOf(value);
      const missing = length - Array.from(text).length;
      if (missing <= 0 || filling.length === 0) return text;
      const added = Array.from({ length: missing }, (_, index) => filling[index % filling.length]).join("");
      return side === "left" ? added + text : text + added;
    };
  },
  examples: [
    { says: "zeros in front by default", config: { length: 5 }, in: 42, out: "00042" },
    {
      says: "behind, with another filling",
      config: { length: 6, fill: "-=", side: "right" },
      in: "abc",
      out: "abc-=-",
    },
    { says: "a longer text stays as it is", config: { length: 2 }, in: "abc", out: "abc" },
    { says: "null stays null", config: { length: 3 }, in: null, out: null },
    { says: "a list is worked on item by item", config: { length: 5 }, in: [42, null], out: ["00042", null] },
  ],
});
