/** Slugify. */
import { textOf } from "@accord/expressions";
import { z } from "zod";
import { textSetting } from "../../kinds/settings.ts";
import { defineValueFunction } from "../../kinds/value-function.ts";

/** Letters that have no plain Latin letter inside them. */
const SPELLED: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
};

export const slugify = defineValueFunction({
  name: "slugify",
  label: "Slugify",
  family: "text",
  summary: "Makes a text fit for an address: small plain letters and digits with hyphens between.",
  inputs: [{ name: "separator", label: "Separator", datatype: "string", defaultValue: "-" }],
  config: z.object({ separator: textSetting(3).default("-") }),
  output: "string",
  prepare:
    ({ separator }) =>
    (value) =>
      (
        textOf(value)
          .toLowerCase()
          .replaceAll(/[ßæœøđðþł]/g, (letter) => SPELLED[letter] ?? "")
          .normalize("NFKD")
          .replaceAll(/\p{M}/gu, "")
          .match(/[a-z0-9]+/g) ?? []
      ).join(separator),
  examples: [
    { says: "accents go, words are joined", config: {}, in: "Crème Brûlée & Co.", out: "creme-brulee-co" },
    { says: "with another separator", config: { separator: "_" }, in: "Straße 12", out: "strasse_12" },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "a list is worked on item by item", config: {}, in: ["A B", "c"], out: ["a-b", "c"] },
    { says: "an object is taken as its JSON", config: {}, in: { a: 1 }, out: "a-1" },
  ],
});
