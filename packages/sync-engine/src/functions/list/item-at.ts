/** Item at. */
import { z } from "zod";
import { itemsOf } from "../values/read.ts";
import { wholeSetting } from "../kinds/settings.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const itemAt = defineValueFunction({
  name: "itemAt",
  label: "Item at",
  family: "list",
  summary: "Takes the item at a place of a list.",
  inputs: [
    {
      name: "place",
      label: "Place",
      datatype: "integer",
      defaultValue: 1,
      allowUserToken: true,
      helpText: "1 is the first, -1 the last.",
    },
  ],
  config: z.object({ place: wholeSetting(-1_000_000, 1_000_000).default(1) }),
  output: "object",
  lists: "whole",
  prepare:
    ({ place }) =>
    (value) =>
      (place === 0 ? undefined : itemsOf(value).at(place > 0 ? place - 1 : place)) ?? null,
  examples: [
    { says: "counted from the front", config: { place: 2 }, in: ["a", "b", "c"], out: "b" },
    { says: "or from the back", config: { place: -2 }, in: ["a", "b", "c"], out: "b" },
    { says: "beyond the list there is nothing", config: { place: 9 }, in: ["a"], out: null },
    { says: "there is no place 0", config: { place: 0 }, in: ["a"], out: null },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "a single value is a list of one: it has no second item", config: { place: 2 }, in: "a", out: null },
  ],
});
