/** Strip HTML. */
import { textOf } from "@accord/expressions";
import { z } from "zod";
import { defineValueFunction } from "../../kinds/value-function.ts";
import { plainTextOf } from "../../values/html-text.ts";

export const stripHtml = defineValueFunction({
  name: "stripHtml",
  label: "Strip HTML",
  family: "text",
  summary: "Turns HTML into plain text: no tags, scripts or styles, blocks on lines of their own.",
  config: z.object({}),
  output: "string",
  prepare: () => (value) => plainTextOf(textOf(value)),
  examples: [
    { says: "tags go, their text stays", config: {}, in: "<p>Hello <b>you</b></p>", out: "Hello you" },
    { says: "blocks and line breaks begin a line", config: {}, in: "a<br>b<p>c</p>", out: "a\nb\nc" },
    {
      says: "scripts and comments go with what is in them",
      config: {},
      in: "<script>alert(1)</script>x<!-- y -->",
      out: "x",
    },
    {
      says: "named and numbered characters are read",
      config: {},
      in: "A &amp; B &lt;3 &#8364;&nbsp;5",
      out: "A & B <3 € 5",
    },
    { says: "a sign of comparison is no tag", config: {}, in: "1 < 2 and 3 > 2", out: "1 < 2 and 3 > 2" },
    { says: "null stays null", config: {}, in: null, out: null },
    {
      says: "a list is worked on item by item",
      config: {},
      in: ["<p>Hello <b>you</b></p>", "a<br>b<p>c</p>"],
      out: ["Hello you", "a\nb\nc"],
    },
    { says: "a number is taken as text", config: {}, in: 12, out: "12" },
  ],
});
