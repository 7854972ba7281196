/** Remove item. */
import { foldText, textOf } from "@accord/expressions";
import { z } from "zod";
import { itemsOf } from "../values/read.ts";
import { anySetting } from "../kinds/settings.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const removeItem = defineValueFunction({
  name: "removeItem",
  label: "Remove item",
  family: "list",
  summary: "Takes every item with a given value out of a list, without regard to case.",
  inputs: [{ name: "item", label: "Item", datatype: "text", required: true, allowUserToken: true }],
  config: z.object({ item: anySetting }),
  output: "list",
  lists: "whole",
  prepare: ({ item }) => {
    const unwanted = new Set(itemsOf(item).map((one) => foldText(textOf(one))));
    return (value) => itemsOf(value).filter((one) => !unwanted.has(foldText(textOf(one))));
  },
  examples: [
    { says: "wherever it stands", config: { item: "b" }, in: ["a", "B", "b"], out: ["a"] },
    { says: "what is not there changes nothing", config: { item: "x" }, in: ["a"], out: ["a"] },
    {
      says: "all items of a list token",
      config: { item: "{{previous.values.tags}}" },
      record: { values: { tags: ["a", "b"] } },
      in: ["a", "b", "c"],
      out: ["c"],
    },
    { says: "null stays null", config: { item: "x" }, in: null, out: null },
    { says: "a single value is a list of one", config: { item: "b" }, in: 12, out: [12] },
  ],
});
