/** To date. */
import { defineConversion } from "../kinds/conversion.ts";

export const toDate = defineConversion({
  name: "toDate",
  label: "To date",
  summary: "Reads a value as a whole day: ISO forms, milliseconds since 1970 and month/day/year.",
  dataType: "date",
  examples: [
    { says: "month, day and year", config: {}, in: "2/9/2024", out: "2024-02-09" },
    {
      says: "the day of a date-time in UTC",
      config: {},
      in: "2024-02-09T23:30:00.000Z",
      out: "2024-02-09",
    },
    {
      says: "anything else stops the record; parse it by a pattern",
      config: {},
      in: "9. Feb 2024",
      fails: "not_a_date",
    },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "a list is worked on item by item", config: {}, in: ["2024-02-09", 0], out: ["2024-02-09", "1970-01-01"] },
  ],
});
