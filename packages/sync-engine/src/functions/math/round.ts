/** Round. */
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import { numberOrText, roundDecimal } from "@accord/expressions";
import { z } from "zod";
import { numberOf } from "../values/read.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const round = defineValueFunction({
  name: "round",
  label: "Round",
  family: "math",
  summary: "Rounds a number.",
  inputs: [
    {
      name: "decimals",
      label: "Decimals",
      datatype: "integer",
      defaultValue: 0,
      helpText: "Negative rounds tens and hundreds.",
    },
    {
      name: "mode",
      label: "Mode",
      datatype: "picklist",
      defaultValue: "halfUp",
      values: [
        { id: "halfUp", label: "Half up" },
        { id: "floor", label: "Down to the lower" },
        { id: "ceiling", label: "Up to the higher" },
        { id: "down", label: "Towards zero" },
        { id: "up", label: "Away from zero" },
      ],
    },
  ],
  config: z.object({
    decimals: z.coerce.number(nodeSettings.wholeNumber).int(nodeSettings.wholeNumber).min(-12).max(12).default(0),
    mode: z.enum(["halfUp", "floor", "ceiling", "down", "up"]).default("halfUp"),
  }),
  output: "decimal",
  prepare:
    ({ decimals, mode }) =>
    (value) =>
      numberOrText(roundDecimal(numberOf(value), decimals, mode)),
  examples: [
    { says: "half goes up", config: {}, in: 2.5, out: 3 },
    { says: "half goes away from zero below it", config: {}, in: -2.5, out: -3 },
    { says: "decimals are exact", config: { decimals: 2 }, in: 1.005, out: 1.01 },
    { says: "tens", config: { decimals: -1 }, in: 1234, out: 1230 },
    { says: "to the lower", config: { mode: "floor" }, in: -1.2, out: -2 },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "a list is worked on item by item", config: {}, in: [1.4, "1.6"], out: [1, 2] },
    { says: "text that is no number stops the record", config: {}, in: "many", fails: "not_a_number" },
  ],
});
