/** JSON path. */
import { isBlank, readJson, type ValuePath } from "@accord/expressions";
import type { Value } from "@accord/contracts/data/values";
import { z } from "zod";
import { pathSetting, valueAt } from "../tokens/value-path.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

/** Stands in while a form is empty; the path itself is required. */
const ROOT: ValuePath = { steps: [] };

function readable(value: Value): Value {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  return readJson(value) ?? value;
}

export const jsonPath = defineValueFunction({
  name: "jsonPath",
  label: "JSON path",
  family: "convert",
  summary: "Takes a member out of an object or list, such as address.city, items[0].price or items[*].price.",
  inputs: [
    {
      name: "path",
      label: "Path",
      datatype: "string",
      required: true,
      hideTokenPicker: true,
      helpText: "Members by name, items by number from 0, [*] for all of them.",
    },
    { name: "default", label: "Where nothing is", datatype: "text", allowUserToken: true },
  ],
  config: z.object({ path: pathSetting.default(ROOT), default: z.any().default(null) }),
  output: "object",
  lists: "whole",
  prepare:
    ({ path, default: otherwise }) =>
    (value) => {
      const found = valueAt(readable(value), path);
      return isBlank(found) ? otherwise : found;
    },
  examples: [
    { says: "a member of a member", config: { path: "address.city" }, in: { address: { city: "Oslo" } }, out: "Oslo" },
    {
      says: "of every item",
      config: { path: "items[*].price" },
      in: { items: [{ price: 1 }, { price: 2 }] },
      out: [1, 2],
    },
    { says: "a text in JSON is read first", config: { path: "$[1]" }, in: '["a","b"]', out: "b" },
    { says: "where nothing is, the default", config: { path: "a.b", default: "?" }, in: { a: 1 }, out: "?" },
    { says: "only what an object has itself", config: { path: "constructor.name" }, in: {}, out: null },
    { says: "null stays null", config: { path: "a" }, in: null, out: null },
    { says: "a list is read as a whole", config: { path: "[0].id" }, in: [{ id: 7 }], out: 7 },
  ],
});
