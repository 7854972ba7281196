/** To datetime. */
import { defineConversion } from "../kinds/conversion.ts";

export const toDatetime = defineConversion({
  name: "toDatetime",
  label: "To datetime",
  summary: "Reads a value as a moment: ISO forms, milliseconds since 1970 and month/day/year with a time.",
  dataType: "datetime",
  examples: [
    { says: "with an offset", config: {}, in: "2024-02-09T12:00:00+02:00", out: "2024-02-09T10:00:00.000Z" },
    { says: "a whole day begins at midnight in UTC", config: {}, in: "2024-02-09", out: "2024-02-09T00:00:00.000Z" },
    { says: "anything else stops the record", config: {}, in: "soon", fails: "not_a_datetime" },
    { says: "null stays null", config: {}, in: null, out: null },
    {
      says: "a list is worked on item by item",
      config: {},
      in: ["2024-02-09T12:00:00+02:00", "2024-02-09"],
      out: ["2024-02-09T10:00:00.000Z", "2024-02-09T00:00:00.000Z"],
    },
  ],
});
