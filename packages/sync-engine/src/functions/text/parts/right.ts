/** Right. */
import { textOf } from "@accord/expressions";
import { z } from "zod";
import { wholeSetting } from "../../kinds/settings.ts";
import { defineValueFunction } from "../../kinds/value-function.ts";

export const right = defineValueFunction({
  name: "right",
  label: "Right",
  family: "text",
  summary: "Takes the last characters of a text.",
  inputs: [{ name: "length", label: "Length", datatype: "integer", defaultValue: 1, allowUserToken: true }],
  config: z.object({ length: wholeSetting(0, 1_000_000).default(1) }),
  output: "string",
  prepare:
    ({ length }) =>
    (value) =>
      length === 0 ? "" : Array.from(textOf(value)).slice(-length).join(""),
  examples: [
    { says: "the last characters", config: { length: 4 }, in: "4111 1111 1234", out: "1234" },
    { says: "none is an empty text", config: { length: 0 }, in: "abc", out: "" },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "a list is worked on item by item", config: {}, in: ["ab", "cd"], out: ["b", "d"] },
    { says: "a number is taken as text", config: { length: 4 }, in: 12, out: "12" },
  ],
});
