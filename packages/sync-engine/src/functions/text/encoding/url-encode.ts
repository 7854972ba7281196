/** URL encode. */
import { textOf } from "@accord/expressions";
import { z } from "zod";
import { defineValueFunction } from "../../kinds/value-function.ts";

export const urlEncode = defineValueFunction({
  name: "urlEncode",
  label: "URL encode",
  family: "text",
  summary: "Writes a text so that it can stand as one part of a web address.",
  config: z.object({}),
  output: "string",
  prepare: () => (value) => encodeURIComponent(textOf(value).toWellFormed()),
  examples: [
    {
      says: "signs with a meaning of their own are written as codes",
      config: {},
      in: "a b&c/ü",
      out: "a%20b%26c%2F%C3%BC",
    },
    { says: "plain text stays as it is", config: {}, in: "abc-1", out: "abc-1" },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "a list is worked on item by item", config: {}, in: ["a b", 1], out: ["a%20b", "1"] },
    { says: "an object is taken as its JSON", config: {}, in: { a: 1 }, out: "%7B%22a%22%3A1%7D" },
  ],
});
