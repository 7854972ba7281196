/** Find value. */
import { valueAtPath } from "@accord/expressions";
import type { Value } from "@accord/contracts/data/values";
import { z } from "zod";
import { ITEM_INPUTS, ItemCondition, itemTest } from "../kinds/item-condition.ts";
import { itemsOf } from "../values/read.ts";
import { pathSetting } from "../tokens/value-path.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

const contacts: Value = {
  data: [
    { type: "home", phone: "1" },
    { type: "work", phone: "2" },
    { type: "work", phone: "3" },
  ],
};

export const findValue = defineValueFunction({
  name: "findValue",
  label: "Find value",
  family: "lookup",
  summary:
    "Picks items out of a list or object, such as an action's result; several make a list that following steps work on item by item.",
  inputs: [
    {
      name: "listPath",
      label: "List at",
      datatype: "string",
      hideTokenPicker: true,
      helpText: "Where the list lies in the value, such as data.items. Empty: the value is the list.",
    },
    ...ITEM_INPUTS,
    {
      name: "resultPath",
      label: "Give member",
      datatype: "string",
      hideTokenPicker: true,
      helpText: "Which member of the item is the result. Empty: the whole item.",
    },
    {
      name: "take",
      label: "Take",
      datatype: "picklist",
      defaultValue: "first",
      values: [
        { id: "first", label: "The first that fits" },
        { id: "all", label: "All that fit, as a list" },
      ],
    },
  ],
  config: z.intersection(
    ItemCondition,
    z.object({
      listPath: pathSetting.optional(),
      resultPath: pathSetting.optional(),
      take: z.enum(["first", "all"]).default("first"),
    }),
  ),
  output: "object",
  lists: "whole",
  prepare: (config) => {
    const { listPath, resultPath, take } = config;
    const test = itemTest(config);
    const give = (item: Value | undefined): Value => (resultPath ? valueAtPath(item, resultPath) : (item ?? null));
    return (value, env) => {
      const items = itemsOf(listPath ? valueAtPath(value, listPath) : value);
      return take === "first" ? give(items.find(test(env))) : items.filter(test(env)).map(give);
    };
  },
  examples: [
    {
      says: "a member of the first that fits",
      config: { listPath: "data", path: "type", operator: "equals", compare: "work", resultPath: "phone" },
      in: contacts,
      out: "2",
    },
    {
      says: "or of all",
      config: { listPath: "data", path: "type", operator: "equals", compare: "WORK", resultPath: "phone", take: "all" },
      in: contacts,
      out: ["2", "3"],
    },
    {
      says: "blank where none fits",
      config: { listPath: "data", path: "type", operator: "equals", compare: "x" },
      in: contacts,
      out: null,
    },
    { says: "a plain list", config: { operator: "startsWith", compare: "b" }, in: ["a", "bc"], out: "bc" },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "a single value is a list of one", config: { operator: "equals", compare: "A" }, in: "a", out: "a" },
    {
      says: "items of another type do not fit",
      config: { path: "type", operator: "equals", compare: "work" },
      in: ["work", 3],
      out: null,
    },
  ],
});
