/** Append item. */
import { isBlank } from "@accord/expressions";
import { z } from "zod";
import { itemsOf } from "../values/read.ts";
import { anySetting } from "../kinds/settings.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const appendItem = defineValueFunction({
  name: "appendItem",
  label: "Append item",
  family: "list",
  summary: "Puts an item at the end or the beginning of a list; a blank one is left out.",
  inputs: [
    { name: "item", label: "Item", datatype: "text", allowUserToken: true },
    {
      name: "where",
      label: "Where",
      datatype: "picklist",
      defaultValue: "end",
      values: [
        { id: "end", label: "At the end" },
        { id: "start", label: "At the beginning" },
      ],
    },
  ],
  config: z.object({ item: anySetting, where: z.enum(["end", "start"]).default("end") }),
  output: "list",
  lists: "whole",
  takesNull: true,
  openInputs: ["item"],
  prepare: ({ item, where }) => {
    const added = isBlank(item) ? [] : itemsOf(item);
    return (value) => {
      const items = itemsOf(value);
      const all = where === "end" ? [...items, ...added] : [...added, ...items];
      return all.length === 0 ? null : all;
    };
  },
  examples: [
    { says: "at the end", config: { item: "c" }, in: ["a", "b"], out: ["a", "b", "c"] },
    { says: "at the beginning", config: { item: "c", where: "start" }, in: ["a"], out: ["c", "a"] },
    { says: "to nothing it makes a list of one", config: { item: "a" }, in: null, out: ["a"] },
    {
      says: "a blank item is left out, and a token keeps its type",
      config: { item: "{{previous.values.size}}" },
      record: { values: { size: 3 } },
      in: ["1"],
      out: ["1", 3],
    },
    { says: "a single value is a list of one", config: { item: "c" }, in: 12, out: [12, "c"] },
  ],
});
