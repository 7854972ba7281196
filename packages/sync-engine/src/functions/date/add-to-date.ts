/** Add to date. */
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import { addMonths, fromZonedTime } from "@accord/expressions";
import { z } from "zod";
import { dateValue, momentValue, timeOf, wallOf } from "../values/read.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

const DAY_MS = 86_400_000;
const UNITS = ["seconds", "minutes", "hours", "days", "weeks", "months", "years"] as const;
const MS: Partial<Record<(typeof UNITS)[number], number>> = { seconds: 1000, minutes: 60_000, hours: 3_600_000 };

export const addToDate = defineValueFunction({
  name: "addToDate",
  label: "Add to date",
  family: "date",
  summary: "Moves a date or date-time forward, or back by a negative amount.",
  inputs: [
    { name: "amount", label: "Amount", datatype: "integer", required: true, allowUserToken: true },
    {
      name: "unit",
      label: "Unit",
      datatype: "picklist",
      defaultValue: "days",
      values: UNITS.map((unit) => ({ id: unit, label: unit })),
    },
  ],
  config: z.object({
    amount: z.coerce.number(nodeSettings.wholeNumber).int(nodeSettings.wholeNumber).min(-1_000_000).max(1_000_000),
    unit: z.enum(UNITS).default("days"),
  }),
  output: "datetime",
  prepare:
    ({ amount, unit }) =>
    (value, { timeZone }) => {
      const read = timeOf(value);
      const ms = MS[unit];
      if (ms !== undefined) {
        const start = read.kind === "moment" ? read.ms : fromZonedTime(wallOf(read, timeZone), timeZone);
        return momentValue((read.kind === "date" ? read.day * DAY_MS : start) + amount * ms);
      }
      // Days and months move the calendar and keep the time of day, also across a change of the clock.
      const wall = wallOf(read, timeZone);
      const day = Math.floor(wall / DAY_MS);
      const moved =
        unit === "days"
          ? day + amount
          : unit === "weeks"
            ? day + 7 * amount
            : addMonths(day, unit === "months" ? amount : 12 * amount);
      if (read.kind === "date") return dateValue(moved);
      return momentValue(fromZonedTime(moved * DAY_MS + (wall - day * DAY_MS), timeZone));
    },
  examples: [
    { says: "a date stays a date", config: { amount: 30, unit: "days" }, in: "2024-02-01", out: "2024-03-02" },
    {
      says: "the last day of a shorter month",
      config: { amount: 1, unit: "months" },
      in: "2024-01-31",
      out: "2024-02-29",
    },
    {
      says: "back in time",
      config: { amount: -90, unit: "minutes" },
      in: "2024-01-01T00:30:00.000Z",
      out: "2023-12-31T23:00:00.000Z",
    },
    { says: "null stays null", config: { amount: 1 }, in: null, out: null },
    {
      says: "a list is worked on item by item",
      config: { amount: 1 },
      in: ["2024-01-01", "2024-12-31"],
      out: ["2024-01-02", "2025-01-01"],
    },
    { says: "text that is no date stops the record", config: { amount: 1 }, in: "soon", fails: "not_a_date" },
  ],
});
