/** Start of period. */
import { startOfUnit } from "@accord/expressions";
import { moved, PERIOD_INPUTS, PeriodConfig } from "../kinds/period.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const startOfPeriod = defineValueFunction({
  name: "startOfPeriod",
  label: "Start of period",
  family: "date",
  summary: "Goes back to the beginning of the hour, day, week, month, quarter or year.",
  inputs: PERIOD_INPUTS,
  config: PeriodConfig,
  output: "datetime",
  prepare:
    ({ period, timeZone }) =>
    (value, env) =>
      moved(value, timeZone ?? env.timeZone, (wall) => startOfUnit(wall, period)),
  examples: [
    { says: "a date stays a date", config: {}, in: "2024-02-29", out: "2024-02-01" },
    { says: "weeks begin on Monday", config: { period: "week" }, in: "2024-02-29", out: "2024-02-26" },
    {
      says: "a day begins where the clock is",
      config: { period: "day", timeZone: "Europe/Berlin" },
      in: "2024-07-01T22:30:00.000Z",
      out: "2024-07-01T22:00:00.000Z",
    },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "text that is no date stops the record", config: {}, in: "x", fails: "not_a_date" },
    { says: "a list is worked on item by item", config: {}, in: ["2024-02-29", null], out: ["2024-02-01", null] },
  ],
});
