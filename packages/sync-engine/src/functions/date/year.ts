/** Year. */
import { defineDatePart } from "../kinds/date-part.ts";

export const year = defineDatePart({
  name: "year",
  label: "Year",
  summary: "Takes the year.",
  read: (at) => at.getUTCFullYear(),
  examples: [
    { says: "of a date", config: {}, in: "2024-02-29", out: 2024 },
    {
      says: "of a date-time, where the clock is",
      config: { timeZone: "Asia/Tokyo" },
      in: "2024-12-31T20:00:00.000Z",
      out: 2025,
    },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "text that is no date stops the record", config: {}, in: "x", fails: "not_a_date" },
    { says: "a list is worked on item by item", config: {}, in: ["2024-02-29", null], out: [2024, null] },
  ],
});
