/** To epoch. */
import { fromZonedTime } from "@accord/expressions";
import { z } from "zod";
import { timeOf, wallOf } from "../values/read.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

const UNIT_INPUT = {
  name: "unit",
  label: "Unit",
  datatype: "picklist",
  defaultValue: "milliseconds",
  values: [
    { id: "milliseconds", label: "Milliseconds" },
    { id: "seconds", label: "Seconds" },
  ],
};

export const toEpoch = defineValueFunction({
  name: "toEpoch",
  label: "To epoch",
  family: "date",
  summary: "Counts milliseconds or seconds since the beginning of 1970 in UTC.",
  inputs: [UNIT_INPUT],
  config: z.object({ unit: z.enum(["milliseconds", "seconds"]).default("milliseconds") }),
  output: "integer",
  prepare:
    ({ unit }) =>
    (value, { timeZone }) => {
      const read = timeOf(value);
      const ms = read.kind === "local" ? fromZonedTime(wallOf(read, timeZone), timeZone) : wallOf(read, "UTC");
      return unit === "seconds" ? Math.floor(ms / 1000) : ms;
    },
  examples: [
    { says: "milliseconds", config: {}, in: "2024-02-29T00:00:00.000Z", out: 1_709_164_800_000 },
    { says: "seconds, fractions cut off", config: { unit: "seconds" }, in: "1970-01-01T00:00:01.900Z", out: 1 },
    { says: "a whole day begins at midnight in UTC", config: { unit: "seconds" }, in: "1970-01-02", out: 86_400 },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "text that is no date stops the record", config: {}, in: "x", fails: "not_a_date" },
    {
      says: "a list is worked on item by item",
      config: {},
      in: ["2024-02-29T00:00:00.000Z", null],
      out: [1709164800000, null],
    },
  ],
});
