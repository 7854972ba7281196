/** Is business day. */
import { DAY_MS, isoDayOfWeek, readDay, textOf } from "@accord/expressions";
import { z } from "zod";
import { itemsOf, timeOf, wallOf } from "../values/read.ts";
import { anySetting, ZONE_INPUT, zoneSetting } from "../kinds/settings.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

const WEEKENDS = { saturdaySunday: [6, 7], fridaySaturday: [5, 6], sunday: [7], none: [] } as const;

export const isBusinessDay = defineValueFunction({
  name: "isBusinessDay",
  label: "Is business day",
  family: "date",
  summary: "Tells whether a date is neither at the weekend nor one of the holidays given.",
  inputs: [
    {
      name: "weekend",
      label: "Weekend",
      datatype: "picklist",
      defaultValue: "saturdaySunday",
      values: [
        { id: "saturdaySunday", label: "Saturday and Sunday" },
        { id: "fridaySaturday", label: "Friday and Saturday" },
        { id: "sunday", label: "Sunday" },
        { id: "none", label: "None" },
      ],
    },
    {
      name: "holidays",
      label: "Holidays",
      datatype: "text",
      allowUserToken: true,
      helpText: "Dates such as 2026-12-25, parted by semicolons, or a token of a list. What is no date is passed over.",
    },
    ZONE_INPUT,
  ],
  config: z.object({
    weekend: z.enum(["saturdaySunday", "fridaySaturday", "sunday", "none"]).default("saturdaySunday"),
    holidays: anySetting,
    timeZone: zoneSetting,
  }),
  output: "boolean",
  prepare: ({ weekend, holidays, timeZone }) => {
    const free = new Set(itemsOf(holidays, ";").map((day) => readDay(textOf(day).trim())));
    const resting: readonly number[] = WEEKENDS[weekend];
    return (value, env) => {
      const day = Math.floor(wallOf(timeOf(value), timeZone ?? env.timeZone) / DAY_MS);
      return !free.has(day) && !resting.includes(isoDayOfWeek(day));
    };
  },
  examples: [
    { says: "a Friday", config: {}, in: "2024-03-01", out: true },
    { says: "a Saturday", config: {}, in: "2024-03-02", out: false },
    { says: "a holiday", config: { holidays: "2024-12-25; 2024-12-26" }, in: "2024-12-25", out: false },
    { says: "other weekends", config: { weekend: "fridaySaturday" }, in: "2024-03-03", out: true },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "text that is no date stops the record", config: {}, in: "x", fails: "not_a_date" },
    { says: "a list is worked on item by item", config: {}, in: ["2024-03-01", "2024-03-02"], out: [true, false] },
  ],
});
