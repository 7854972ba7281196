/** Join list. */
import { isBlank, textOf } from "@accord/expressions";
import { z } from "zod";
import { joinTexts } from "../values/bounds.ts";
import { itemsOf } from "../values/read.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const joinList = defineValueFunction({
  name: "joinList",
  label: "Join list",
  family: "list",
  summary: "Joins the items of a list to one text.",
  inputs: [{ name: "separator", label: "Separator", datatype: "string", defaultValue: ", " }],
  config: z.object({ separator: z.string().max(100).default(", ") }),
  output: "string",
  lists: "whole",
  prepare:
    ({ separator }) =>
    (value) =>
      joinTexts(
        itemsOf(value)
          .filter((item) => !isBlank(item))
          .map(textOf),
        separator,
      ),
  examples: [
    { says: "items are joined, blanks left out", config: {}, in: ["a", null, "b"], out: "a, b" },
    { says: "with another separator", config: { separator: " / " }, in: [1, 2.5, true], out: "1 / 2.5 / true" },
    { says: "null stays null, and so does an empty list", config: {}, in: [], out: null },
    { says: "a single value is a list of one", config: {}, in: "a", out: "a" },
    { says: "null stays null", config: {}, in: null, out: null },
  ],
});
