/** Convert time zone. */
import { fromZonedTime, toZonedTime } from "@accord/expressions";
import { z } from "zod";
import { momentValue, timeOf } from "../values/read.ts";
import { zoneSetting } from "../kinds/settings.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const convertTimeZone = defineValueFunction({
  name: "convertTimeZone",
  label: "Convert time zone",
  family: "date",
  summary: "Reads the clock of one zone as that of another, for systems that leave out or mistake the zone.",
  inputs: [
    {
      name: "from",
      label: "Clock shown",
      datatype: "string",
      hideTokenPicker: true,
      helpText: "Zone whose clock the value shows. Empty: UTC.",
    },
    {
      name: "to",
      label: "Clock meant",
      datatype: "string",
      hideTokenPicker: true,
      helpText: "Zone in which that clock should be read. Empty: UTC.",
    },
  ],
  config: z.object({ from: zoneSetting, to: zoneSetting }),
  output: "datetime",
  prepare:
    ({ from, to }) =>
    (value, env) => {
      const read = timeOf(value);
      if (read.kind === "date") return value;
      const wall = read.kind === "local" ? read.day * 86_400_000 + read.ms : toZonedTime(read.ms, from ?? env.timeZone);
      return momentValue(fromZonedTime(wall, to ?? "UTC"));
    },
  examples: [
    {
      says: "noon in Berlin was meant as noon in New York",
      config: { from: "Europe/Berlin", to: "America/New_York" },
      in: "2024-07-01T10:00:00.000Z",
      out: "2024-07-01T16:00:00.000Z",
    },
    {
      says: "a clock without a zone",
      config: { to: "Europe/Berlin" },
      in: "2024-07-01 12:00",
      out: "2024-07-01T10:00:00.000Z",
    },
    { says: "a whole day has no clock", config: { to: "Asia/Tokyo" }, in: "2024-07-01", out: "2024-07-01" },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "text that is no date stops the record", config: {}, in: "x", fails: "not_a_date" },
    {
      says: "a list is worked on item by item",
      config: { from: "Europe/Berlin", to: "America/New_York" },
      in: ["2024-07-01T10:00:00.000Z", null],
      out: ["2024-07-01T16:00:00.000Z", null],
    },
  ],
});
