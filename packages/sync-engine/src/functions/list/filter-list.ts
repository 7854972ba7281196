/** Filter list. */
import { itemsOf } from "../values/read.ts";
import { ITEM_INPUTS, ItemCondition, itemTest } from "../kinds/item-condition.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const filterList = defineValueFunction({
  name: "filterList",
  label: "Filter list",
  family: "list",
  summary: "Keeps the items of a list for which a condition holds.",
  inputs: ITEM_INPUTS,
  config: ItemCondition,
  output: "list",
  lists: "whole",
  prepare: (config) => {
    const test = itemTest(config);
    return (value, env) => itemsOf(value).filter(test(env));
  },
  examples: [
    {
      says: "texts without regard to case",
      config: { operator: "startsWith", compare: "a" },
      in: ["Ann", "Bob"],
      out: ["Ann"],
    },
    { says: "numbers by size", config: { operator: "greater", compare: "2" }, in: [1, 2, 3], out: [3] },
    {
      says: "objects by a member",
      config: { path: "type", operator: "equals", compare: "home" },
      in: [
        { type: "home", n: 1 },
        { type: "work", n: 2 },
      ],
      out: [{ type: "home", n: 1 }],
    },
    { says: "what is filled, by default", config: {}, in: ["a", null, ""], out: ["a"] },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "a single value is a list of one", config: { operator: "startsWith", compare: "a" }, in: 12, out: [] },
  ],
});
