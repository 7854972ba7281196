/** Current date and time. */
import { dayOfMoment } from "@accord/expressions";
import { z } from "zod";
import { dateValue, momentValue } from "../values/read.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const currentDateTime = defineValueFunction({
  name: "currentDateTime",
  label: "Current date and time",
  family: "date",
  summary: "Gives the present date or date-time, the same for all records of a page.",
  inputs: [
    {
      name: "part",
      label: "Part",
      datatype: "picklist",
      defaultValue: "datetime",
      values: [
        { id: "datetime", label: "Date and time" },
        { id: "date", label: "Date" },
      ],
    },
  ],
  config: z.object({ part: z.enum(["datetime", "date"]).default("datetime") }),
  output: "datetime",
  noValue: true,
  prepare:
    ({ part }) =>
    (_value, { now, timeZone }) =>
      part === "date" ? dateValue(dayOfMoment(now, timeZone)) : momentValue(now),
  // Examples run at 2024-06-15 12:00 UTC.
  examples: [
    { says: "date and time", config: {}, out: "2024-06-15T12:00:00.000Z" },
    { says: "the date in UTC", config: { part: "date" }, out: "2024-06-15" },
    { says: "whatever came before does not matter", config: { part: "date" }, in: "x", out: "2024-06-15" },
    { says: "nor does a blank or a list", config: { part: "date" }, in: [null], out: "2024-06-15" },
  ],
});
