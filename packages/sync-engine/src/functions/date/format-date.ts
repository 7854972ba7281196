/** Format date. */
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import { fill } from "@accord/contracts/messages/fill";
import { isTimeZone, readPattern, writePattern } from "@accord/expressions";
import { z } from "zod";
import { timeOf, wallOf } from "../values/read.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const formatDate = defineValueFunction({
  name: "formatDate",
  label: "Format date",
  family: "date",
  summary: "Writes a date or date-time as text by a pattern.",
  inputs: [
    {
      name: "pattern",
      label: "Pattern",
      datatype: "string",
      defaultValue: "yyyy-MM-dd",
      required: true,
      hideTokenPicker: true,
      helpText: "yyyy yy, MMMM MMM MM M, dd d, EEEE EEE, HH H, hh h a, mm, ss, SSS. Other letters in 'quotes'.",
    },
    {
      name: "timeZone",
      label: "Time zone",
      datatype: "string",
      hideTokenPicker: true,
      helpText: "Otherwise UTC.",
    },
  ],
  config: z.object({
    pattern: z
      .string()
      .max(100, fill(nodeSettings.charactersAtMost, { limit: 100 }))
      .refine((text) => readPattern(text) !== null, nodeSettings.datePattern)
      .default("yyyy-MM-dd"),
    timeZone: z.string().refine(isTimeZone, nodeSettings.timeZone).optional(),
  }),
  output: "string",
  prepare: ({ pattern, timeZone }) => {
    const pieces = readPattern(pattern)!;
    return (value, env) => writePattern(pieces, wallOf(timeOf(value), timeZone ?? env.timeZone));
  },
  examples: [
    { says: "a date", config: { pattern: "d MMM yyyy" }, in: "2024-02-09", out: "9 Feb 2024" },
    {
      says: "a date-time in a zone",
      config: { pattern: "yyyy-MM-dd HH:mm", timeZone: "Europe/Berlin" },
      in: "2024-07-01T22:30:00.000Z",
      out: "2024-07-02 00:30",
    },
    {
      says: "text in quotes",
      config: { pattern: "EEEE 'at' h:mm a" },
      in: "2024-02-09T15:05:00.000Z",
      out: "Friday at 3:05 PM",
    },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "text that is no date stops the record", config: {}, in: "x", fails: "not_a_date" },
    {
      says: "a list is worked on item by item",
      config: { pattern: "d MMM yyyy" },
      in: ["2024-02-09", null],
      out: ["9 Feb 2024", null],
    },
  ],
});
