/** Contains item. */
import { foldText, textOf } from "@accord/expressions";
import { z } from "zod";
import { itemsOf } from "../values/read.ts";
import { anySetting } from "../kinds/settings.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const containsItem = defineValueFunction({
  name: "containsItem",
  label: "Contains item",
  family: "list",
  summary: "Tells whether a list has an item, without regard to case.",
  inputs: [{ name: "item", label: "Item", datatype: "text", required: true, allowUserToken: true }],
  config: z.object({ item: anySetting }),
  output: "boolean",
  lists: "whole",
  takesNull: true,
  openInputs: ["item"],
  prepare: ({ item }) => {
    const wanted = itemsOf(item).map((one) => foldText(textOf(one)));
    return (value) => {
      const held = new Set(itemsOf(value).map((one) => foldText(textOf(one))));
      return wanted.length > 0 && wanted.every((one) => held.has(one));
    };
  },
  examples: [
    { says: "an item that is there", config: { item: "B" }, in: ["a", "b"], out: true },
    { says: "and one that is not", config: { item: "x" }, in: ["a", "b"], out: false },
    { says: "blank has no items", config: { item: "x" }, in: null, out: false },
    { says: "a single value is a list of one", config: { item: 1 }, in: "1", out: true },
  ],
});
