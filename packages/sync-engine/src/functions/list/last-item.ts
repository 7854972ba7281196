/** Last item. */
import { z } from "zod";
import { itemsOf } from "../values/read.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const lastItem = defineValueFunction({
  name: "lastItem",
  label: "Last",
  family: "list",
  summary: "Takes the last item of a list.",
  config: z.object({}),
  output: "object",
  lists: "whole",
  prepare: () => (value) => itemsOf(value).at(-1) ?? null,
  examples: [
    { says: "the last item", config: {}, in: ["a", "b"], out: "b" },
    { says: "of objects too", config: {}, in: [{ id: 1 }, { id: 2 }], out: { id: 2 } },
    { says: "an empty list has none", config: {}, in: [], out: null },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "a single value is a list of one", config: {}, in: 12, out: 12 },
  ],
});
