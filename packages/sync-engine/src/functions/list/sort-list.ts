/** Sort. */
import type { Value } from "@accord/contracts/data/values";
import { compareDecimals, compareValues, isBlank, numberText } from "@accord/expressions";
import { z } from "zod";
import { itemsOf } from "../values/read.ts";
import { pathSetting, valueAt } from "../tokens/value-path.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

/** Exact decimals and large integers travel as text: where all are numbers, they are put in order as numbers. */
function orderOf(keys: readonly Value[]): (left: Value, right: Value) => number {
  const isOfNumbers = keys.every((key) => isBlank(key) || numberText(key) !== null);
  if (!isOfNumbers) return compareValues;
  return (left, right) => {
    const [one, other] = [numberText(left), numberText(right)];
    return one !== null && other !== null ? compareDecimals(one, other) : compareValues(left, right);
  };
}

export const sortList = defineValueFunction({
  name: "sortList",
  label: "Sort",
  family: "list",
  summary: "Puts a list in order: numbers by size, texts without regard to case, blanks last.",
  inputs: [
    {
      name: "order",
      label: "Order",
      datatype: "picklist",
      defaultValue: "ascending",
      values: [
        { id: "ascending", label: "Ascending" },
        { id: "descending", label: "Descending" },
      ],
    },
    {
      name: "path",
      label: "By member",
      datatype: "string",
      hideTokenPicker: true,
      helpText: "For lists of objects: which member decides, such as address.city.",
    },
  ],
  config: z.object({ order: z.enum(["ascending", "descending"]).default("ascending"), path: pathSetting.optional() }),
  output: "list",
  lists: "whole",
  prepare:
    ({ order, path }) =>
    (value) => {
      const keyed = itemsOf(value).map((item) => ({ item, key: path ? valueAt(item, path) : item }));
      const compare = orderOf(keyed.map(({ key }) => key));
      const sign = order === "ascending" ? 1 : -1;
      return keyed
        .toSorted((a, b) => (isBlank(a.key) || isBlank(b.key) ? 1 : sign) * compare(a.key, b.key))
        .map(({ item }) => item);
    },
  examples: [
    { says: "texts without regard to case", config: {}, in: ["b", "A", "c"], out: ["A", "b", "c"] },
    { says: "numbers by size", config: { order: "descending" }, in: [2, 10, 1], out: [10, 2, 1] },
    {
      says: "exact decimals are numbers, though texts",
      config: {},
      in: ["10", "9.5", "100"],
      out: ["9.5", "10", "100"],
    },
    {
      says: "blanks come last, either way",
      config: { order: "descending" },
      in: [null, "a", "b"],
      out: ["b", "a", null],
    },
    {
      says: "objects by a member",
      config: { path: "n" },
      in: [{ n: 2 }, { n: 1 }],
      out: [{ n: 1 }, { n: 2 }],
    },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "a single value is a list of one", config: {}, in: 12, out: [12] },
  ],
});
