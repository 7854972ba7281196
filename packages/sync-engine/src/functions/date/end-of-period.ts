/** End of period. */
import { addUnits, startOfUnit } from "@accord/expressions";
import { moved, PERIOD_INPUTS, PeriodConfig } from "../kinds/period.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const endOfPeriod = defineValueFunction({
  name: "endOfPeriod",
  label: "End of period",
  family: "date",
  summary: "Goes to the last day, or the last millisecond, of the hour, day, week, month, quarter or year.",
  inputs: PERIOD_INPUTS,
  config: PeriodConfig,
  output: "datetime",
  prepare:
    ({ period, timeZone }) =>
    (value, env) =>
      moved(value, timeZone ?? env.timeZone, (wall) => addUnits(startOfUnit(wall, period), 1, period) - 1),
  examples: [
    { says: "the last day of the month", config: {}, in: "2024-02-10", out: "2024-02-29" },
    {
      says: "the last millisecond of a date-time's quarter",
      config: { period: "quarter" },
      in: "2024-02-10T10:00:00.000Z",
      out: "2024-03-31T23:59:59.999Z",
    },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "text that is no date stops the record", config: {}, in: "x", fails: "not_a_date" },
    { says: "a list is worked on item by item", config: {}, in: ["2024-02-10", null], out: ["2024-02-29", null] },
  ],
});
