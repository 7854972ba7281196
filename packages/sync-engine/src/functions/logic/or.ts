/** Or. */
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import { z } from "zod";
import { toBoolean } from "../values/to-boolean.ts";
import { anySetting } from "../kinds/settings.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const or = defineValueFunction({
  name: "or",
  label: "Or",
  family: "logic",
  summary: "Tells whether at least one of several values is true; blank counts as false.",
  inputs: [
    { name: "values", label: "Values", datatype: "text", repeatable: true, required: true, allowUserToken: true },
  ],
  config: z.object({ values: z.array(anySetting).min(1, nodeSettings.atLeastOneValue) }),
  output: "boolean",
  lists: "whole",
  noValue: true,
  openInputs: ["values"],
  prepare:
    ({ values }) =>
    () =>
      values.some(toBoolean),
  examples: [
    { says: "one is enough", config: { values: [false, "yes"] }, out: true },
    { says: "none is not", config: { values: ["no", null] }, out: false },
    {
      says: "tokens are read",
      config: { values: ["{{previous.values.active}}"] },
      record: { values: { active: true } },
      out: true,
    },
    { says: "anything else stops the record", config: { values: ["maybe"] }, fails: "not_a_boolean" },
    {
      says: "a blank is not",
      config: { values: ["{{previous.values.active}}"] },
      record: { values: { active: null } },
      out: false,
    },
    {
      says: "a list is no yes or no",
      config: { values: ["{{previous.values.tags}}"] },
      record: { values: { tags: ["a"] } },
      fails: "not_a_boolean",
    },
  ],
});
