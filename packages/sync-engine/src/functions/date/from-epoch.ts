/** From epoch. */
import { multiplyDecimals, roundDecimal } from "@accord/expressions";
import { z } from "zod";
import { momentValue, numberOf } from "../values/read.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

const MS = { milliseconds: "1", seconds: "1000" } as const;

export const fromEpoch = defineValueFunction({
  name: "fromEpoch",
  label: "From epoch",
  family: "date",
  summary: "Makes a date-time of milliseconds or seconds since the beginning of 1970 in UTC.",
  inputs: [
    {
      name: "unit",
      label: "Unit",
      datatype: "picklist",
      defaultValue: "milliseconds",
      values: [
        { id: "milliseconds", label: "Milliseconds" },
        { id: "seconds", label: "Seconds" },
      ],
    },
  ],
  config: z.object({ unit: z.enum(["milliseconds", "seconds"]).default("milliseconds") }),
  output: "datetime",
  prepare:
    ({ unit }) =>
    (value) =>
      momentValue(Number(roundDecimal(multiplyDecimals(numberOf(value), MS[unit]), 0, "floor"))),
  examples: [
    { says: "milliseconds", config: {}, in: 1_709_164_800_000, out: "2024-02-29T00:00:00.000Z" },
    { says: "seconds, also as text", config: { unit: "seconds" }, in: "1.5", out: "1970-01-01T00:00:01.500Z" },
    { says: "to the millisecond", config: { unit: "seconds" }, in: 1.001, out: "1970-01-01T00:00:01.001Z" },
    { says: "a moment outside the calendar stops the record", config: {}, in: 9e15, fails: "date_out_of_range" },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "text that is no number stops the record", config: {}, in: "x", fails: "not_a_number" },
    {
      says: "a list is worked on item by item",
      config: {},
      in: [1709164800000, null],
      out: ["2024-02-29T00:00:00.000Z", null],
    },
  ],
});
