/** Date difference. */
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import { DAY_MS, divideDecimals, isBlank, numberOrText, roundDecimal } from "@accord/expressions";
import { z } from "zod";
import { isTime, momentOf, timeOf, wallOf } from "../values/read.ts";
import { anySetting } from "../kinds/settings.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

const MS = { seconds: 1000, minutes: 60_000, hours: 3_600_000, days: 86_400_000, weeks: 604_800_000 } as const;
const UNITS = ["seconds", "minutes", "hours", "days", "weeks", "months", "years"] as const;

/** Whole months from one wall clock to a later one; the day of month and the time must be reached. */
function monthsBetween(from: number, to: number): number {
  const [a, b] = [new Date(from), new Date(to)];
  const months = (b.getUTCFullYear() - a.getUTCFullYear()) * 12 + b.getUTCMonth() - a.getUTCMonth();
  const reached =
    b.getUTCDate() > a.getUTCDate() || (b.getUTCDate() === a.getUTCDate() && timeOfDay(to) >= timeOfDay(from));
  return reached ? months : months - 1;
}

const timeOfDay = (wall: number): number => wall - Math.floor(wall / DAY_MS) * DAY_MS;

const wholeMonths = (from: number, to: number): number =>
  to >= from ? monthsBetween(from, to) : -monthsBetween(to, from);

export const dateDifference = defineValueFunction({
  name: "dateDifference",
  label: "Date difference",
  family: "date",
  summary: "Counts the time from the value to another date.",
  inputs: [
    {
      name: "until",
      label: "Until",
      datatype: "text",
      required: true,
      allowUserToken: true,
      helpText: "The other date.",
    },
    {
      name: "unit",
      label: "Unit",
      datatype: "picklist",
      defaultValue: "days",
      values: UNITS.map((unit) => ({ id: unit, label: unit })),
    },
    { name: "whole", label: "Whole units only", datatype: "boolean", defaultValue: true },
  ],
  config: z.object({
    until: anySetting.refine((held) => isBlank(held) || isTime(held), nodeSettings.dateOrToken),
    unit: z.enum(UNITS).default("days"),
    whole: z.boolean().default(true),
  }),
  output: "integer",
  prepare: ({ until, unit, whole }) => {
    if (isBlank(until)) return () => null;
    const end = timeOf(until);
    // Hours are counted as they pass, days and longer by the calendar, also where the clock is set.
    const at = unit === "hours" || unit === "minutes" || unit === "seconds" ? momentOf : wallOf;
    return (value, { timeZone }) => {
      const [from, to] = [at(timeOf(value), timeZone), at(end, timeZone)];
      if (unit === "months" || unit === "years")
        return Math.trunc(wholeMonths(from, to) / (unit === "years" ? 12 : 1)) + 0;
      const exact = numberOrText(roundDecimal(divideDecimals(String(to - from), String(MS[unit]))!, 12, "halfUp"));
      return whole ? Math.trunc(Number(exact)) + 0 : exact;
    };
  },
  examples: [
    { says: "days", config: { until: "2024-03-01" }, in: "2024-02-01", out: 29 },
    { says: "negative when the other date is earlier", config: { until: "2024-01-31" }, in: "2024-02-01", out: -1 },
    {
      says: "a month is whole when its day and time are reached, also before 1970",
      config: { until: "1970-02-15T09:00:00Z", unit: "months" },
      in: "1969-12-15T10:00:00Z",
      out: 1,
    },
    { says: "whole years, as an age", config: { until: "2024-05-09", unit: "years" }, in: "1990-05-10", out: 33 },
    {
      says: "parts of a unit",
      config: { until: "2024-01-01T12:00:00Z", unit: "days", whole: false },
      in: "2024-01-01T00:00:00Z",
      out: 0.5,
    },
    {
      says: "the other date may be a token",
      config: { until: "{{previous.values.due}}" },
      record: { values: { due: "2024-01-03" } },
      in: "2024-01-01",
      out: 2,
    },
    {
      says: "hours as they pass, though the clock is set meanwhile",
      config: { until: "2024-03-31T03:00:00+02:00", unit: "hours" },
      in: "2024-03-31T01:00:00+01:00",
      out: 1,
    },
    { says: "null stays null", config: { until: "2024-01-01" }, in: null, out: null },
    { says: "text that is no date stops the record", config: { until: "2024-01-01" }, in: "then", fails: "not_a_date" },
    {
      says: "a list is worked on item by item",
      config: { until: "2024-03-01" },
      in: ["2024-02-01", null],
      out: [29, null],
    },
  ],
});
