/** Flatten. */
import type { Value } from "@accord/contracts/data/values";
import { z } from "zod";
import { listTooLong, MAX_ITEMS } from "../values/bounds.ts";
import { itemsOf } from "../values/read.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

/** Lists within lists deeper than this stay as they are. */
const DEPTH = 10;

function flat(items: readonly Value[], depth: number, into: Value[]): Value[] {
  for (const item of items) {
    if (Array.isArray(item) && depth > 0) flat(item, depth - 1, into);
    else if (into.push(item) > MAX_ITEMS) throw listTooLong();
  }
  return into;
}

export const flatten = defineValueFunction({
  name: "flatten",
  label: "Flatten",
  family: "list",
  summary: "Makes one list of a list of lists.",
  config: z.object({}),
  output: "list",
  lists: "whole",
  prepare: () => (value) => flat(itemsOf(value), DEPTH, []),
  examples: [
    { says: "lists within a list", config: {}, in: ["a", ["b", ["c"]]], out: ["a", "b", "c"] },
    { says: "a plain list stays as it is", config: {}, in: [1, 2], out: [1, 2] },
    { says: "a single value is a list of one", config: {}, in: "a", out: ["a"] },
    { says: "null stays null", config: {}, in: null, out: null },
  ],
});
