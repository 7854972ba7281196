/** Map values. */
import { nodeFailures } from "@accord/contracts/messages/en/sync/run/node-failures";
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import { fill } from "@accord/contracts/messages/fill";
import type { Value } from "@accord/contracts/data/values";
import { foldText, textOf } from "@accord/expressions";
import { z } from "zod";
import { FunctionFailure } from "../define.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

const Pair = z.object({ from: z.any(), to: z.any() });

export const mapValues = defineValueFunction({
  name: "mapValues",
  label: "Map values",
  family: "logic",
  summary: "Translates values by a table, as between the option lists of two systems.",
  inputs: [
    {
      name: "pairs",
      label: "Table",
      datatype: "composite",
      renderType: "pairs",
      repeatable: true,
      required: true,
      hideTokenPicker: true,
      helpText: "Each row: the value as it comes, and what becomes of it.",
    },
    {
      name: "otherwise",
      label: "Other values",
      datatype: "picklist",
      defaultValue: "keep",
      values: [
        { id: "keep", label: "Keep as they are" },
        { id: "blank", label: "Become blank" },
        { id: "default", label: "Become the default" },
        { id: "fail", label: "Stop the record with an error" },
      ],
    },
    { name: "default", label: "Default", datatype: "string", requiredValue: { field: "otherwise", value: "default" } },
    { name: "matchCase", label: "Match case", datatype: "boolean", defaultValue: false },
  ],
  config: z.object({
    pairs: z
      .array(Pair)
      .min(1, nodeSettings.atLeastOneRow)
      .max(1000, fill(nodeSettings.rowsAtMost, { limit: "1,000" })),
    otherwise: z.enum(["keep", "blank", "default", "fail"]).default("keep"),
    default: z.any().default(null),
    matchCase: z.boolean().default(false),
  }),
  output: "string",
  prepare: (config) => {
    const key = (value: Value): string => (config.matchCase ? textOf(value) : foldText(textOf(value))).trim();
    // The first row wins where two name the same value.
    const table = new Map<string, Value>();
    for (const { from, to } of config.pairs)
      if (!table.has(key(from as Value))) table.set(key(from as Value), (to ?? null) as Value);
    return (value) => {
      const found = table.get(key(value));
      if (found !== undefined) return found;
      switch (config.otherwise) {
        case "keep":
          return value;
        case "blank":
          return null;
        case "default":
          return config.default as Value;
        case "fail":
          throw new FunctionFailure(
            "value_not_mapped",
            fill(nodeFailures.valueNotMapped, { value: textOf(value).slice(0, 60) }),
          );
      }
    };
  },
  examples: [
    {
      says: "a value of the table",
      config: { pairs: [{ from: "lead", to: "prospect" }] },
      in: "Lead",
      out: "prospect",
    },
    { says: "another value is kept", config: { pairs: [{ from: "a", to: "b" }] }, in: "z", out: "z" },
    {
      says: "or replaced",
      config: { pairs: [{ from: "a", to: "b" }], otherwise: "default", default: "?" },
      in: "z",
      out: "?",
    },
    {
      says: "or stops the record",
      config: { pairs: [{ from: "a", to: "b" }], otherwise: "fail" },
      in: "z",
      fails: "value_not_mapped",
    },
    {
      says: "numbers and booleans are found by their text",
      config: { pairs: [{ from: "1", to: true }] },
      in: 1,
      out: true,
    },
    { says: "null stays null", config: { pairs: [{ from: "a", to: "b" }] }, in: null, out: null },
    {
      says: "a list is translated item by item",
      config: { pairs: [{ from: "a", to: "b" }] },
      in: ["a", "c"],
      out: ["b", "c"],
    },
  ],
});
