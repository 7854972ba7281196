/** And. */
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import { z } from "zod";
import { toBoolean } from "../values/to-boolean.ts";
import { anySetting } from "../kinds/settings.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const and = defineValueFunction({
  name: "and",
  label: "And",
  family: "logic",
  summary: "Tells whether all of several values are true; blank counts as false.",
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
      values.every(toBoolean),
  examples: [
    { says: "all of them", config: { values: [true, "yes", 1] }, out: true },
    { says: "not when one is false", config: { values: [true, "no"] }, out: false },
    {
      says: "nor when one is blank",
      config: { values: ["{{previous.values.active}}", true] },
      record: { values: { active: null } },
      out: false,
    },
    { says: "anything else stops the record", config: { values: ["maybe"] }, fails: "not_a_boolean" },
    {
      says: "a list is no yes or no",
      config: { values: ["{{previous.values.tags}}"] },
      record: { values: { tags: ["a"] } },
      fails: "not_a_boolean",
    },
  ],
});
