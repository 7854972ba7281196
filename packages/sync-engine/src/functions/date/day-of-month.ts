/** Day of month. */
import { defineDatePart } from "../kinds/date-part.ts";

export const dayOfMonth = defineDatePart({
  name: "dayOfMonth",
  label: "Day of month",
  summary: "Takes the day of the month, 1 to 31.",
  read: (at) => at.getUTCDate(),
  examples: [
    { says: "of a date", config: {}, in: "2024-02-29", out: 29 },
    {
      says: "of a date-time, where the clock is",
      config: { timeZone: "Asia/Tokyo" },
      in: "2024-02-29T20:00:00.000Z",
      out: 1,
    },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "text that is no date stops the record", config: {}, in: "x", fails: "not_a_date" },
    { says: "a list is worked on item by item", config: {}, in: ["2024-02-29", null], out: [29, null] },
  ],
});
