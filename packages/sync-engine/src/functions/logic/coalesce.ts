/** Coalesce. */
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import type { Value } from "@accord/contracts/data/values";
import { isBlank } from "@accord/expressions";
import { z } from "zod";
import { defineValueFunction } from "../kinds/value-function.ts";

export const coalesce = defineValueFunction({
  name: "coalesce",
  label: "First filled",
  family: "logic",
  summary: "Takes the first of several values that is not blank.",
  inputs: [
    {
      name: "values",
      label: "Values",
      datatype: "text",
      repeatable: true,
      required: true,
      allowUserToken: true,
      helpText: "Tokens or texts in the order in which they are tried.",
    },
  ],
  config: z.object({ values: z.array(z.any()).min(1, nodeSettings.atLeastOneValue) }),
  output: "string",
  lists: "whole",
  noValue: true,
  openInputs: ["values"],
  prepare:
    ({ values }) =>
    () =>
      (values as Value[]).find((value) => !isBlank(value)) ?? null,
  examples: [
    { says: "the first that is filled", config: { values: [null, "", "b", "c"] }, out: "b" },
    { says: "null when none is", config: { values: [null, ""] }, out: null },
    {
      says: "tokens keep their type",
      config: { values: ["{{previous.values.Name}}", "{{previous.values.size}}"] },
      record: { values: { Name: null, size: 3 } },
      out: 3,
    },
    {
      says: "a list is one value",
      config: { values: ["{{previous.values.tags}}"] },
      record: { values: { tags: ["a"] } },
      out: ["a"],
    },
    {
      says: "false and zero are filled, an empty list is not",
      config: { values: ["{{previous.values.tags}}", "{{previous.values.active}}"] },
      record: { values: { tags: [], active: false } },
      out: false,
    },
  ],
});
