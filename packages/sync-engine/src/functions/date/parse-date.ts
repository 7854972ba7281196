/** Parse date. */
import { nodeFailures } from "@accord/contracts/messages/en/sync/run/node-failures";
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import { fill } from "@accord/contracts/messages/fill";
import { isTimeZone, fromZonedTime, readByPattern, readPattern, textOf } from "@accord/expressions";
import { z } from "zod";
import { FunctionFailure } from "../define.ts";
import { dateValue, momentValue } from "../values/read.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const parseDate = defineValueFunction({
  name: "parseDate",
  label: "Parse date",
  family: "date",
  summary: "Reads a text as a date or date-time by a pattern.",
  inputs: [
    {
      name: "pattern",
      label: "Pattern",
      datatype: "string",
      defaultValue: "yyyy-MM-dd",
      required: true,
      hideTokenPicker: true,
      helpText: "yyyy yy, MMMM MMM MM M, dd d, HH H, hh h a, mm, ss, SSS. Other letters in 'quotes'.",
    },
    {
      name: "timeZone",
      label: "Time zone",
      datatype: "string",
      hideTokenPicker: true,
      helpText: "Otherwise UTC.",
    },
    {
      name: "otherwise",
      label: "Unreadable texts",
      datatype: "picklist",
      defaultValue: "fail",
      values: [
        { id: "fail", label: "Stop the record with an error" },
        { id: "blank", label: "Become blank" },
      ],
    },
  ],
  config: z.object({
    pattern: z
      .string()
      .max(100, fill(nodeSettings.charactersAtMost, { limit: 100 }))
      .refine((text) => readPattern(text) !== null, nodeSettings.datePattern)
      .default("yyyy-MM-dd"),
    timeZone: z.string().refine(isTimeZone, nodeSettings.timeZone).optional(),
    otherwise: z.enum(["fail", "blank"]).default("fail"),
  }),
  output: "datetime",
  prepare: ({ pattern, timeZone, otherwise }) => {
    const pieces = readPattern(pattern)!;
    return (value, env) => {
      const text = textOf(value).trim();
      const read = readByPattern(pieces, text);
      if (!read) {
        if (otherwise === "blank") return null;
        throw new FunctionFailure("not_a_date", fill(nodeFailures.notOfPattern, { value: text.slice(0, 60), pattern }));
      }
      if (!read.hasTime) return dateValue(Math.floor(read.wall / 86_400_000));
      return momentValue(fromZonedTime(read.wall, timeZone ?? env.timeZone));
    };
  },
  examples: [
    { says: "a date", config: { pattern: "dd.MM.yyyy" }, in: "09.02.2024", out: "2024-02-09" },
    {
      says: "a date-time in a zone",
      config: { pattern: "M/d/yy h:mm a", timeZone: "America/New_York" },
      in: "7/4/24 1:30 PM",
      out: "2024-07-04T17:30:00.000Z",
    },
    { says: "names of months", config: { pattern: "d MMMM yyyy" }, in: "9 february 2024", out: "2024-02-09" },
    { says: "a day that does not exist stops the record", config: {}, in: "2024-02-30", fails: "not_a_date" },
    { says: "or becomes blank", config: { otherwise: "blank" }, in: "soon", out: null },
    { says: "null stays null", config: {}, in: null, out: null },
    {
      says: "a list is worked on item by item",
      config: { pattern: "yyyyMMdd" },
      in: ["20240209"],
      out: ["2024-02-09"],
    },
  ],
});
