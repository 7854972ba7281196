/** Loop: makes the functions after it work item by item, on a part of each item where wanted. */
import { nodeFailures } from "@accord/contracts/messages/en/sync/run/node-failures";
import { fill } from "@accord/contracts/messages/fill";
import type { Value } from "@accord/contracts/data/values";
import { z } from "zod";
import type { FunctionDefinition } from "../define.ts";
import { FunctionFailure } from "../define.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

const MOST = 10_000;

/** A member of an object, by a path with dots; null where there is none. */
const memberOf = (item: Value, path: readonly string[]): Value =>
  path.reduce<Value>(
    (part, name) =>
      part !== null && typeof part === "object" && !Array.isArray(part) && Object.hasOwn(part, name)
        ? (part[name] ?? null)
        : null,
    item,
  );

export const loop: FunctionDefinition = defineValueFunction({
  name: "loop",
  label: "Loop",
  family: "flow",
  summary: "Takes a list so that the functions after it run once for each item.",
  levels: ["field"],
  lists: "whole",
  inputs: [
    {
      name: "path",
      label: "Part of each item",
      datatype: "string",
      hideTokenPicker: true,
      helpText: "A path with dots into items that are objects, as `address.city`.",
    },
    { name: "maxIterations", label: "Most items", datatype: "integer", defaultValue: 1000, hideTokenPicker: true },
  ],
  config: z.object({
    path: z.string().default(""),
    maxIterations: z.coerce.number().int().min(1).max(MOST).default(1000),
  }),
  output: "list",
  prepare: ({ path, maxIterations }) => {
    const names = path === "" ? [] : path.split(".");
    return (value) => {
      const items = Array.isArray(value) ? value : [value];
      if (items.length > maxIterations) {
        const message = fill(nodeFailures.tooManyItems, { count: items.length, limit: maxIterations });
        throw new FunctionFailure("too_many_items", message);
      }
      return names.length === 0 ? items : items.map((item) => memberOf(item, names));
    };
  },
  examples: [
    { says: "the list goes on as it is", config: {}, in: ["a", "b"], out: ["a", "b"] },
    { says: "one value is a list of one", config: {}, in: "a", out: ["a"] },
    { says: "a part of each item", config: { path: "id" }, in: [{ id: 1 }, { name: "x" }], out: [1, null] },
    { says: "nothing stays nothing", config: {}, in: null, out: null },
    {
      says: "a longer list than allowed is an error",
      config: { maxIterations: 1 },
      in: [1, 2],
      fails: "too_many_items",
    },
  ],
});
